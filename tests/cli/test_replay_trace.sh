#!/bin/sh
# Programs are recorded with their events and replayed: every example, and programs that call all of MPI.
# From CMake besides what lib.sh takes: MPIS; PROGRAMS and EXAMPLES, folders of MPI programs.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$scratch" || exit 1
[ -n "$MPIS" ] || { echo "no MPI is installed: nothing to record"; exit 77; }
first=${MPIS%% *}
cat >here.yaml <<'YAML'
schema: parcast.platform/1
nodes: [{type: here, count: 1, cores: 8}]
network: {topology: star, latency: 50 us, bandwidth: 1 Gbit/s}
shared_memory: {latency: 1 us, bandwidth: 4 GB/s}
YAML

# recorded NAME RANKS PROGRAM [ARG]...: NAME.parcast and NAME.run1.trace
recorded() {
    name=$1 ranks=$2
    shift 2
    rm -f "$name".*
    timeout 120 "$PARCAST" record -q --trace -s "$name.parcast" -n "$ranks" -- "$@" >out 2>err </dev/null ||
        fail "record $* on $ranks ranks: $(cat err)"
}
# replay STATUS ARG...: parcast replay ARG... ends with STATUS.
replay() {
    wanted=$1
    shift
    "$PARCAST" replay "$@" >out 2>err && status=0 || status=$?
    [ $status = "$wanted" ] || fail "replay $*: exit status $status, not $wanted: $(cat err)"
}
says() { grep -qF -- "$1" err || fail "the messages do not say '$1': $(cat err)"; }

# Every rank computes as long as it did, and ends later than that.
computes_as_recorded() {
    "$PARCAST" dump --json "$1.run1.trace" >trace.json
    replay 0 "$1.parcast" --on here.yaml --json
    python3 - "$1" <<'END' || fail "$1: $(cat err)"
import json, sys
trace, result = json.load(open("trace.json")), json.load(open("out"))
computed = [0.0] * len(result["ranks"])
for event in trace["events"]: computed[event["rank"]] += event["compute_s"]
for rank, was in zip(result["ranks"], computed):
    assert was > 0 and abs(rank["compute_s"] - was) <= 1e-6 * was, (rank, was)
    assert rank["end_s"] >= rank["compute_s"]
assert result["time_s"] == max(r["end_s"] for r in result["ranks"])
END
}

examples_compute_as_they_did_when_they_were_recorded() {
    [ -d "$EXAMPLES" ] || skip "the examples are not built here"
    for example in "heat2d 64 40" "cg 211 30 2" "sort 20011 3" "lu 61 4" "kmeans 1009 7 6" "stencil3d 11 12 3"; do
        # shellcheck disable=SC2086 # words
        set -- $example
        program=$EXAMPLES/$1.$first
        shift
        for ranks in 2 4; do
            recorded example $ranks "$program" "$@"
            computes_as_recorded example
        done
    done
}

# They draw from nearly all of MPI; what they compute is what they wait between.
programs_that_call_most_of_mpi_are_replayed() {
    for kind in $MPIS; do
        for ranks in 2 3; do
            recorded log $ranks "$PROGRAMS/selflog.$kind" $ranks $((600 / ranks / ranks / ranks))
            computes_as_recorded log
        done
    done
}

a_trace_and_its_study_are_replayed_alike() {
    recorded alike 2 "$PROGRAMS/endings.$first" none
    replay 0 alike.parcast --on here.yaml --json
    says 'run 1'
    python3 -c 'import json; print(json.load(open("out"))["ranks"])' >study
    replay 0 alike.run1.trace --on here.yaml --json
    python3 -c 'import json; print(json.load(open("out"))["ranks"])' >trace
    cmp -s study trace || fail "$(cat study trace)"
    replay 0 alike.run1.trace --loggops L=1000,o=500,g=100,G=1,S=65536
}

