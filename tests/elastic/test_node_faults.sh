#!/bin/sh
# Nodes that die, freeze, are wanted back, or lose a daemon while a program runs on them: the run goes on from its last
# checkpoint with the others, and its result is the same to the last bit.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/elastic/nodes.sh
. "$SOURCE/tests/elastic/nodes.sh"
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"
copied=1
program=$BUILD/tests/elastic_paced.openmpi

case " $MPIS " in *" openmpi "*) ;; *) skip "no Open MPI" ;; esac
[ -z "$(nodes_missing)" ] || skip "$(nodes_missing)"
nodes_start

bits() { sed -n 's/.*: bits \([0-9a-f]*\),.*: correct$/\1/p' "$1"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
is_copied() { [ "$(journal | grep -c "on two nodes")" -ge "$copied" ] && journal | grep -q "running on"; }
# begin NAME ARG...: a run on three nodes, in the background, until a checkpoint lies on two; it lasts until the gate is open.
begin() {
    study=$scratch/$1.parcast
    shift
    for number in 2 3 4; do [ -e "$scratch/node$number.up" ] || node_start $number; done
    [ $# -gt 0 ] && schedule=$1 || schedule=0:3
    [ $# -eq 0 ] || shift
    printf '127.0.0.2\n127.0.0.3\n127.0.0.4\n' >"$scratch/hosts"
    shut_gate
    timeout 200 "$PARCAST" run -s "$study" --allocator "hosts:$scratch/hosts" --shell "$scratch/agent" --nodes 1-3 \
        --schedule "$schedule" --checkpoint-every 100ms "$@" -- "$program" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_true is_copied || fail "no checkpoint was copied: $(told)"
}
ends_well() { # RANKS
    open_gate
    wait $run && status=0 || status=$?
    [ "$status" = 0 ] || fail "it failed: $(told)"
    [ -s "$scratch/plain" ] || mpiexec.openmpi -n 1 "$program" $cells $steps - 0 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    [ "$(bits "$scratch/out")" = "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    grep -q "ended on $1 ranks" "$scratch/out" || fail "not on $1 nodes: $(told)"
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left"
}
# It did not begin anew.
resumes_on() { # NODES
    until_said "resumed at iteration [1-9]"
    until_runs_on "$1"
}

a_node_that_dies_is_named_and_the_run_goes_on_without_it() {
    begin dies
    node_kill 3
    resumes_on 2
    ends_well 2
    grep -q "node 127.0.0.3 is gone" "$scratch/err" || fail "$(told)"
    grep -q "second copies were taken" "$scratch/err" || fail "nothing was said: $(told)"
}

# The only node of the program: the second copy is on the disk.
the_only_node_that_dies_is_replaced() {
    begin only 0:1
    node_kill 2
    resumes_on 1
    ends_well 1
    grep -q "second copies were taken" "$scratch/err" || fail "nothing was said: $(told)"
}

# On a disk that all see there is one copy.
a_node_that_dies_does_not_concern_the_disk() {
    copied=0
    begin disk 0:3 --checkpoints "$scratch/disk"
    until_committed 2
    node_kill 4
    resumes_on 2
    ends_well 2
    ! grep -q "second copies" "$scratch/err" || fail "$(told)"
}

a_node_that_freezes_is_left_after_a_while() {
    begin freezes
    node_freeze 3
    resumes_on 2
    ends_well 2
    grep -q "127.0.0.3: no answer in time" "$scratch/err" || fail "$(told)"
    node_kill 3
}

a_node_that_leaves_the_list_is_left_without_a_crash() {
    begin leaves
    printf '127.0.0.2\n127.0.0.4\n' >"$scratch/hosts"
    until_said "127.0.0.3 has left the list"
    until_runs_on 2
    ends_well 2
    grep -q " 0 crashes" "$scratch/err" || fail "it crashed: $(told)"
    grep -q "from 3 nodes to 2 nodes.*: nodes are wanted back" "$scratch/err" || fail "another reason: $(told)"
}

# Another takes its place at once: nobody wished for that move.
a_node_that_is_replaced_is_named_as_the_reason() {
    begin replaced 0:2
    printf '127.0.0.2\n127.0.0.4\n' >"$scratch/hosts"
    until_said "from 2 nodes to 2 nodes"
    ends_well 2
    grep -q "from 2 nodes to 2 nodes.*: node 127.0.0.3 is wanted back" "$scratch/err" || fail "another reason: $(told)"
    ! grep -q "warning: .*out of reach" "$scratch/err" || fail "an ordered move warns: $(told)"
}

# The node is there, so the run stays on it.
a_killed_daemon_of_the_mpi_costs_no_node() {
    begin daemon
    nsenter -t "$(cat "$scratch/node3.pid")" -p -m pkill -9 -x orted || fail "there is no orted: $(told)"
    resumes_on 3
    ends_well 3
    grep -q " 1 crash" "$scratch/err" || fail "$(told)"
}

# Each takes ten seconds or more: Open MPI over three nodes is slow to come up, and what hangs is waited for.
[ -n "${PARCAST_LONG_TESTS:-}" ] || {
    run a_node_that_dies_is_named_and_the_run_goes_on_without_it
    exit
}
run a_node_that_dies_is_named_and_the_run_goes_on_without_it the_only_node_that_dies_is_replaced \
    a_node_that_dies_does_not_concern_the_disk a_node_that_freezes_is_left_after_a_while \
    a_node_that_leaves_the_list_is_left_without_a_crash a_node_that_is_replaced_is_named_as_the_reason a_killed_daemon_of_the_mpi_costs_no_node
