#!/bin/sh
# Nothing stays in /dev/shm or in the folder for temporary files, of us or of the MPI, however a run ends. In a name space with a
# /dev/shm of its own, so that what others have there does not count.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
[ -n "$MPIS" ] || skip "no MPI is installed"
[ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null || skip "a /dev/shm of its own needs root"
if [ -z "${LITTER_INSIDE:-}" ]; then
    rm -rf "$scratch"
    # shellcheck disable=SC2016 # for the inner shell
    LITTER_INSIDE=1 exec unshare --mount sh -c 'mount -t tmpfs -o size=256m tmpfs /dev/shm && exec sh "$1"' sh "$0"
fi
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"
export TMPDIR="$scratch/tmp"
mkdir -p "$TMPDIR"
study=$scratch/study.parcast

program() { echo "$BUILD/tests/elastic_paced.$kind"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
begin() { # ARG...
    shut_gate
    "$PARCAST" run -s "$study" --checkpoint-every 100ms "$@" -- "$(program)" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_committed 2
}
ends_with() {
    open_gate
    wait $run && status=0 || status=$?
    [ "$status" = "$1" ] || fail "not $1: $(told)"
}
ranks() { pgrep -f "^$(program) " || true; }
no_rank_lives() { [ -z "$(ranks)" ]; }
found() { find /dev/shm "$TMPDIR" -mindepth 1; }
nothing_is_left() { [ -z "$(found)" ] || fail "$kind: left: $(found)"; }
only_pieces_are_left() {
    left=$(find /dev/shm "$TMPDIR" -mindepth 1 ! -type d ! -name 'piece.*')
    [ -z "$left" ] || fail "$kind: left: $left"
}

normal() {
    begin --schedule 0:1,100:2,200:1 "$@"
    ends_with 0
    nothing_is_left
}
killed_rank() {
    begin --nodes 2 "$@"
    # shellcheck disable=SC2046 # words
    kill -9 $(ranks | tail -n 1)
    until_said "resumed at iteration"
    ends_with 0
    nothing_is_left
}
interrupted() {
    begin --nodes 2 "$@"
    kill -INT $run
    ends_with 130
    only_pieces_are_left
    begin --nodes 1 "$@"
    ends_with 0
    nothing_is_left
}
killed_supervisor() {
    begin --nodes 2 "$@"
    kill -9 $run
    ends_with 137
    until_true no_rank_lives || fail "ranks live on"
    begin --nodes 1 "$@"
    ends_with 0
    nothing_is_left
}
# stubborn LINE...: a launcher of its own mind
stubborn() {
    printf '%s\n' '#!/bin/sh' "$@" >"$scratch/launcher"
    chmod +x "$scratch/launcher"
}
has_begun() { grep -q "running on" "$TMPDIR"/parcast-run.*/journal 2>/dev/null; }
killed_by_order() {
    shut_gate
    stubborn 'trap "" TERM' "mpiexec.$kind \"\$@\""
    "$PARCAST" run --mpiexec "$scratch/launcher" -- "$(program)" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$! status=running
    until_true has_begun || fail "it does not run: $(told)"
    kill -TERM $run
    wait $run && status=0 || status=$?
    [ "$status" = 143 ] || fail "not 143: $(told)"
    grep -q "the program does not end: it is killed" "$scratch/err" || fail "nothing was said: $(told)"
    ! grep -q "resume" "$scratch/err" || fail "there is nothing to resume: $(told)"
    grep -q " 0 crashes" "$scratch/err" || fail "it counts as a crash: $(told)"
    nothing_is_left
}
has_journal() { [ -n "$(find "$scratch" -path "$study.run-*" -name journal)" ]; }
interrupted_early() {
    stubborn "exec sleep 60"
    "$PARCAST" run -s "$study" --mpiexec "$scratch/launcher" -- "$(program)" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$! status=running
    until_true has_journal || fail "nothing begins: $(told)"
    kill -INT $run
    ends_with 130
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left: $(told)"
    nothing_is_left
}
each() {
    for kind in $MPIS; do "$@"; done
}

nothing_stays_after_a_run() { each normal; }
nothing_stays_after_a_run_with_checkpoints_on_a_disk() { each normal --checkpoints "$scratch/disk"; }
nothing_stays_after_a_run_in_memory() {
    case " $MPIS " in *" openmpi "*) kind=openmpi ;; *) skip "no Open MPI" ;; esac
    normal --engine memory
}
nothing_stays_of_a_rank_that_was_killed() { each killed_rank; }
only_checkpoints_stay_of_a_run_that_was_interrupted() { each interrupted; }
nothing_stays_of_an_interrupted_run_without_a_study_which_has_not_crashed() { each killed_by_order; }
nothing_stays_of_a_run_that_was_interrupted_before_its_first_checkpoint() { kind=${MPIS##* } && interrupted_early; }
nothing_stays_of_a_supervisor_that_was_killed_when_the_run_was_resumed() { each killed_supervisor; }

[ -n "${PARCAST_LONG_TESTS:-}" ] || {
    run nothing_stays_of_a_supervisor_that_was_killed_when_the_run_was_resumed \
        nothing_stays_of_a_run_that_was_interrupted_before_its_first_checkpoint
    exit
}
run nothing_stays_after_a_run nothing_stays_after_a_run_with_checkpoints_on_a_disk nothing_stays_after_a_run_in_memory \
    nothing_stays_of_a_rank_that_was_killed only_checkpoints_stay_of_a_run_that_was_interrupted \
    nothing_stays_of_an_interrupted_run_without_a_study_which_has_not_crashed \
    nothing_stays_of_a_run_that_was_interrupted_before_its_first_checkpoint \
    nothing_stays_of_a_supervisor_that_was_killed_when_the_run_was_resumed
