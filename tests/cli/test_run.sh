#!/bin/sh
# parcast run: options, studies and goals that are wrong are refused before anything is started.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
kind=${MPIS##* }
program=$BUILD/examples/elastic_jacobi.$kind
platform=$SOURCE/examples/platforms/eight-nodes.yaml

# refused STATUS TEXT OPTION...: ends so, says so, and the program has not run.
refused() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    expected=$1 text=$2
    shift 2
    timeout 250 "$PARCAST" run "$@" -- "$program" 31 3 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
    [ "$status" = "$expected" ] || fail "run $* ended with $status: $(cat "$scratch/err")"
    grep -qF -- "$text" "$scratch/err" || fail "run $* does not say '$text': $(cat "$scratch/err")"
    [ ! -s "$scratch/out" ] || fail "run $* printed: $(cat "$scratch/out")"
}

words_that_mean_nothing_are_refused() {
    refused 2 "--policy is forecast or reactive, not 'lazy'" --policy lazy
    refused 2 "--engine is restart or memory, not 'disk'" --engine disk
    refused 2 "--deadline: time 'soon'" --deadline soon
    refused 2 "--deadline '0' leaves no time" --deadline 0
    refused 2 "--deadline '1e300' is in more than 100 years" --deadline 1e300
    refused 2 "--checkpoint-every: time '10 moons'" --checkpoint-every "10 moons"
    refused 2 "--checkpoint-every '0' is no time" --checkpoint-every 0
    refused 2 "--range: time 'wide'" --policy reactive --deadline 60 --range wide
    for budget in -5 5USD 0x10 nan "" " 5"; do
        refused 2 "--budget '$budget' is no amount" --on "$platform" --ranks-per-node 1 --budget "$budget"
    done
}
options_of_what_is_not_asked_for_are_refused() {
    refused 2 "are for --policy reactive" --range 1ms
    refused 2 "are for --policy reactive" --deadline 60 --interval 5
    refused 2 "--policy reactive needs --deadline" --policy reactive
    refused 2 "--shell is for --allocator hosts:FILE" --shell rsh
    refused 2 "--schedule leaves nothing to decide" --schedule 0:1 --deadline 60
    refused 2 "--schedule has 4 nodes, and --nodes 1-2" --nodes 1-2 --schedule 0:1,2:4
}
a_study_that_cannot_be_used_is_refused_before_the_run() {
    echo "this is a letter, not a study" >"$scratch/letter"
    refused 3 "is not a study" -s "$scratch/letter"
    refused 1 "$scratch/none/at.parcast" -s "$scratch/none/at.parcast"
}

# Two nodes at 3600 an hour, by the second: the run costs whole units, and more than one node does.
nodes_of_this_machine_are_charged_without_a_goal_too() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    cat >"$scratch/priced.yaml" <<'END'
schema: parcast.platform/1
name: priced
nodes: [{type: small, count: 2, cores: 1, price_per_hour: 3600}]
network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s}
currency: EUR
billing_unit: 1 s
END
    timeout 250 "$PARCAST" run --json --on "$scratch/priced.yaml" --nodes 2 -- "$program" 31 3 >"$scratch/out" 2>"$scratch/err" ||
        fail "$(cat "$scratch/err")"
    cost=$(sed -n 's/.*"cost": \([0-9.]*\),/\1/p' "$scratch/out")
    time=$(sed -n 's/.*"time_s": \([0-9.]*\),/\1/p' "$scratch/out" | head -n 1)
    awk -v cost="$cost" -v time="$time" 'BEGIN { exit !(cost >= 2 * time - 0.02 && cost <= 2 * (time + 1) && cost / 2 == int(cost / 2)) }' ||
        fail "$time s on two nodes cost '$cost'"
}

# Also of those that it computes while it is on its way to a move: a schedule has it look ahead from the start. How many
# are missed depends on how busy the machine is.
iterations_of_every_size_are_measured() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    timeout 250 "$PARCAST" run -q --json --schedule 0:1,6000:2 -- "$program" 300 12000 >"$scratch/out" 2>"$scratch/err" ||
        fail "$(cat "$scratch/err")"
    awk '/"sizes"/ { on = 1 } /"events"/ { on = 0 } on && /"iterations"/ { gsub(/,/, ""); sum += $2; few += $2 < 600; n++ }
        END { exit !(n == 2 && !few && sum <= 12000) }' "$scratch/out" || fail "$(cat "$scratch/out")"
}

run words_that_mean_nothing_are_refused options_of_what_is_not_asked_for_are_refused \
    a_study_that_cannot_be_used_is_refused_before_the_run nodes_of_this_machine_are_charged_without_a_goal_too \
    iterations_of_every_size_are_measured
