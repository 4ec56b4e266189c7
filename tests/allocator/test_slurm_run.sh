#!/bin/sh
# parcast run on a real Slurm: grows by companion jobs and gives nodes back, with the result of an undisturbed run.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/allocator/slurm.sh
. "$SOURCE/tests/allocator/slurm.sh"
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"
paced=$BUILD/tests/elastic_paced.openmpi
program=$BUILD/examples/elastic_jacobi.openmpi

[ "$(id -u)" = 0 ] || skip "a Slurm of its own needs root"
[ -z "$(slurm_missing)" ] || skip "$(slurm_missing) is missing (Debian: slurmctld, slurmd, slurm-client, munge)"
[ -x "$program" ] || skip "no Open MPI"
slurm_start 4 || { cat "$slurm"/*.out "$slurm"/*.log 2>/dev/null | tail -n 40; fail "no Slurm came up"; }
# All nodes are this machine: equal host names mislead Open MPI's shared memory.
export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

bits() { sed -n 's/.*: bits \([0-9a-f]*\),.*: correct$/\1/p' "$1"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
run_on_slurm() {
    timeout 250 "$PARCAST" run -s "$scratch/$1.parcast" --allocator slurm --nodes 1-3 --ranks-per-node 1 --json \
        --schedule "$2" -- "$program" 61 1000 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
}

a_run_grows_and_shrinks_by_companion_jobs() {
    mpiexec.openmpi -n 1 "$program" 61 1000 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    run_on_slurm moves 0:2,200:3,600:1
    [ "$status" = 0 ] || fail "$(told)"
    [ "$(bits "$scratch/err")" = "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    [ "$(grep -c '"pause_s"' "$scratch/out")" = 2 ] || fail "not two moves: $(told)"
    # The moves were ordered: nothing of Slurm or the second copies is worth a word. All nodes have the name of this machine.
    ! grep -v "second copy.*: there is no other node;" "$scratch/err" | grep "warning\|srun: \|slurmstepd\|cannot reach" ||
        fail "it complains: $(told)"
    no_job_is_left
}

no_job_is_left() {
    tries=0
    until [ -z "$(squeue -h -t RUNNING,PENDING)" ]; do
        tries=$((tries + 1))
        [ $tries -le 600 ] || fail "jobs are left: $(squeue)"
        sleep 0.1
    done
}

# begin NAME NODES ARG...: a run in the background, until it has written two checkpoints; it lasts until the gate is open.
begin() {
    study=$scratch/$1.parcast nodes=$2
    shift 2
    shut_gate
    timeout 300 "$PARCAST" run -s "$study" --allocator slurm --nodes "1-$nodes" --ranks-per-node 1 --schedule "0:$nodes" \
        --checkpoints "$scratch/disk" --checkpoint-every 100ms "$@" -- "$paced" $cells $steps "$gate" $pace_ms \
        >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
    until_committed 2
}
ends_well() { # RANKS [JOB OF ANOTHER]
    open_gate
    wait $run && status=0 || status=$?
    [ "$status" = 0 ] || fail "it failed: $(told)"
    [ -s "$scratch/longer" ] || mpiexec.openmpi -n 1 "$paced" $cells $steps - 0 >"$scratch/longer" || fail "$(cat "$scratch/longer")"
    [ "$(bits "$scratch/out")" = "$(bits "$scratch/longer")" ] || fail "another result: $(told)"
    grep -q "ended on $1 ranks" "$scratch/out" || fail "not on $1 nodes: $(told)"
    [ -z "${2:-}" ] || scancel "$2"
    no_job_is_left
}

# A node is free and takes the place of the one whose job is gone. It may be the same again, so quickly that what runs there
# lives on; else the run is resumed.
has_three_jobs() { [ "$(grep -c "note: node .* as job" "$scratch/err")" -ge 3 ]; }
a_companion_job_that_is_cancelled_from_outside_is_replaced() {
    begin cancelled 2
    scancel "$(squeue -h -t RUNNING -o %A | sort -n | tail -n 1)"
    until_said "its job has ended\|is gone"
    until_true has_three_jobs || fail "no other job: $(told)"
    until_runs_on 2
    ends_well 2
    ! grep -q "begins anew\|resumed at iteration 0" "$scratch/err" || fail "it began anew: $(told)"
}

# All four nodes but one are another's: the run begins with what there is, and does not wait for ever.
a_job_that_the_queue_never_starts_does_not_hold_the_run_up() {
    other=$(salloc --no-shell --exclusive -N2 2>&1 | sed -n 's/.*Granted job allocation //p')
    begin queue 3
    ends_well 2 "$other"
}

# A node dies whole: its daemon and what our jobs have started on it.
a_node_that_dies_is_left_and_another_taken() {
    begin killed 3
    victim=$(squeue -h -t RUNNING -o %N | sort | tail -n 1)
    kill -9 "$(cat "$slurm/slurmd.$victim.pid")"
    for file in $(grep -lz "^SLURMD_NODENAME=$victim\$" /proc/[0-9]*/environ 2>/dev/null); do
        pid=${file#/proc/}
        grep -qz "^SLURM_CONF=$SLURM_CONF\$" "$file" 2>/dev/null && kill -9 "${pid%/environ}" 2>/dev/null || true
    done
    until_said "resumed at iteration [1-9]"
    until_said "note: node n4 with"
    ends_well "[23]" # the third may come too late
    grep -q "node $victim is gone\|node $victim: " "$scratch/err" || fail "$victim was not named: $(told)"
}

# Its jobs go with it, and the same command goes on from the last checkpoint.
a_second_run_goes_on_where_a_killed_supervisor_was() {
    begin killed-run 2
    kill -9 "$(pgrep -P $run -x parcast)"
    wait $run && status=0 || status=$?
    [ "$status" = 137 ] || fail "it was not killed: $(told)"
    no_job_is_left
    begin killed-run 2
    until_said "resumed at iteration [1-9]"
    ends_well "[12]"
}

# The daemon alone: its node goes down for Slurm, which ends what runs there after a while.
a_daemon_of_slurm_that_dies_costs_its_node() {
    begin daemon 2
    victim=$(squeue -h -t RUNNING -o %N | sort | tail -n 1)
    kill -9 "$(cat "$slurm/slurmd.$victim.pid")"
    until_said "resumed at iteration [1-9]"
    ends_well "[12]"
    grep -q "node $victim is gone\|node $victim: " "$scratch/err" || fail "$victim was not named: $(told)"
    slurmd -N "$victim" >"$slurm/slurmd.$victim.out" 2>&1 || fail "the daemon does not come back"
    slurm_wait 4 || fail "the node does not come back: $(sinfo)"
}

# Slurm takes its time with each: what takes a minute is left to those who have it.
[ -n "${PARCAST_LONG_TESTS:-}" ] || {
    run a_run_grows_and_shrinks_by_companion_jobs a_node_that_dies_is_left_and_another_taken
    exit
}
run a_run_grows_and_shrinks_by_companion_jobs a_companion_job_that_is_cancelled_from_outside_is_replaced \
    a_second_run_goes_on_where_a_killed_supervisor_was a_daemon_of_slurm_that_dies_costs_its_node \
    a_job_that_the_queue_never_starts_does_not_hold_the_run_up a_node_that_dies_is_left_and_another_taken
