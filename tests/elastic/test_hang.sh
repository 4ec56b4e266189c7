#!/bin/sh
# Ranks that stop, and programs that do not end: the ranks that are late are named with their places, and the run goes on
# from its last checkpoint.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/elastic/nodes.sh
. "$SOURCE/tests/elastic/nodes.sh"
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"
[ -n "$MPIS" ] || skip "no MPI is installed"
kind=${MPIS##* }
study=$scratch/study.parcast
[ -n "$(nodes_missing)" ] || nodes_start

program() { echo "$BUILD/tests/elastic_paced.$kind"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$1"; }
# begin ARG...: in the background, until it has written a checkpoint; it lasts until the gate is open.
begin() {
    shut_gate
    timeout 250 "$PARCAST" run -s "$study" --patience 3s --checkpoint-every 100ms "$@" -- "$(program)" $cells $steps "$gate" $pace_ms \
        >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_committed 2
}
ends() { wait $run && status=0 || status=$?; }
ends_well() {
    open_gate
    ends
    [ "$status" = 0 ] || fail "it failed: $(told)"
    plain=$scratch/plain.$kind
    [ -s "$plain" ] || "mpiexec.$kind" -n 1 "$(program)" $cells $steps - 0 >"$plain" 2>&1 || fail "$(cat "$plain")"
    [ "$(bits "$scratch/out")" = "$(bits "$plain")" ] || fail "another result: $(told)"
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left"
    [ -z "$(pgrep -f "^$(program) ")" ] || fail "ranks are left: $(pgrep -fa "^$(program) ")"
}
# The process of a rank of MPI_COMM_WORLD.
process_of() {
    for process in $(pgrep -f "^$(program) "); do
        tr '\0' '\n' <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1\|PMI_RANK=$1" && echo "$process" && return
    done
}
stop_rank() {
    victim=$(process_of "$1")
    [ -n "$victim" ] || fail "there is no rank $1"
    kill -STOP "$victim"
}

stopped() {
    begin --nodes 2
    stop_rank 1
    until_said "no safe point is reached for [0-9]* s; rank 1 on $(hostname) (process $victim, stopped)"
    until_said "resumed at iteration [1-9]"
    ends_well
    grep -q "the launch is ended" "$scratch/err" || fail "$(told)"
}
a_rank_that_is_stopped_is_named_and_the_run_resumed() { for kind in $MPIS; do stopped; done; }

a_rank_that_goes_on_in_time_costs_nothing() {
    begin --nodes 2
    stop_rank 0
    until_said "rank 0 on $(hostname) (process $victim, stopped)"
    kill -CONT "$victim"
    until_said "the program goes on"
    ends_well
    grep -q " 0 crashes" "$scratch/err" || fail "it crashed: $(told)"
}

a_run_that_hangs_again_and_again_ends_with_124() {
    begin --nodes 1 --retries 0
    stop_rank 0
    ends
    [ "$status" = 124 ] || fail "$(told)"
    begin --nodes 1 # what was done is not lost
    until_said "resumed at iteration [1-9]"
    ends_well
}

a_launcher_that_does_not_end_is_ended() {
    printf '#!/bin/sh\nmpiexec.%s "$@"\nsleep 1000\n' "$kind" >"$scratch/launcher"
    chmod +x "$scratch/launcher"
    begin --nodes 1 --mpiexec "$scratch/launcher"
    ends_well
    grep -q "all ranks have closed, but the program does not end" "$scratch/err" || fail "$(told)"
    grep -q "the run is complete" "$scratch/err" || fail "$(told)"
}

# begin_leaving COMMAND: the one rank starts it in the background.
begin_leaving() {
    printf '#!/bin/sh\n%s &\nexec "$@"\n' "$1" >"$scratch/leaves"
    printf '#!/bin/sh\nshift 2\nexec mpiexec.%s -n 1 "%s" "$@"\n' "$kind" "$scratch/leaves" >"$scratch/launcher"
    chmod +x "$scratch/launcher" "$scratch/leaves"
    begin --nodes 1 --mpiexec "$scratch/launcher"
}

# What it leaves holds its output: both launchers would wait for its end.
leaves() {
    long=3457.$$
    begin_leaving "sleep $long"
    left=$(pgrep -f "^sleep $long\$")
    ends_well
    grep -q "the program is done, but its launcher waits: process $left (sleep), which it left behind" "$scratch/err" || fail "$(told)"
    grep -q "process $left (sleep) is ended" "$scratch/err" || fail "it was not ended: $(told)"
    ! grep -q "does not end\|the launcher ended with" "$scratch/err" || fail "the launcher did not end in order: $(told)"
    [ -z "$(pgrep -f "^sleep $long\$")" ] || fail "it is left"
}
a_process_that_a_rank_leaves_behind_is_named_and_ended() { for kind in $MPIS; do leaves; done; }

# A supervisor that is killed takes its launcher along, and the launcher its ranks: but for those that hear of it too late.
what_a_killed_supervisor_left_is_ended() {
    long=3458.$$
    begin_leaving "setsid sleep $long </dev/null >/dev/null 2>&1"
    kill -9 "$(pgrep -P $run -x parcast)"
    ends
    [ -n "$(pgrep -f "^sleep $long\$")" ] || fail "nothing was left: $(told)"
    begin --nodes 1
    until_said "resumed at iteration [1-9]"
    [ -z "$(pgrep -f "^sleep $long\$")" ] || fail "it is left"
    ends_well
}

a_rank_on_another_node_is_named_with_it() {
    case " $MPIS " in *" openmpi "*) kind=openmpi ;; *) skip "no Open MPI" ;; esac
    [ -z "$(nodes_missing)" ] || skip "$(nodes_missing)"
    for number in 2 3; do [ -e "$scratch/node$number.up" ] || node_start $number; done
    printf '127.0.0.2\n127.0.0.3\n' >"$scratch/hosts"
    begin --allocator "hosts:$scratch/hosts" --shell "$scratch/agent" --nodes 2 "$@"
    stop_rank 1
    until_said "rank 1 on 127.0.0.3 (process [0-9]*, stopped)"
    until_said "resumed at iteration [1-9]"
    ends_well
}
a_rank_on_another_node_is_named_where_checkpoints_lie_on_a_disk() {
    a_rank_on_another_node_is_named_with_it --checkpoints "$scratch/disk"
}

# What hangs is waited for.
[ -n "${PARCAST_LONG_TESTS:-}" ] || {
    MPIS=$kind
    run a_rank_that_is_stopped_is_named_and_the_run_resumed a_process_that_a_rank_leaves_behind_is_named_and_ended \
        what_a_killed_supervisor_left_is_ended
    exit
}
run a_rank_that_is_stopped_is_named_and_the_run_resumed a_rank_that_goes_on_in_time_costs_nothing \
    a_run_that_hangs_again_and_again_ends_with_124 a_launcher_that_does_not_end_is_ended \
    a_process_that_a_rank_leaves_behind_is_named_and_ended what_a_killed_supervisor_left_is_ended \
    a_rank_on_another_node_is_named_with_it a_rank_on_another_node_is_named_where_checkpoints_lie_on_a_disk
