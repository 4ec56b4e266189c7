#!/bin/sh
# parcast run --engine memory: ranks are added and retired while the others live, again and again; faults at every step of a
# move. Results are the same to the last bit. Only an MPI that can spawn is of use here.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
study=$scratch/memory.parcast kind=openmpi

can_spawn() { case " $MPIS " in *" openmpi "*) ;; *) skip "no Open MPI" ;; esac; }
no_sanitizer() { [ "$SANITIZED" != ON ] || skip "a preloaded library cannot enter a program with AddressSanitizer"; }
program() { echo "$BUILD/examples/elastic_$1.$kind"; }
supervise() { # ARG...: leaves status, out and err
    timeout 250 "$PARCAST" run -s "$study" --engine memory "$@" >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
}
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$@"; }
same_as_plain() { # NAME ARG...
    name=$1
    shift
    plain=$scratch/plain.$name.$(echo "$*" | tr ' ' .)
    [ "$status" = 0 ] || fail "it failed: $(told)"
    [ -s "$plain" ] || "mpiexec.$kind" -n 1 "$(program "$name")" "$@" >"$plain" 2>&1 || fail "$(cat "$plain")"
    got=$(bits "$scratch/out" "$scratch/err")
    [ -n "$got" ] && [ "$got" = "$(bits "$plain")" ] || fail "another result than $(cat "$plain"): $(told)"
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left"
}
moves_in_memory() { # N
    [ "$(grep -c '"in_memory": true' "$scratch/out")" = "$1" ] || fail "not $1 moves in memory: $(told)"
}
# faulty HOW NTH RANK ARG...
faulty() {
    rm -f "$scratch/mark"
    export FAULT_WHO=elastic_jacobi FAULT_HOW="$1" FAULT_NTH="$2" FAULT_RANK="$3" FAULT_MARK="$scratch/mark" LD_PRELOAD="$BUILD/tests/elastic/faulty_io.so"
    shift 3
    supervise "$@"
    unset LD_PRELOAD FAULT_WHO FAULT_RANK
}

# SCHEDULE NAME ARG...
grow_and_shrink() {
    supervise --json --schedule "$1" -- "$(program "$2")" ${3+"$3"} ${4+"$4"} ${5+"$5"}
    n=$(echo "$1" | tr ',' '\n' | wc -l)
    moves_in_memory $((n - 1))
    shift
    same_as_plain "$@"
}
every_example_grows_and_shrinks_and_computes_the_same() {
    can_spawn
    grow_and_shrink 0:1,20:3,40:1,60:2,80:4,100:2,101:1 jacobi 61 120
    grow_and_shrink 0:1,10:2,33:1,60:3 cg 3001 10 3
    grow_and_shrink 0:1,2:3,7:1,12:2 lu 300 8
    [ -x "$(program heat)" ] || skip "no Fortran compiler"
    grow_and_shrink 0:1,10:2,33:1,60:3 heat 61 80
}

# A move says what it cost: each byte of the array once, and no more time in its parts than in all.
a_move_in_memory_tells_its_bytes_and_its_time() {
    can_spawn
    supervise --json --schedule 0:2,20:3,40:2 -- "$(program jacobi)" 61 80
    moves_in_memory 2
    jq -e '[.events[] | .bytes == 61 * 61 * 8 and .stop_s >= 0 and .copy_s <= .move_s and .stop_s + .move_s <= .pause_s + 1e-3] | all' \
        "$scratch/out" >"$scratch/jq" || fail "$(told)"
}

# What is prepared for an iteration that does not come is sent away.
the_end_may_come_before_a_move_that_is_prepared() {
    can_spawn
    supervise --json --schedule 0:1,500000:2 -- "$(program jacobi)" 61 80
    moves_in_memory 0
    same_as_plain jacobi 61 80
    supervise --json --schedule 0:1,20:2,79:3,80:1 -- "$(program jacobi)" 61 80
    same_as_plain jacobi 61 80
}

# The pieces are written by a thread while the program computes.
full_disk_behind() {
    for nth in 1 2; do
        faulty full "$nth" 0 --schedule 0:2,20:3,4000:2 -- "$(program jacobi)" 61 8000
        [ -e "$scratch/mark" ] || fail "there was no step $nth"
        grep -q "not written, the run goes on.*No space left" "$scratch/err" || fail "nothing was said at step $nth: $(told)"
        same_as_plain jacobi 61 8000
    done
}
a_full_disk_behind_a_move_does_not_stop_the_run() { no_sanitizer; can_spawn; full_disk_behind; }

killed_in_a_move() {
    for nth in 1 2 3 4; do
        for rank in 0 1; do
            faulty kill "$nth" "$rank" --schedule 0:2,20:3,4000:2 -- "$(program jacobi)" 61 8000
            [ -e "$scratch/mark" ] || fail "there was no step $nth of rank $rank"
            same_as_plain jacobi 61 8000
        done
    done
}
a_move_in_memory_may_be_cut_at_every_step() { no_sanitizer; can_spawn; killed_in_a_move; }

# The next move and the end wait for a checkpoint that takes two seconds.
slow_behind() {
    faulty slow 6 1 --json --schedule 0:2,20:3,22:2,24:3 -- "$(program jacobi)" 61 8000
    [ -e "$scratch/mark" ] || fail "there was no such step"
    moves_in_memory 3
    same_as_plain jacobi 61 8000
    jq -e '[.events[].copy_s < 1.9] | all' "$scratch/out" >"$scratch/jq" || fail "it was not slow behind the move: $(told)"
    grep -q "3 checkpoints" "$scratch/err" || fail "a checkpoint was lost: $(told)"
}
moves_wait_for_the_checkpoint_behind_the_last_one() { no_sanitizer; can_spawn; slow_behind; }

# --no-overlap: before every move, so that the last one's iteration is where a crash goes back to.
first() {
    supervise --json --no-overlap --schedule 0:1,20:2,40:1 -- "$(program jacobi)" 61 80
    moves_in_memory 2
    same_as_plain jacobi 61 80
}
without_overlap_the_checkpoint_comes_first() { can_spawn; first; }

run every_example_grows_and_shrinks_and_computes_the_same a_move_in_memory_tells_its_bytes_and_its_time \
    the_end_may_come_before_a_move_that_is_prepared a_full_disk_behind_a_move_does_not_stop_the_run \
    a_move_in_memory_may_be_cut_at_every_step moves_wait_for_the_checkpoint_behind_the_last_one without_overlap_the_checkpoint_comes_first
