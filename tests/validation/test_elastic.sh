#!/bin/sh
# validation/elastic: what it makes of runs that were measured. The runs themselves take minutes.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$SOURCE" || exit 1
export CLUSTER_BUILD="$BUILD"
results=$scratch/results

measured() { # measured NAME TIME COST FORECAST BITS MORE: a result
    printf '{"time_s": %s, "cost": %s, "forecast_s": %s, "bits": "%s", "late_ratio": 0.01, "sizes": [{"nodes": 4, "iterations": 90, "time_s": 9}],
        "events": [{"from_nodes": 2, "to_nodes": 4, "pause_s": 0.1}]%s}\n' "$2" "$3" "$4" "$5" "$6" >"$results/$1.json"
}
needs() {
    command -v jq >/dev/null || skip "no jq"
    if [ ! -x "$BUILD/examples/elastic_jacobi.openmpi" ] || [ ! -f "$BUILD/libparcast-cluster.so" ]; then skip "no Open MPI"; fi
}
results() { # results TIME_OF_THE_DEADLINE_RUN FORECAST
    rm -rf "$results" && mkdir -p "$results"
    measured two 27 54 null ab ''
    measured eight-1 9 72 null ab ''
    measured deadline-1 "$1" 60 "$2" ab ', "deadline_s": 18'
    measured learned-1 18.2 66 12 ab ', "deadline_s": 18'
    measured budget-1 12 62 12.5 ab ', "budget": 63'
    measured moves 100 400 null cd ''
    echo 'jacobi: bits cd, error 0: correct' | sed 's/bits/: bits/' >"$results/plain.log"
    printf '%s\n' before '<!-- validation/elastic: begin -->' old '<!-- validation/elastic: end -->' after >"$scratch/page.md"
    validation/elastic -t -r 1 -d "$results" -o "$scratch/page.md" >"$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
    if grep -qx old "$scratch/page.md" || ! grep -qx after "$scratch/page.md"; then fail "more or less than the table was replaced"; fi
}

requirements_that_are_met_say_yes() {
    needs
    results 17.5 17.2
    [ "$(grep -c '| yes |$' "$scratch/page.md")" = 7 ] || fail "$(cat "$scratch/page.md")"
    ! grep -q '| \*\*no\*\* |' "$scratch/page.md" || fail "$(cat "$scratch/page.md")"
}
a_requirement_that_is_missed_says_no() {
    needs
    results 18.6 15
    [ "$(grep -c '| \*\*no\*\* |$' "$scratch/page.md")" = 2 ] || fail "$(cat "$scratch/page.md")"
    grep -q 'latest 3.3 % | \*\*no\*\*' "$scratch/page.md" || fail "$(cat "$scratch/page.md")"
}
mistakes_in_usage_are_named() {
    for wrong in "-r 0" "-s x" "-m" "more"; do
        # shellcheck disable=SC2086 # words
        validation/elastic $wrong >"$scratch/out" 2>&1 && status=0 || status=$?
        [ "$status" = 2 ] || fail "$wrong: status $status: $(cat "$scratch/out")"
    done
}

run requirements_that_are_met_say_yes a_requirement_that_is_missed_says_no mistakes_in_usage_are_named
