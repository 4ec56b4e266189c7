#!/bin/sh
# The allocator `slurm` on a real Slurm.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
# shellcheck source=tests/allocator/slurm.sh
. "$SOURCE/tests/allocator/slurm.sh"

[ "$(id -u)" = 0 ] || skip "a Slurm of its own needs root"
[ -z "$(slurm_missing)" ] || skip "$(slurm_missing) is missing (Debian: slurmctld, slurmd, slurm-client, munge)"
slurm_start 4 || { cat "$slurm"/*.out "$slurm"/*.log 2>/dev/null | tail -n 40; fail "no Slurm came up"; }
SLURM_PIDS=$slurm timeout 500 "$TEST_SLURM"
status=$?
[ $status = 0 ] || tail -n 20 "$slurm"/slurmctld.log
exit $status
