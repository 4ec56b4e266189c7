# A Slurm of its own on this machine: several slurmd, no systemd, no database. Sourced; needs $scratch and lib.sh.
# slurm_start N: nodes n1..nN with two cores each; sets SLURM_CONF, leaves pid files in $slurm.
# shellcheck shell=sh

slurm_missing() {
    for tool in slurmctld slurmd munged srun salloc squeue sinfo scancel; do
        command -v $tool >/dev/null || { echo $tool; return; }
    done
}

slurm_configuration() {
    host=$(hostname)
    cat <<END
ClusterName=parcast
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$slurm_port
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$slurm/munge.socket
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
SlurmdSpoolDir=$slurm/spool.%n
StateSaveLocation=$slurm/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmUser=root
SlurmdUser=root
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
KillWait=4
AccountingStorageType=accounting_storage/none
SchedulerParameters=bf_interval=2,sched_interval=2
END
    i=1
    while [ $i -le "$1" ]; do
        echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((slurm_port + i)) CPUs=2 RealMemory=500 State=UNKNOWN"
        i=$((i + 1))
    done
    echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
}

# Only processes that were started here, by the numbers that they wrote down.
slurm_stop() {
    for file in "$slurm"/slurmd.*.pid "$slurm"/slurmctld.pid "$slurm"/munged.pid; do
        [ ! -s "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null || true
    done
}

slurm_wait() {
    tries=0
    until sinfo -h -o '%T %D' 2>/dev/null | grep -qx "idle $1"; do
        tries=$((tries + 1))
        [ $tries -le 600 ] || return 1
        sleep 0.1
    done
}

# Below those that the kernel gives away itself, and nobody's now.
slurm_ports_are_free() {
    for port in $(seq "$slurm_port" $((slurm_port + $1))); do
        ! grep -qi "^ *[0-9]*: [0-9A-F]*:$(printf %04x "$port") " /proc/net/tcp /proc/net/tcp6 2>/dev/null || return 1
    done
}

slurm_start() {
    # shellcheck disable=SC2154 # of lib.sh
    slurm=$scratch/slurm
    slurm_port=$((20000 + $$ % 12000))
    until slurm_ports_are_free "$1"; do slurm_port=$((slurm_port + $1 + 1)); done
    mkdir -p "$slurm/state"
    chmod 755 "$scratch" "$slurm"
    trap 'slurm_stop; rm -rf "$scratch"' EXIT
    export SLURM_CONF="$slurm/slurm.conf"
    slurm_configuration "$1" >"$SLURM_CONF"
    printf 'CgroupAutomount=no\nConstrainCores=no\n' >"$slurm/cgroup.conf"
    dd if=/dev/urandom of="$slurm/munge.key" bs=1024 count=1 2>/dev/null
    chmod 400 "$slurm/munge.key"
    munged --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" --pid-file="$slurm/munged.pid" \
        --log-file="$slurm/munged.log" --seed-file="$slurm/munged.seed" >"$slurm/munged.out" 2>&1 || return 1
    slurmctld -c >"$slurm/slurmctld.out" 2>&1 || return 1
    i=1
    while [ $i -le "$1" ]; do
        slurmd -N "n$i" >"$slurm/slurmd.n$i.out" 2>&1 || return 1
        i=$((i + 1))
    done
    slurm_wait "$1"
}
