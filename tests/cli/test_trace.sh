#!/bin/sh
# `parcast record --trace`, `dump` and `convert` as their users meet them, with every MPI that is installed.
# From CMake besides what lib.sh takes: MPIS; PROGRAMS and EXAMPLES, folders of MPI programs; NOSPACE_LIBRARY, which makes the
# disk full (empty where it cannot be preloaded).
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
cd "$scratch" || exit 1
[ -n "$MPIS" ] || { echo "no MPI is installed: nothing to record"; exit 77; }
first=${MPIS%% *}

# traced STATUS NAME RANKS PROGRAM [ARG]...: NAME.run1.trace, messages in err
traced() {
    expected=$1 name=$2 ranks=$3 status=0
    shift 3
    rm -f "$name".*
    timeout 120 "$PARCAST" record --trace -s "$name.parcast" -n "$ranks" -- "$@" >out 2>err </dev/null || status=$?
    [ $status = "$expected" ] || fail "record --trace $* ended with $status instead of $expected:
$(cat err)"
}
# refused STATUS WORD COMMAND...: it ends with that status, and its messages say the word
refused() {
    expected=$1 word=$2 status=0
    shift 2
    "$@" >/dev/null 2>err || status=$?
    [ $status = "$expected" ] || fail "$* ended with $status instead of $expected: $(cat err)"
    grep -qF -- "$word" err || fail "$* does not say '$word': $(cat err)"
}
# count WORD NUMBER FILE: so many lines begin with the word
count() { [ "$(grep -c "^$1" "$3")" = "$2" ] || fail "not $2 lines with $1: $(cat "$3")"; }
# events TRACE RANK: what its events say, without numbers and times
events() { "$PARCAST" dump --ranks "$2" "$1" | grep -v '^#' | cut -d ' ' -f 6-; }
same() { cmp -s "$1" "$2" || fail "$3: $1 and $2 differ:
$(diff "$1" "$2" | head -10)"; }
ends() { "$PARCAST" dump --about --json "$1" | python3 -c 'import json, sys; print(*sorted(r["end"] for r in json.load(sys.stdin)["about"]["ranks"]))'; }

traces_say_what_programs_log_of_their_own_calls() {
    for kind in $MPIS; do
        for seed in 1 2 3; do
            traced 0 log 2 "$PROGRAMS/selflog.$kind" $seed 200
            for rank in 0 1; do
                events log.run1.trace $rank >got
                [ "$(wc -l <got)" -gt 500 ] || fail "$kind, seed $seed: only $(wc -l <got) events"
                same got log.$rank "$kind, seed $seed, rank $rank"
            done
        done
    done
}

# The same calls in C and in three bindings of Fortran have the same events.
events_do_not_depend_on_the_binding_or_the_library() {
    for kind in $MPIS; do
        for binding in c mpif usempi f08; do
            [ -x "$PROGRAMS/calls_$binding.$kind" ] || continue
            traced 0 calls 2 "$PROGRAMS/calls_$binding.$kind"
            for rank in 0 1; do
                events calls.run1.trace $rank | grep -vE '^(other MPI_File|io |init$)' >got
                grep -vE '^(other MPI_File|io |init$)' "$SOURCE/tests/data/trace_calls.$rank" >expected
                same got expected "$binding with $kind, rank $rank"
            done
        done
    done
}

regular_programs_take_less_than_four_bytes_an_event() {
    for program in "stencil3d 24 400" "cg 4000 8 20" "sort 2000 300"; do
        # shellcheck disable=SC2086 # words
        set -- $program
        example=$1
        shift
        [ -x "$EXAMPLES/$example.$first" ] || fail "no $EXAMPLES/$example.$first"
        traced 0 size 2 "$EXAMPLES/$example.$first" "$@"
        "$PARCAST" show size.parcast --json >json
        python3 -c 'import json; t = json.load(open("json"))["runs"][0]["trace"]; n = t["n_events"]; assert n > 1000, n; assert t["bytes"] <= 4 * n, (t["bytes"], n)' ||
            fail "$program: more than 4 bytes an event"
    done
}

the_study_knows_its_traces() {
    traced 0 known 2 "$PROGRAMS/endings.$first" none
    "$PARCAST" show known.parcast --json >json
    python3 -c 'import json, os; t = json.load(open("json"))["runs"][0]["trace"]; assert t["file"] == "known.run1.trace"; assert t["bytes"] == os.path.getsize(t["file"]); assert t["gaps"] is None' ||
        fail "$(cat json)"
    timeout 60 "$PARCAST" record -q -s known.parcast -n 1 -- "$PROGRAMS/endings.$first" none >out 2>err || true
    "$PARCAST" show known.parcast --json | grep -c '"trace"' | grep -qx 1 || fail "a run without --trace has a trace"
}

a_killed_program_leaves_its_events() {
    for kind in $MPIS; do
        status=0
        rm -f killed.*
        timeout 60 "$PARCAST" record -q --trace -s killed.parcast -n 2 -- "$PROGRAMS/endings.$kind" kill >out 2>err || status=$?
        [ $status != 0 ] || fail "a killed program ended well"
        case $(ends killed.run1.trace) in *lost*) ;; *) fail "$kind: no rank is lost: $(ends killed.run1.trace)" ;; esac
        events killed.run1.trace 1 >got
        count sendrecv 5 got
        count allreduce 7 got
    done
}

