#!/bin/sh
# parcast run on a real Slurm: grows by companion jobs and gives nodes back, with the result of an undisturbed run.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/allocator/slurm.sh
. "$SOURCE/tests/allocator/slurm.sh"
program=$BUILD/examples/elastic_jacobi.openmpi

[ "$(id -u)" = 0 ] || skip "a Slurm of its own needs root"
[ -z "$(slurm_missing)" ] || skip "$(slurm_missing) is missing (Debian: slurmctld, slurmd, slurm-client, munge)"
[ -x "$program" ] || skip "no Open MPI"
slurm_start 4 || { cat "$slurm"/*.out "$slurm"/*.log 2>/dev/null | tail -n 40; fail "no Slurm came up"; }
# All nodes are this machine: equal host names mislead Open MPI's shared memory.
export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

bits() { sed -n 's/.*: bits \([0-9a-f]*\),.*: correct$/\1/p' "$1"; }
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
run_on_slurm() {
    timeout 80 "$PARCAST" run -s "$scratch/$1.parcast" --allocator slurm --nodes 1-3 --ranks-per-node 1 --json \
        --schedule "$2" -- "$program" 61 1000 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
}

a_run_grows_and_shrinks_by_companion_jobs() {
    mpiexec.openmpi -n 1 "$program" 61 1000 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    run_on_slurm moves 0:2,200:3,600:1
    [ "$status" = 0 ] || fail "$(told)"
    [ "$(bits "$scratch/err")" = "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    [ "$(grep -c '"pause_s"' "$scratch/out")" = 2 ] || fail "not two moves: $(told)"
    tries=0
    until [ -z "$(squeue -h -t RUNNING)" ]; do
        tries=$((tries + 1))
        [ $tries -le 50 ] || fail "jobs are left: $(squeue)"
        sleep 0.1
    done
}

run a_run_grows_and_shrinks_by_companion_jobs
