#!/bin/sh
# predict --engine replay: recorded traces as forecasts, beside those of the model and of the bound, with both MPIs.
# From CMake besides what lib.sh takes: MPIS; EXAMPLES, folder of MPI programs; SEQUENTIAL, folder of their sequential forms.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$scratch" || exit 1
[ -n "$MPIS" ] || { echo "no MPI is installed: nothing to record"; exit 77; }
[ -d "$EXAMPLES" ] || { echo "the examples are not built here"; exit 77; }
first=${MPIS%% *}
cat >here.yaml <<'YAML'
schema: parcast.platform/1
name: two small
nodes: [{type: small, count: 2, cores: 2, speed: 1, price_per_hour: 1}]
network: {topology: star, latency: 50 us, bandwidth: 1 Gbit/s}
shared_memory: {latency: 1 us, bandwidth: 4 GB/s}
YAML
sed 's/two small/two big/; s/type: small/type: big/; s/speed: 1/speed: 2/' here.yaml >fast.yaml

# record STUDY MPI LIST OPTION...: heat2d, as "small" nodes.
record() {
    study=$1 kind=$2 list=$3
    shift 3
    timeout 120 "$PARCAST" record -q -s "$study" -n "$list" --node "${node:-small}" --mpiexec "mpiexec.$kind" "$@" -- "$EXAMPLES/heat2d.$kind" 120 20 \
        >out 2>err </dev/null || fail "record -n $list: $(cat err)"
}
# predict STATUS ARG...
predict() {
    wanted=$1
    shift
    "$PARCAST" predict "$@" >out 2>err && status=0 || status=$?
    [ "$status" = "$wanted" ] || fail "predict $*: exit status $status, not $wanted: $(cat err)"
}
says() { grep -qF -- "$1" err || fail "the messages do not say '$1': $(cat err)"; }
# holds PYTHON [ARG]...: of the JSON in out, d
holds() {
    python3 - "$@" <<'END' || fail "not so: $1: $(cat out)"
import json, sys
d = json.load(open("out"))
sys.exit(0 if eval(sys.argv[1]) else 1)
END
}
# replayed STUDY RUN ARG...: time_s of `parcast replay`
replayed() {
    study=$1 number=$2
    shift 2
    "$PARCAST" replay "$study" --run "$number" "$@" --json >replay.json 2>err || fail "$(cat err)"
    python3 -c 'import json; print(repr(json.load(open("replay.json"))["time_s"]))'
}

the_forecast_is_what_the_replay_of_the_trace_says() {
    for kind in $MPIS; do
        record "one.$kind.parcast" "$kind" 1,2 --trace
        for place in "--on here.yaml" "--on here.yaml --place spread" "--on fast.yaml --place spread"; do
            # shellcheck disable=SC2086 # words
            predict 0 "one.$kind.parcast" $place --engine replay --json
            cp out forecast.json
            # shellcheck disable=SC2086 # words
            one=$(replayed "one.$kind.parcast" 1 $place)
            # shellcheck disable=SC2086 # words
            two=$(replayed "one.$kind.parcast" 2 $place)
            cp forecast.json out
            holds 'd["engine"] == "replay" and [p["processes"] for p in d["points"]] == [1, 2]'
            holds "[p['time_s'] for p in d['points']] == [$one, $two]"
            holds "abs(d['points'][1]['speedup'] - $one / $two) < 1e-9 * $one / $two"
            holds 'all(p["low_s"] < p["time_s"] < p["high_s"] for p in d["points"])'
            holds 'all(p["compute_s"] + p["communication_s"] - p["time_s"] < 1e-12 and p["cost"] > 0 for p in d["points"])'
            holds 'sorted(r["id"] for r in d["report"]["runs"]) == [1, 2] and not any(r["held_out"] for r in d["report"]["runs"])'
            holds 'd["report"]["loo_mean_ratio"] is None and all(r["fitted_s"] > 0 for r in d["report"]["runs"])'
        done
        predict 0 "one.$kind.parcast" --engine replay
        grep -q 'engine replay, traces of 2 runs: 1, 2 processes' out || fail "$(cat out)"
        grep -q 'error out of sample: unknown, no count has a second run' out || fail "$(cat out)"
    done
}

