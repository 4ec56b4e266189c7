# Nodes on this machine that can die: each has its own host name, processes and memory file system. Node N is reached
# as 127.0.0.N and calls itself nodeN. Sourced; needs $scratch and lib.sh.
# shellcheck shell=sh

# Why there can be none; nothing if there can.
nodes_missing() {
    [ "$(id -u)" = 0 ] || { echo "nodes of its own need root"; return; }
    unshare --uts --mount --pid --fork true 2>/dev/null || echo "no right to make name spaces"
}

# shellcheck disable=SC2016,SC2154 # for the shell inside; $scratch is of lib.sh
node_start() {
    rm -f "$scratch/node$1.pid" "$scratch/node$1.deaf"
    # Where its child is killed it tries to die as that did, and complains that SIGKILL cannot be unblocked.
    unshare --uts --mount --pid --fork --mount-proc sh -c '
        hostname "node$1" && mount -t tmpfs -o size=64m tmpfs /dev/shm && : >"$2/node$1.up" && exec sleep 1000' sh "$1" "$scratch" 2>"$scratch/node$1.said" &
    echo $! >"$scratch/node$1.unshare"
    for _ in $(seq 500); do [ -e "$scratch/node$1.up" ] && break; sleep 0.01; done
    pgrep -P "$(cat "$scratch/node$1.unshare")" >"$scratch/node$1.pid" || fail "node $1 does not come up: $(cat "$scratch/node$1.said")"
}
# All processes of the node die at once.
node_kill() {
    kill -9 "$(cat "$scratch/node$1.pid")"
    rm -f "$scratch/node$1.up"
}
# It neither answers nor dies: what runs there is stopped, and what is started there never begins.
node_freeze() {
    : >"$scratch/node$1.deaf"
    nsenter -t "$(cat "$scratch/node$1.pid")" -p -m sh -c 'kill -STOP -1'
}
nodes_stop() {
    for file in "$scratch"/node*.pid; do
        [ ! -s "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null || true
    done
}

# nodes_start N...: makes the nodes and $scratch/agent, which reaches them.
nodes_start() {
    trap 'nodes_stop; rm -rf "$scratch"' EXIT
    cat >"$scratch/agent" <<END
#!/bin/sh
# AGENT [-OPTION]... HOST COMMAND...
while case \$1 in -*) true ;; *) false ;; esac; do shift; done
node=\${1##*.}
shift
[ ! -e "$scratch/node\$node.deaf" ] || exec sleep 1000
[ -e "$scratch/node\$node.up" ] || { echo "no route to node\$node" >&2; exit 255; }
exec nsenter -t "\$(cat "$scratch/node\$node.pid")" -u -m -p sh -c "\$*"
END
    chmod +x "$scratch/agent"
    for number in "$@"; do node_start "$number"; done
    # All nodes have one network: Open MPI must not take it for several.
    export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
}
