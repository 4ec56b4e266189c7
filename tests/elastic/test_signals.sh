#!/bin/sh
# Signals to `run` where a library has started a thread of its own, and below nohup.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"
[ -n "$MPIS" ] || skip "no MPI is installed"
kind=${MPIS##* }

program() { echo "$BUILD/tests/elastic_paced.$kind"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
# begin NAME COMMAND...: `run` behind COMMAND, in the background, until its program runs.
begin() {
    study=$scratch/$1.parcast
    shift
    shut_gate
    "$@" "$PARCAST" run -s "$study" --nodes 1 -- "$(program)" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_runs
}
ends_with() {
    wait $run && status=0 || status=$?
    [ "$status" = "$1" ] || fail "it should end with $1: $(told)"
}

a_thread_of_a_library_keeps_no_signal_to_itself() {
    [ "$SANITIZED" != ON ] || skip "a preloaded library cannot enter a program with AddressSanitizer"
    begin thread env LD_PRELOAD="$BUILD/tests/elastic/listening.so"
    kill -TERM $run
    ends_with 143
    has_said "a checkpoint is written" || fail "it did not hear the signal: $(told)"
}

a_run_below_nohup_goes_on_when_its_terminal_hangs_up() {
    begin nohup nohup
    kill -HUP $run
    sleep 1
    open_gate
    ends_with 0
}

run a_thread_of_a_library_keeps_no_signal_to_itself \
    a_run_below_nohup_goes_on_when_its_terminal_hangs_up