several_traces_have_their_median_and_other_runs_are_held_against_it() {
    record many.parcast "$first" 2 --trace
    record many.parcast "$first" 2 --trace
    record many.parcast "$first" 2
    a=$(replayed many.parcast 1 --on here.yaml)
    b=$(replayed many.parcast 2 --on here.yaml)
    predict 0 many.parcast --on here.yaml --engine replay --json
    holds "abs(d['points'][0]['time_s'] - ($a + $b) / 2) < 1e-12 and d['points'][0]['speedup'] is None"
    holds '[(r["id"], r["held_out"]) for r in d["report"]["runs"]] == [(1, False), (2, False), (3, True)]'
    # The platform is that of the runs: what is held against them is what `replay` says of the other traces.
    holds "[r['left_out_s'] for r in d['report']['runs']][:2] == [$b, $a] and abs(d['report']['runs'][2]['left_out_s'] - ($a + $b) / 2) < 1e-12"
    holds "[r['fitted_s'] for r in d['report']['runs']] == [$a, $b, None]"
    holds 'abs(d["report"]["loo_mean_ratio"] - sum(abs(r["left_out_s"] / r["time_s"] - 1) for r in d["report"]["runs"]) / 3) < 1e-9'
    holds 'any("speed-up" in n for n in d["report"]["notes"])'
    predict 0 many.parcast --on here.yaml --engine replay
    grep -q 'held against 1 run without a trace: 2 processes' out || fail "$(cat out)"
    if grep -q 'speed-up  *eff' out || grep -q nan out; then fail "$(cat out)"; fi
}

counts_without_a_trace_are_refused_with_a_cure() {
    record gaps.parcast "$first" 2 --trace
    record gaps.parcast "$first" 1
    predict 3 gaps.parcast --on here.yaml --engine replay -n 1,2
    says 'no run of 1 process has a trace'
    says 'there are traces for -n 2'
    says 'record --trace -s STUDY -n 1'
    predict 0 gaps.parcast --on here.yaml --engine model --engine replay -n 1,2,4 --json
    holds '[p["processes"] for p in d["others"][0]["points"]] == [2]'
    holds 'd["others"][0]["notes"] == ["no trace, left out: 1, 4 processes"]'
    predict 0 gaps.parcast --on here.yaml --engine model --engine replay -n 1 --json
    says 'engine replay is left out: no run of 1 process has a trace'
    holds '"others" not in d'
    record none.parcast "$first" 1
    predict 3 none.parcast --engine replay
    says 'no complete run has a trace to replay'
    says 'record --trace'
    predict 0 none.parcast --engine all -n 1
    says 'engine replay is left out: no complete run has a trace'
    says 'engine bound is left out: the study holds no estimate'
    predict 2 none.parcast --engine reply
    says "no engine 'reply'"
    says 'bound replay all'
}

a_trace_that_is_gone_is_named() {
    record gone.parcast "$first" 1 --trace
    rm gone.run1.trace
    predict 1 gone.parcast --engine replay
    says gone.run1.trace
    predict 0 gone.parcast --engine all -n 1
    says 'engine replay is left out: gone.run1.trace'
}