# chosen TABLE BY WITH: what the last replay says of its collectives.
chosen() {
    python3 - "$@" <<'END' || fail "collectives are not $*: $(cat out)"
import json, sys
c = json.load(open("out"))["collectives"]
assert c["table"] == sys.argv[1] and c["chosen_by"] == sys.argv[2] and c["recorded_with"].startswith(sys.argv[3]), c
END
}
collectives_are_those_of_the_library_that_recorded() {
    for kind in $MPIS; do
        recorded library 2 "$PROGRAMS/endings.$kind" none
        case $kind in
        openmpi) name='Open MPI' table=openmpi other=mpich ;;
        *) name=MPICH table=mpich other=openmpi ;;
        esac
        for trace in library.parcast library.run1.trace; do
            replay 0 $trace --on here.yaml --json
            chosen $table recording "$name"
            replay 0 $trace --on here.yaml
            grep -q "^Collectives as $name .*: it was recorded with $name " out || fail "$(cat out)"
            replay 0 $trace --on here.yaml --json --collectives $other
            chosen $other option "$name"
        done
        sed "s/topology: star/topology: star, collectives: naive/" here.yaml >naive.yaml
        replay 0 library.parcast --on naive.yaml --json --collective bcast=chain
        chosen naive platform "$name"
        replay 0 library.parcast --on naive.yaml --collective bcast=chain
        grep -q 'By --collective: bcast by chain' out || fail "$(cat out)"
    done
}

a_study_compares_the_speeds_of_nodes() {
    recorded speed 2 "$PROGRAMS/endings.$first" none
    sed 's/cores: 8/cores: 8, speed: 2/' here.yaml >fast.yaml
    replay 0 speed.parcast --on here.yaml --json
    cp out slow.json
    replay 0 speed.parcast --on fast.yaml --json
    python3 -c '
import json
slow, fast = (json.load(open(n))["ranks"][0]["compute_s"] for n in ("slow.json", "out"))
assert abs(slow / fast - 2) < 1e-6, (slow, fast)' || fail "speed 2 is not twice as fast"
}

what_cannot_be_replayed_names_rank_and_event() {
    recorded win 2 "$PROGRAMS/calls_c.$first"
    replay 1 win.parcast --on here.yaml
    grep -q 'rank [01], event [0-9]*, MPI_Win_create: one-sided' err || fail "$(cat err)"
    timeout 60 "$PARCAST" record -q --trace -s lost.parcast -n 2 -- "$PROGRAMS/endings.$first" kill >out 2>err || true
    replay 3 lost.parcast --on here.yaml
    says 'was killed or crashed'
    says --cut
    replay 0 lost.parcast --on here.yaml --cut
}

runs_and_files_are_checked() {
    recorded one 2 "$PROGRAMS/endings.$first" none
    replay 2 one.parcast --on here.yaml --run x
    replay 1 one.parcast --on here.yaml --run 7
    says 'run 7'
    replay 2 one.run1.trace --on here.yaml --run 1
    says 'belongs to a study'
    recorded two 2 "$PROGRAMS/selflog.$first" 1 30
    mv one.run1.trace kept
    cp two.run1.trace one.run1.trace
    replay 3 one.parcast --on here.yaml
    says 'not the trace that was recorded as run 1'
    size=$(wc -c <kept)
    head -c $((size - 10)) kept >one.run1.trace
    replay 3 one.parcast --on here.yaml
    says --cut
    replay 0 one.parcast --on here.yaml --cut
    rm one.run1.trace
    replay 1 one.parcast --on here.yaml
    says 'one.run1.trace'
    timeout 60 "$PARCAST" record -q -s none.parcast -n 2 -- "$PROGRAMS/endings.$first" none >out 2>err
    replay 1 none.parcast --on here.yaml
    says 'no run of the study has a trace'
}

run examples_compute_as_they_did_when_they_were_recorded programs_that_call_most_of_mpi_are_replayed \
    a_trace_and_its_study_are_replayed_alike collectives_are_those_of_the_library_that_recorded \
    a_study_compares_the_speeds_of_nodes what_cannot_be_replayed_names_rank_and_event runs_and_files_are_checked