an_aborted_program_leaves_its_events() {
    traced 3 aborted 2 "$PROGRAMS/endings.$first" abort
    case $(ends aborted.run1.trace) in *aborted*) ;; *) fail "$(ends aborted.run1.trace)" ;; esac
    events aborted.run1.trace 1 | tail -n 1 | grep -qx abort || fail "the last event is not the abort"
}

a_full_disk_costs_events_but_not_the_run() {
    [ -n "$NOSPACE_LIBRARY" ] || skip "nothing can be preloaded into a program built for a sanitizer"
    for kind in $MPIS; do
        rm -f full.*
        NOSPACE=spool LD_PRELOAD=$NOSPACE_LIBRARY timeout 100 "$PARCAST" record --trace -s full.parcast -n 2 -- \
            "$PROGRAMS/manyevents.$kind" >out 2>err || fail "$kind: $(cat err)"
        grep -q '2 of 2 ranks had no room on the disk' err || fail "it is not said: $(cat err)"
        [ "$(ends full.run1.trace)" = "disk full disk full" ] || fail "$(ends full.run1.trace)"
        [ "$(events full.run1.trace 0 | wc -l)" -gt 150000 ] || fail "events before that are missing"
        "$PARCAST" show full.parcast --json | grep -q '"MPI_Allreduce"' || fail "calls are not counted"
    done
}

dump_prints_any_range() {
    traced 0 range 2 "$PROGRAMS/endings.$first" none
    "$PARCAST" dump range.run1.trace | grep '^1 ' | sed -n '4,6p' >expected
    "$PARCAST" dump --ranks 1 --events 3-5 range.run1.trace | grep -v '^#' >got
    same got expected "events 3 to 5"
    [ "$("$PARCAST" dump --events 2 range.run1.trace | grep -vc '^#')" = 2 ] || fail "one event of each rank"
    "$PARCAST" dump --json range.run1.trace | python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["schema"] == "parcast.dump/1"; assert len(d["events"]) == d["about"]["n_events"] > 20'
    for bad in "--ranks 2" "--ranks 0-" "--ranks x" "--events 5-3" "--events -1"; do
        # shellcheck disable=SC2086 # words
        refused 2 usage: "$PARCAST" dump $bad range.run1.trace
    done
}

