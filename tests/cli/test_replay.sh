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
}
json_has_the_critical_path_and_what_was_asked_for() {
    replay 0 two.ti --on cluster.yaml --place spread --json
    has out '"shared_links_s": 0'
    if grep -q '"matrix"' out; then fail "a matrix that nobody asked for"; fi
    replay 0 two.ti --on cluster.yaml --place spread --what-if --matrix --timeline line.json --json
    # 1 s of computing, 0.1 of transfer, 0.002 of latency
    python_says 'j["critical_path"]["compute_s"] == 1 and abs(j["critical_path"]["transfer_s"] - 0.1) < 1e-9'
    python_says '[o["name"] for o in j["critical_path"]["operations"]] == ["point to point"]'
    python_says 'j["critical_path"]["rank"] == 1 and j["ranks"][1]["waiting_s"] == 1'
    python_says 'j["matrix"] == [dict(source=0, destination=1, messages=1, bytes=100000)]'
    python_says 'abs(w["nodes twice as fast"]["time_s"] - 0.602) < 1e-9'
    python_says 'abs(w["network twice as fast"]["time_s"] - 1.051) < 1e-9 and abs(w["no latency"]["time_s"] - 1.1) < 1e-9'
    python_says 'w["ideal network"]["time_s"] == 1'
    python_says 'all(abs(x["saving_ratio"] - x["path_saving_ratio"]) < 1e-9 for x in w.values())'
    python_says 'len(__import__("json").load(open("line.json"))["traceEvents"]) >= j["timeline"]["states"] > 1'
}
# The JSON object is j, what_if by name w.
python_says() {
    python3 -c "import json; j = json.load(open('out')); w = {x['name']: x for x in j.get('what_if', [])}; assert $1" ||
        fail "not so: $1: $(cat out)"
}
tables_show_path_what_ifs_and_matrix() {
    replay 0 two.ti --on cluster.yaml --place spread --what-if --matrix --timeline line.paje
    has out 'critical path'
    has out 'It ends on rank 1 and goes over 1 message.'
    has out 'in point to point'
    has out 'nodes twice as fast'
    has out '100 K'
    has out 'Timeline: line.paje'
    grep -q '^%EventDef' line.paje || fail "line.paje is no Paje: $(head -3 line.paje)"
}
iterations_are_found_on_request() {
    for _ in 1 2 3 4 5; do printf '0 compute 1e5\n1 compute 2e5\n0 send 1 0 10\n1 recv 0 0 10\n0 barrier\n1 barrier\n'; done >loop.ti
    replay 0 loop.ti --on cluster.yaml --phases
    has out 'iteration 4'
    replay 0 loop.ti --on cluster.yaml --phases --json
    python_says 'sum(p["iteration"] for p in j["phases"]) == len(j["phases"]) >= 5'
    python_says 'abs(sum(p["time_s"] for p in j["phases"]) - sum(r["end_s"] for r in j["ranks"]) / 2) < 1e-9'
    replay 0 loop.ti --on cluster.yaml --json
    python_says 'j["phases"] == []'
}
a_timeline_leaves_out_what_it_is_told_to() {
    replay 0 two.ti --on cluster.yaml --place spread --timeline line.json --ranks 1 --json
    python_says 'j["timeline"]["messages"] == 0 and j["timeline"]["states"] == 1'
    replay 0 two.ti --on cluster.yaml --place spread --timeline line.json --least 0.5 --no-messages --json
    python_says 'j["timeline"]["messages"] == 0 and j["timeline"]["states"] == 2'
    has err '1 of 3 states were left out'
    replay 0 two.ti --on cluster.yaml --place spread --timeline line.json --from 1.05 --json
    has err '1 of 3'
    grep -q '"a 1"' line.json || fail "nodes have no names: $(cat line.json)"
}
goal_programs_have_a_path_too() {
    replay 0 two.goal --loggops L=1000,o=500,g=100,G=1 --what-if --json
    python_says 'abs(j["critical_path"]["latency_s"] - 1e-6) < 1e-15 and abs(j["critical_path"]["overhead_s"] - 1e-6) < 1e-15'
    python_says 'w["ideal network"]["time_s"] == 0 and "nodes twice as fast" not in w'
}
goal_programs_over_links_have_a_path_a_matrix_and_a_timeline() {
    replay 0 two.goal --on cluster.yaml --place spread --matrix --phases --timeline line.json --json
    has err 'no calls among which --phases'
    python_says 'abs(sum(v for k, v in j["critical_path"].items() if k.endswith("_s")) - j["time_s"]) < 1e-12'
    python_says 'j["matrix"] == [{"source": 0, "destination": 1, "messages": 1, "bytes": 10}]'
    python_says 'j["phases"] == [] and j["timeline"]["messages"] == 1 and j["collectives"] is None'
    python3 -c 'import json; json.load(open("line.json"))' || fail "the timeline is no JSON"
    printf 'num_ranks 2\nrank 0 {\nsend 10b to 1 tag 3\n}\nrank 1 {\nrecv 10b from 0 tag 4\n}\n' >tags.goal
    replay 3 tags.goal --on cluster.yaml
    has err 'rank 1 waits in recv 10b from rank 0 tag 4 (line 6)'
    printf 'num_ranks 2\nrank 0 {\nsend 10b to 1 tag 3\n}\n' >left.goal
    replay 3 left.goal --on cluster.yaml
    has err 'from rank 0 to rank 1: 10 bytes, tag 3 (line 3)'
    head -c 60 two.goal >cut.goal
    replay 3 cut.goal --on cluster.yaml
}
a_failed_replay_leaves_no_timeline() {
    printf '0 compute 1\n0 recv 1 0 5\n1 compute 1\n' >stuck.ti
    replay 3 stuck.ti --on cluster.yaml --timeline gone.json
    [ ! -e gone.json ] || fail "gone.json is there"
    replay 2 two.ti --on cluster.yaml --timeline line.png
    has err '.paje'
    replay 2 two.ti --on cluster.yaml --timeline line.json --ranks 2
    has err 'ranks 0 to 1'
    replay 2 two.ti --on cluster.yaml --least 1
    has err 'belong to --timeline'
    replay 1 two.ti --on cluster.yaml --timeline missing/line.json
    has err 'missing/line.json'
    if [ -w /dev/full ]; then
        ln -s /dev/full full.json
        replay 1 two.ti --on cluster.yaml --timeline full.json
        [ -c /dev/full ] || fail "/dev/full is gone"
    fi
}
goal_programs_run_over_links() {
    replay 0 two.goal --on cluster.yaml --place spread --json
    has out '"time_s": 0.00201'
    python_says 'abs(j["critical_path"]["latency_s"] - 0.002) < 1e-12'
    printf 'num_ranks 2\nrank 0 {\na: calc 1000000\nsend 10b to 1\n}\nrank 1 {\nrecv 10b from 0 tag 3\n}\n' >stuck.goal
    replay 3 stuck.goal --on cluster.yaml --place spread
    has err 'rank 1 waits in recv 10b from rank 0 tag 3 (line 7)'
}
a_file_of_rules_chooses_algorithms() {
    printf '0 bcast 1000\n1 bcast 1000\n' >bcast.ti
    printf 'bcast * 10 binomial\nbcast * * split_binary\n' >own.rules
    replay 0 bcast.ti --on cluster.yaml --place spread --collectives own.rules --json
    has out '"messages": 2' # two halves
    replay 0 bcast.ti --on cluster.yaml --place spread --collective bcast=binomial --json
    has out '"messages": 1'
    printf 'bcast * * magic\n' >own.rules
    replay 3 bcast.ti --on cluster.yaml --collectives own.rules
    has err "own.rules:1: the collective has no algorithm 'magic'"
    replay 2 bcast.ti --on cluster.yaml --collectives nowhere.rules
    has err "no table of collectives 'nowhere.rules', and no such file"
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
    has err 'missing.ti: cannot open the trace'
}
run json_has_times_and_counts placement_decides_what_a_message_crosses a_list_of_files_is_one_trace what_ifs_scale \
    goal_programs_run_on_loggops json_has_the_critical_path_and_what_was_asked_for tables_show_path_what_ifs_and_matrix \
    iterations_are_found_on_request a_timeline_leaves_out_what_it_is_told_to goal_programs_have_a_path_too goal_programs_over_links_have_a_path_a_matrix_and_a_timeline a_failed_replay_leaves_no_timeline \
    goal_programs_run_over_links a_file_of_rules_chooses_algorithms wrong_options_are_named bad_traces_are_refused_with_their_line
