#!/bin/sh
# A run moves between nodes: host names tell them apart, and pieces travel by the servers. Nodes are names here
# (127.0.0.N is called nodeN), so that a name space for host names is enough.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
program=$BUILD/examples/elastic_jacobi.openmpi

cat >"$scratch/agent" <<'END'
#!/bin/sh
# AGENT [-OPTION]... HOST COMMAND...
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
exec unshare --uts sh -c 'hostname "node${0##*.}" && exec sh -c "$*"' "$host" "$@"
END
chmod +x "$scratch/agent"

needs() {
    case " $MPIS " in *" openmpi "*) ;; *) skip "no Open MPI" ;; esac
    unshare --uts true 2>/dev/null || skip "no right to name a node: unshare --uts needs root"
}
bits() { sed -n 's/.*: bits \([0-9a-f]*\),.*: correct$/\1/p' "$1"; }
on_hosts() {
    OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo timeout 250 \
        "$BUILD/tests/supervise_hosts" "$scratch/run" "$scratch/agent" "$@" >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
}
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }

pieces_travel_between_nodes() {
    needs
    mpiexec.openmpi -n 1 "$program" 61 80 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    on_hosts 0:2:2,30:3:10,60:1:2 "$program" 61 80
    [ "$status" = 0 ] || fail "$(told)"
    [ "$(bits "$scratch/out")" = "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    # 61 rows of 61 doubles, all from other nodes.
    [ "$(grep -c 'event: .* 29768 bytes' "$scratch/err")" = 2 ] || fail "the pieces did not travel: $(told)"
    [ ! -e "$scratch/run" ] || fail "the directory of the run is left"
}

a_run_uses_hosts_that_a_file_names() {
    needs
    mpiexec.openmpi -n 1 "$program" 61 1000 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    printf '127.0.0.2\n127.0.0.3\n127.0.0.4\n' >"$scratch/hosts"
    OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo timeout 250 \
        "$PARCAST" run -s "$scratch/s.parcast" --allocator "hosts:$scratch/hosts" --shell "$scratch/agent" --nodes 1-3 --json \
        --schedule 0:2,200:3,600:1 -- "$program" 61 1000 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
    [ "$status" = 0 ] || fail "$(told)"
    [ "$(bits "$scratch/err")" = "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    # However long the hosts take to be ready, the moves are made where the schedule has them.
    [ "$(sed -n 's/.*"iteration": \([0-9]*\),.*/\1/p' "$scratch/out" | tr '\n' ' ')" = "200 600 " ] || fail "not these moves: $(told)"
}

a_node_that_cannot_be_reached_is_named() {
    needs
    printf '#!/bin/sh\nexit 1\n' >"$scratch/no-agent"
    chmod +x "$scratch/no-agent"
    timeout 250 "$BUILD/tests/supervise_hosts" "$scratch/run" "$scratch/no-agent" 0:2:2 "$program" 61 80 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
    [ "$status" = 1 ] || fail "$(told)"
    grep -q "127.0.0.2" "$scratch/err" || fail "$(told)"
}

run pieces_travel_between_nodes a_run_uses_hosts_that_a_file_names a_node_that_cannot_be_reached_is_named
