#!/bin/sh
# parcast replay: formats, options, outputs and exit statuses.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$scratch" || exit 1
cat >cluster.yaml <<'YAML'
schema: parcast.platform/1
nodes: [{type: a, count: 2, cores: 2, flop_rate: 1e6}]
network: {topology: star, link_latency: 1e-3, bandwidth: 1e6, loggops: {L: 1 us, o: 1 us, g: 1 us, G: 1 ns}}
shared_memory: {latency: 0, bandwidth: 1e9}
YAML
printf '0 compute 1e6\n0 send 1 0 100000\n1 recv 0 0 100000\n' >two.ti
printf '# a list\ntwo.ti\n' >list.txt
printf 'num_ranks 2\nrank 0 {\nsend 10b to 1\n}\nrank 1 {\nrecv 10b from 0\n}\n' >two.goal

# run STATUS ARG...: parcast replay ARG... ends with STATUS.
replay() {
    wanted=$1
    shift
    "$PARCAST" replay "$@" >out 2>err && status=0 || status=$?
    [ $status = "$wanted" ] || fail "replay $*: exit status $status, not $wanted: $(cat err)"
}
has() { grep -qF -- "$2" "$1" || fail "$1 lacks '$2': $(cat "$1")"; }

json_has_times_and_counts() {
    replay 0 two.ti --on cluster.yaml --place spread --json
    has out '"schema": "parcast.replay/1"'
    has out '"time_s": 1.10'
    has out '"messages": 1'
}
placement_decides_what_a_message_crosses() {
    replay 0 two.ti --on cluster.yaml --json
    has out '"time_s": 1.0001'
}
a_list_of_files_is_one_trace() {
    replay 0 list.txt --on cluster.yaml --place spread --json
    has out '"time_s": 1.10'
}
what_ifs_scale() {
    replay 0 two.ti --on cluster.yaml --place spread --scale-speed 2 --ideal-network --json
    has out '"time_s": 0.5'
    replay 0 two.ti --on cluster.yaml --place spread --scale-bandwidth 0.1 --json
    has out '"time_s": 2.00'
}
goal_programs_run_on_loggops() {
    replay 0 two.goal --loggops L=1000,o=500,g=100,G=1 --json
    has out '"time_s": 2.009'
    replay 0 two.goal --on cluster.yaml --network loggops
    has out 'simulated: 1 messages'
    replay 1 two.goal --on cluster.yaml
    has err '--loggops'
}
wrong_options_are_named() {
    replay 2 two.ti
    has err 'give a platform'
    replay 2 two.ti --on cluster.yaml --network wires
    has err "'wires'"
    replay 2 two.ti --loggops L=1
    has err 'needs L, o, g and G'
    replay 2 two.ti --on cluster.yaml --collective bcast=magic
    has err 'binomial'
    replay 2 two.ti --on cluster.yaml --collectives other
    has err 'openmpi'
    replay 2 two.ti --on cluster.yaml --scale-speed 0
    has err 'above 0'
}
bad_traces_are_refused_with_their_line() {
    printf '0 compute 1\n0 recv 1 0 5\n1 compute 1\n' >stuck.ti
    replay 3 stuck.ti --on cluster.yaml
    has err 'deadlock: rank 0 waits in recv (line 2)'
    printf '0 compute x\n' >bad.ti
    replay 3 bad.ti --on cluster.yaml
    has err 'bad.ti:1:'
    replay 1 missing.ti --on cluster.yaml
    has err "cannot open 'missing.ti'"
}
run json_has_times_and_counts placement_decides_what_a_message_crosses a_list_of_files_is_one_trace what_ifs_scale \
    goal_programs_run_on_loggops wrong_options_are_named bad_traces_are_refused_with_their_line
