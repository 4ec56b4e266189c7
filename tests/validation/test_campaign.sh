#!/bin/sh
# validation/run, short: two nodes, one program. Skipped where namespaces are not permitted.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$SOURCE" || exit 1
export CLUSTER=short CLUSTER_BUILD="$BUILD"
results=$scratch/results

campaign() { # campaign OPTION...: leaves its messages in $scratch/log
    validation/run -d "$results" -r 2 -w 3 -g "$@" validation/campaigns/short.txt >"$scratch/out" 2>"$scratch/log"
    status=$?
    [ $status != 77 ] || skip "$(tail -n 1 "$scratch/log")"
    [ $status != 75 ] || skip "other programs have the machine: no undisturbed run was had"
    return $status
}

a_campaign_measures_and_compares() {
    printf '%s\n' 'before' '<!-- validation/run short: begin -->' 'old' '<!-- validation/run short: end -->' 'after' >"$scratch/page.md"
    campaign -o "$scratch/page.md" || { cat "$scratch/log"; fail "validation/run failed"; }
    grep -q 'runs left, about' "$scratch/log" || fail "it does not say how long it still needs"
    for text in 'heat2d 1200 20' '| fast 2, slow 1 | 3 |' '| fast 2, slow 2 | 4 |' 'turning point'; do
        grep -qF "$text" "$scratch/out" || { cat "$scratch/out"; fail "the table has no '$text'"; }
    done
    grep -qF '| fast 2, slow 2 | 4 |' "$scratch/page.md" || fail "the page has no table"
    if grep -qx old "$scratch/page.md" || ! grep -qx after "$scratch/page.md"; then fail "more or less than the table was replaced"; fi
    [ "$(awk '$5 == "ok"' "$results/heat2d/runs" | wc -l)" -ge 3 ] || fail "no run without disturbance was had"
}

what_was_measured_is_not_measured_again() {
    [ -s "$results/heat2d/runs" ] || skip "nothing was measured"
    before=$(cat "$results/heat2d/runs")
    sed -i '$d' "$results/heat2d/runs" # as if it had been killed in its last run
    campaign || { cat "$scratch/log"; fail "validation/run failed"; }
    grep -q '^validation: [0-2] runs to be made' "$scratch/log" || { cat "$scratch/log"; fail "it did not go on where it ended"; }
    printf '%s\n' "$before" | sed '$d' | while read -r line; do
        grep -qxF "$line" "$results/heat2d/runs" || fail "lost: $line"
    done
}

mistakes_in_a_campaign_are_named() {
    printf 'cluster clusters/two.yaml\nrecord two fill\n' >"$scratch/bad.txt"
    validation/run -d "$scratch/bad" "$scratch/bad.txt" >"$scratch/out" 2>&1 && fail "a bad campaign ran"
    grep -q "bad.txt:2: not understood: record two fill" "$scratch/out" || skip "$(tail -n 1 "$scratch/out")"
    validation/run -r none >"$scratch/out" 2>&1 && fail "-r none was taken"
    grep -q "not 'none'" "$scratch/out" || fail "$(cat "$scratch/out")"
}

run a_campaign_measures_and_compares what_was_measured_is_not_measured_again mistakes_in_a_campaign_are_named