bound_model_replay_and_measurement_stand_side_by_side() {
    record all.parcast "$first" 1,2 --trace
    "$PARCAST" cc --values "$SEQUENTIAL/heat2d.c" -o heat -lm >out 2>&1 || skip "no value-flow compiler here: $(cat out)"
    "$PARCAST" estimate -q -s all.parcast -p 2 -- ./heat 120 20 >out 2>err || fail "$(cat err)"
    "$PARCAST" estimate -q -s alone.parcast -p 2 -- ./heat 120 20 >out 2>err || fail "$(cat err)"
    predict 3 alone.parcast --on here.yaml
    says 'it holds estimates of a sequential program: --engine bound'
    predict 3 alone.parcast --engine bound
    says 'estimates alone do not say on which machine'
    predict 0 alone.parcast --on here.yaml --flop-rate 1Gflop/s --engine bound
    predict 0 all.parcast --on here.yaml --flop-rate 1Gflop/s --engine all -n 1,2,4 --json
    holds '[d["engine"]] + [o["engine"] for o in d["others"]] == ["model", "replay", "bound"]'
    holds '[r["processes"] for r in d["side_by_side"]] == [1, 2, 4]'
    holds 'all(r["engines"][e]["low_s"] <= r["engines"][e]["time_s"] <= r["engines"][e]["high_s"] for r in d["side_by_side"] for e in ("model", "bound"))'
    holds '[r["engines"]["replay"] is None for r in d["side_by_side"]] == [False, False, True]'
    holds 'd["side_by_side"][1]["nodes"] == [{"type": "small", "count": 1, "ranks": 2}]'
    holds '[(r["measured"] or {}).get("run_ids") for r in d["side_by_side"]] == [[1], [2], None]'
    holds 'all(r["measured"]["same_nodes"] for r in d["side_by_side"][:2])'
    predict 0 all.parcast --on here.yaml --flop-rate 1Gflop/s --engine all -n 1,2,4
    grep -q 'processes nodes .* measured .* model .* replay .* bound$' out || fail "$(cat out)"
    if grep -q 'not on these nodes' out; then fail "$(cat out)"; fi
    predict 0 all.parcast --on fast.yaml --flop-rate 1Gflop/s --engine all -n 2
    grep -q '^\* measured with as many processes, but not on these nodes' out || fail "$(cat out)"
    "$PARCAST" report all.parcast -o all.html 2>err || fail "$(cat err)"
    for engine in model replay bound; do
        grep -q "Forecast by $engine" all.html || fail "the page has no table of engine $engine"
    done
}

validate_holds_traces_against_runs_of_other_placements() {
    record held.parcast "$first" 2 --trace
    "$PARCAST" validate held.parcast --on here.yaml --engine replay >out 2>err && status=0 || status=$?
    [ "$status" = 3 ] || fail "status $status: $(cat out err)"
    says 'no run left to fit on'
    node=other record held.parcast "$first" 1,2
    sed 's/^nodes:.*/nodes: [{type: small, count: 2, cores: 2, speed: 1}, {type: other, count: 1, cores: 2, speed: 2}]/' here.yaml >both.yaml
    "$PARCAST" validate held.parcast --on both.yaml --engine replay --json >out 2>err || fail "$(cat err)"
    holds '[(p["placement"], p["predicted_s"] is None) for p in d["points"]] == [("other 1", True), ("other 2", False), ("small 2", True)]'
    holds 'd["points"][1]["held_out"] and d["points"][1]["low_s"] < d["points"][1]["predicted_s"] < d["points"][1]["high_s"]'
    sed 's/speed: 2/speed: 1/' both.yaml >alike.yaml
    b=$(replayed held.parcast 1 --on here.yaml)
    "$PARCAST" validate held.parcast --on alike.yaml --engine replay --json >out 2>err || fail "$(cat err)"
    holds "d['points'][1]['predicted_s'] == $b"
    "$PARCAST" validate held.parcast --on both.yaml --engine replay >out 2>err || fail "$(cat err)"
    grep -q 'no trace of other runs' out || fail "$(cat out)"
    "$PARCAST" validate held.parcast --on both.yaml --engine bound >out 2>err && status=0 || status=$?
    [ "$status" = 2 ] || fail "status $status: $(cat out err)"
    "$PARCAST" plan held.parcast --on both.yaml --deadline 10 --engine replay >out 2>err && status=0 || status=$?
    [ "$status" = 2 ] || fail "status $status: $(cat out err)"
}

run the_forecast_is_what_the_replay_of_the_trace_says \
    several_traces_have_their_median_and_other_runs_are_held_against_it counts_without_a_trace_are_refused_with_a_cure \
    a_trace_that_is_gone_is_named validate_holds_traces_against_runs_of_other_placements bound_model_replay_and_measurement_stand_side_by_side