a_cut_trace_is_refused_and_can_be_mended() {
    traced 0 cut 2 "$PROGRAMS/selflog.$first" 4 3000
    size=$(wc -c <cut.run1.trace)
    head -c $((size * 3 / 4)) cut.run1.trace >part.trace
    refused 3 'is cut' "$PARCAST" dump part.trace
    grep -qF -- --cut err || fail "the cure is not said"
    "$PARCAST" convert --cut part.trace mended.trace 2>err || fail "$(cat err)"
    grep -q 'is cut' err || fail "the cut is not said"
    events mended.trace 0 >got
    events cut.run1.trace 0 | head -n "$(wc -l <got)" >expected
    [ -s got ] || fail "nothing was mended"
    same got expected "what was mended"
    byte=x # another one than it is
    [ "$(dd if=cut.run1.trace bs=1 skip=$((size / 2)) count=1 2>/dev/null | tr -d '\000')" != x ] || byte=y
    printf %s $byte | dd of=cut.run1.trace bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
    refused 3 damaged "$PARCAST" dump cut.run1.trace
}

timelines_have_every_call_and_message() {
    traced 0 line 2 "$PROGRAMS/endings.$first" none
    "$PARCAST" convert line.run1.trace line.json 2>err || fail "$(cat err)"
    python3 - <<'END' || fail "line.json"
import json
events = json.load(open("line.json"))["traceEvents"]
names = [e["name"] for e in events if e["ph"] == "X"]
assert names.count("MPI_Sendrecv") == 10 and names.count("MPI_Allreduce") == 14, names
starts = sorted(e["id"] for e in events if e["ph"] == "s")
finishes = sorted(e["id"] for e in events if e["ph"] == "f")
assert len(starts) == 11 and starts == finishes, (starts, finishes)
assert len(set(starts)) == 11
END
    "$PARCAST" convert line.run1.trace line.paje 2>err || fail "$(cat err)"
    python3 - <<'END' || fail "line.paje"
last, depth, links = 0.0, {}, {}
for line in open("line.paje"):
    if line.startswith("%"): continue
    words = line.split()
    if int(words[0]) < 4: continue
    date = float(words[1])
    assert date >= last, line
    last = date
    if words[0] == "6": depth[words[3]] = depth.get(words[3], 0) + 1
    if words[0] == "7": depth[words[3]] -= 1; assert depth[words[3]] >= 0, line
    if words[0] in ("8", "9"): links.setdefault(words[-1], []).append(words[0])
assert all(d == 0 for d in depth.values()) and len(depth) == 2
assert len(links) == 11 and all(sorted(v) == ["8", "9"] for v in links.values()), links # dates are rounded
END
    "$PARCAST" convert --ranks 0 --no-messages --least 1h line.run1.trace none.json 2>err || fail "$(cat err)"
    grep -q '"ph":"X"' none.json && fail "nothing takes an hour"
    grep -q 'left out' err || fail "what was left out is not said"
}

time_independent_text_goes_both_ways() {
    traced 0 both 2 "$PROGRAMS/endings.$first" none
    "$PARCAST" convert both.run1.trace one.ti 2>err || fail "$(cat err)"
    grep -q 'flop-rate' err || fail "the rate is not said"
    count '[01] allreduce 4 0' 14 one.ti
    "$PARCAST" convert one.ti two.trace 2>err || fail "$(cat err)"
    "$PARCAST" convert two.trace two.ti 2>err || fail "$(cat err)"
    same one.ti two.ti "text to trace to text"
    traced 0 sub 2 "$PROGRAMS/selflog.$first" 1 50
    refused 1 'rank 0, event' "$PARCAST" convert sub.run1.trace sub.ti
    [ ! -e sub.ti ] || fail "a part of the text is left"
}

wrong_words_have_status_two() {
    for arguments in "" "one.trace" "a.trace b.unknown" "--to x a b" "a.trace a.trace"; do
        # shellcheck disable=SC2086 # words
        refused 2 usage: "$PARCAST" convert $arguments
    done
}

run traces_say_what_programs_log_of_their_own_calls events_do_not_depend_on_the_binding_or_the_library \
    regular_programs_take_less_than_four_bytes_an_event the_study_knows_its_traces a_killed_program_leaves_its_events \
    an_aborted_program_leaves_its_events a_full_disk_costs_events_but_not_the_run dump_prints_any_range \
    a_cut_trace_is_refused_and_can_be_mended timelines_have_every_call_and_message time_independent_text_goes_both_ways \
    wrong_words_have_status_two
