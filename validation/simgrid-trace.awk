# A time-independent trace of messages, from a seed: awk -v ranks=N -v seed=S -v steps=K -v sizes="100 2000" -f this
# Steps are rings, pairs that block, messages between random ranks, exchanges, halos; ranks compute unequally between them.
# Park and Miller's generator, whose numbers stay below 2^53, so that every awk writes the same trace.
function below(n) { state = state * 16807 % 2147483647; return state % n }
function say(rank, action) { lines[rank] = lines[rank] rank " " action "\n" }
function ring(step, bytes, r) {
    for (r = 0; r < ranks; r++) {
        say(r, "irecv " (r + ranks - 1) % ranks " " step " " bytes " 6")
        say(r, "isend " (r + 1) % ranks " " step " " bytes " 6")
        say(r, "waitall")
    }
}
function pairs(step, r, i, other, kept) {
    for (r = 0; r < ranks; r++) order[r] = r
    for (r = ranks - 1; r > 0; r--) { i = below(r + 1); kept = order[r]; order[r] = order[i]; order[i] = kept }
    for (r = 0; r + 1 < ranks; r += 2) {
        bytes = size[below(n_sizes)]
        say(order[r], "send " order[r + 1] " " step " " bytes " 6")
        say(order[r + 1], "recv " order[r] " " step " " bytes " 6")
    }
}
function random(step, i, r) {
    for (i = 0; i < ranks; i++) { from[i] = below(ranks); to[i] = (from[i] + 1 + below(ranks - 1)) % ranks; sent[i] = size[below(n_sizes)] }
    for (i = 0; i < ranks; i++) say(to[i], "irecv " from[i] " " 1000 * step + i " " sent[i] " 6")
    for (i = 0; i < ranks; i++) say(from[i], "isend " to[i] " " 1000 * step + i " " sent[i] " 6")
    for (r = 0; r < ranks; r++) say(r, "waitall")
}
function exchange(bytes, r) {
    for (r = 0; r < ranks; r++) say(r, "sendRecv " bytes " " (r + 1) % ranks " " bytes " " (r + ranks - 1) % ranks " 6 6")
}
function halo(step, bytes, half, r) {
    half = int(ranks / 2)
    for (r = 0; r < ranks; r++) {
        say(r, "irecv " (r + ranks - 1) % ranks " " 10 * step + 1 " " bytes " 6")
        say(r, "irecv " (r + ranks - half) % ranks " " 10 * step + 2 " " bytes " 6")
        say(r, "isend " (r + 1) % ranks " " 10 * step + 1 " " bytes " 6")
        say(r, "isend " (r + half) % ranks " " 10 * step + 2 " " bytes " 6")
        say(r, "waitall")
    }
}
BEGIN {
    state = seed * 7919 + 1
    n_sizes = split(sizes, words, " ")
    for (i = 1; i <= n_sizes; i++) size[i - 1] = words[i]
    for (r = 0; r < ranks; r++) say(r, "init")
    for (step = 0; step < steps; step++) {
        for (r = 0; r < ranks; r++) say(r, "compute " below(20000))
        kind = (step + seed) % 5
        bytes = size[below(n_sizes)]
        if (kind == 0) ring(step, bytes)
        if (kind == 1) pairs(step)
        if (kind == 2) random(step)
        if (kind == 3) exchange(bytes)
        if (kind == 4) halo(step, bytes)
    }
    for (r = 0; r < ranks; r++) { say(r, "finalize"); printf "%s", lines[r] }
}
