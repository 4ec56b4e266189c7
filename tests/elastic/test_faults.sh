#!/bin/sh
# What may happen to the files of a run: each is damaged in turn, folders vanish, disks are full or read-only, programs
# are exchanged. No result is wrong, no iteration beyond the last whole checkpoint is lost, and what happened is said.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
[ -n "$MPIS" ] || skip "no MPI is installed"
kind=${MPIS##* }
program=$scratch/program
cp "$BUILD/tests/elastic_paced.$kind" "$program"
study=$scratch/study.parcast
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"

# shellcheck disable=SC2086 # words
run_paced() { timeout 250 "$PARCAST" run "$@" -- "$program" $cells $steps "$gate" $pace_ms; }
supervise() { run_paced "$@" >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$1"; }
same_as_plain() {
    [ "$status" = 0 ] || fail "it failed: $(told)"
    plain=$scratch/plain
    [ -s "$plain" ] || "mpiexec.$kind" -n 1 "$program" $cells $steps - 0 >"$plain" 2>&1 || fail "$(cat "$plain")"
    [ "$(bits "$scratch/out")" = "$(bits "$plain")" ] || fail "another result: $(told)"
}
nothing_is_left() {
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left"
    [ -z "$(pgrep -f "^$program")" ] || fail "ranks live on: $(pgrep -fa "^$program")"
    [ ! -e "$pieces" ] || fail "pieces are left in $pieces"
}
# A run in the background, until it has written two checkpoints; it lasts until the gate is open.
begin() {
    rm -rf "$study".run-*
    shut_gate
    run_paced -s "$study" --nodes 2 --checkpoint-every 30ms "$@" >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_committed 2
    directory=$(find "$scratch" -maxdepth 1 -path "$study.run-*")
    pieces=$(sed -n 's/^piece 0 .* \(\/.*\)\/piece\..*$/\1/p' "$directory"/checkpoint.* | tail -n 1)
}
ends() { wait $run && status=0 || status=$?; }
# The shell in the background has timeout below it, and that the supervisor.
kill_supervisor() {
    pkill -9 -P "$(pgrep -P $run -x timeout)" -x parcast || fail "there is no supervisor"
    ends
    until_true no_rank_lives || fail "ranks live on"
    open_gate
}
no_rank_lives() { [ -z "$(pgrep -f "^$program")" ]; }

# -------- damaged files --------

# A run that was killed, kept aside so that it can be damaged many times.
keep_a_killed_run() {
    begin
    kill_supervisor
    cp -a "$directory" "$scratch/kept" && cp -a "$pieces" "$scratch/kept.pieces"
}
restore() {
    rm -rf "$directory" "$pieces"
    cp -a "$scratch/kept" "$directory" && cp -a "$scratch/kept.pieces" "$pieces"
}
empty() { : >"$1"; }
halve() { truncate -s $(($(stat -c %s "$1") / 2)) "$1"; }
lengthen() { echo >>"$1"; }
flip_at() { # FILE PLACE: a bit
    at=$2
    byte=$(od -An -tu1 -j $at -N 1 "$1")
    # shellcheck disable=SC2059 # the byte is made by the outer printf
    printf "\\$(printf %o $((byte ^ 4)))" | dd of="$1" bs=1 seek=$at conv=notrunc 2>/dev/null
}
flip() { flip_at "$1" $(($(stat -c %s "$1") / 2)); }
flip_the_first_byte() { flip_at "$1" 0; }
flip_the_last_byte() { flip_at "$1" $(($(stat -c %s "$1") - 1)); }
flip_the_index() { flip_at "$1" $(($(stat -c %s "$1") - 20)); } # of a piece; it ends with checksums of its blocks
zero() { dd if=/dev/zero of="$1" bs=1 count=$(($(stat -c %s "$1") / 8)) conv=notrunc 2>/dev/null; }
remove() { rm "$1"; }

each_file_may_be_damaged_in_each_way() {
    keep_a_killed_run
    newest=$(find "$directory" -name 'checkpoint.[0-9]*' | sed 's/.*\.//' | sort -n | tail -n 1)
    files="$directory/checkpoint.$newest $(sed -n 's/^piece .* \(\/.*\)$/\1/p' "$directory/checkpoint.$newest")"
    damages=flip
    [ -z "${PARCAST_LONG_TESTS:-}" ] || damages="empty halve lengthen zero flip flip_the_first_byte flip_the_last_byte flip_the_index remove"
    for file in $files; do
        for damage in $damages; do
            restore
            $damage "$file"
            supervise -s "$study" --nodes 1
            same_as_plain
            grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "$damage $file: the one before was not taken: $(told)"
            [ "$damage$file" = "remove$directory/checkpoint.$newest" ] || grep -q "passed over\|cannot be used" "$scratch/err" ||
                fail "$damage $file: nothing was said: $(told)"
            nothing_is_left
        done
    done
}

all_checkpoints_may_be_damaged() {
    begin
    kill -TERM "$(pgrep -P $run -x timeout)"
    ends
    open_gate
    for file in "$directory"/checkpoint.[0-9]*; do flip "$file"; done
    supervise -s "$study" --nodes 1
    same_as_plain
    grep -q "the run begins anew" "$scratch/err" || fail "nothing was said: $(told)"
    nothing_is_left
}

# -------- folders --------

a_folder_that_vanishes_does_not_stop_the_run() {
    begin
    rm -rf "$directory"
    until_said "not written, the run goes on"
    open_gate
    ends
    same_as_plain
    begin
    rm -rf "$pieces"
    until_said "not written, the run goes on"
    open_gate
    ends
    same_as_plain
}

can_mount() { [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null || skip "no right to mount"; }

# The shell that runs COMMAND has the file system for itself. The run lasts until it has said TEXT.
on_small_disk() { # SIZE COMMAND TEXT
    can_mount
    mkdir -p "$scratch/small"
    shut_gate
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount sh -c 'mount -t tmpfs -o size="$1" tmpfs "$2" && eval "$3"' sh "$1" "$scratch/small" "$2" >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_said "$3"
    open_gate
    ends
    same_as_plain
}
on_the_small_disk="timeout 250 '$PARCAST' run -s '$study' --nodes 2 --checkpoint-every 30ms --checkpoints '$scratch/small/c' -- '$program' $cells $steps '$gate' $pace_ms"
# Full at the first piece, at the second, and in the second checkpoint.
a_disk_that_is_full_at_any_piece_does_not_stop_the_run() {
    sizes=600k
    [ -z "${PARCAST_LONG_TESTS:-}" ] || sizes="200k 600k 1400k"
    for size in $sizes; do
        on_small_disk $size "$on_the_small_disk" "not written, the run goes on.*No space left"
    done
}
a_disk_that_becomes_read_only_does_not_stop_the_run() {
    on_small_disk 20m "(until grep -qs committed '$study'.run-*/journal; do sleep 0.1; done; mount -o remount,ro '$scratch/small') &
        $on_the_small_disk" "not written, the run goes on.*Read-only"
}
one_folder_of_checkpoints_serves_two_runs() {
    begin --checkpoints "$scratch/common"
    timeout 250 "$PARCAST" run -s "$scratch/other.parcast" --schedule 0:1,20:2,40:1 --checkpoints "$scratch/common" -- \
        "$BUILD/examples/elastic_jacobi.$kind" 61 80 >"$scratch/other" 2>&1 || fail "the other run: $(cat "$scratch/other")"
    kill_supervisor
    supervise -s "$study" --nodes 1 --checkpoints "$scratch/common"
    same_as_plain
    grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "its checkpoints are gone: $(told)"
    ! grep -q "cannot be used" "$scratch/err" || fail "a checkpoint was swept by the other run: $(told)"
}

# -------- Ctrl-C in a move --------

# interrupt DELAY ARG...: so long after the run has begun, which moves all the time.
interrupt() {
    delay=$1
    shift
    rm -rf "$study".run-*
    shut_gate
    schedule=$(awk 'BEGIN { for (i = 0; i < 60; i++) printf "%s%d:%d", i ? "," : "", 8 * i, i % 2 ? 2 : 1 }')
    "$PARCAST" run -s "$study" --schedule "$schedule" "$@" -- "$program" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_runs
    sleep "$delay"
    kill -INT $run
    ends
    [ "$status" = 130 ] || fail "$* after $delay s: not 130: $(told)"
    pieces=$(sed -n 's/^piece 0 .* \(\/.*\)\/piece\..*$/\1/p' "$study".run-*/checkpoint.* 2>/dev/null | tail -n 1)
    open_gate
    supervise -s "$study" --nodes 1
    same_as_plain
    grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "$* after $delay s: it began anew: $(told)"
    nothing_is_left
}
ctrl_c_in_a_move_leaves_a_checkpoint() {
    for delay in 0.25 0.35 0.5 0.8; do
        interrupt "$delay"
        interrupt "$delay" --no-overlap
        interrupt "$delay" --engine memory
    done
}

# -------- another program --------

a_program_whose_arrays_are_others_is_refused_once() {
    begin
    kill -TERM "$(pgrep -P $run -x timeout)"
    ends
    open_gate
    cp "$BUILD/tests/elastic_shapes.$kind" "$program"
    supervise -s "$study" --nodes 1
    cp "$BUILD/tests/elastic_paced.$kind" "$program"
    [ "$status" = 3 ] || fail "$(told)"
    [ "$(grep -c "does not fit the program" "$scratch/err")" = 1 ] || fail "not said once: $(told)"
    grep -q "hint: .*--restart" "$scratch/err" || fail "no cure: $(told)"
    supervise -s "$study" --nodes 1
    same_as_plain
    grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "the checkpoint was lost: $(told)"
    nothing_is_left
}

[ -n "${PARCAST_LONG_TESTS:-}" ] || {
    run each_file_may_be_damaged_in_each_way all_checkpoints_may_be_damaged a_disk_that_is_full_at_any_piece_does_not_stop_the_run
    exit
}
run each_file_may_be_damaged_in_each_way all_checkpoints_may_be_damaged a_folder_that_vanishes_does_not_stop_the_run \
    a_disk_that_is_full_at_any_piece_does_not_stop_the_run a_disk_that_becomes_read_only_does_not_stop_the_run \
    one_folder_of_checkpoints_serves_two_runs ctrl_c_in_a_move_leaves_a_checkpoint a_program_whose_arrays_are_others_is_refused_once
