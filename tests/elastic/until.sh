# Tests whose events must hit a running program: tests/elastic/paced.c runs slowly until $gate is there, so that no machine is
# too quick for them. Sourced; needs $scratch, $study, lib.sh and told.
# shellcheck shell=sh disable=SC2034,SC2154 # $scratch and $study are the test's
gate=$scratch/gate
cells=100000 steps=8000 pace_ms=20 # 160 s at least if the gate stays shut

shut_gate() { rm -f "$gate"; }
open_gate() { : >"$gate"; }
journal() { cat "$study".run-*/journal 2>/dev/null || true; }
# until COMMAND...: until it succeeds; most 160 s.
until_true() {
    for _ in $(seq 8000); do
        "$@" && return
        sleep 0.02
    done
    return 1
}
has_said() { grep -q "$1" "$scratch/err"; }
has_committed() { [ "$(journal | grep -c committed)" -ge "$1" ]; }
runs_on() { case $(journal | grep "running on" | tail -n 1) in *"running on $1 nodes"*) true ;; *) false ;; esac }
runs() { journal | grep -q "running on"; }
until_said() { until_true has_said "$1" || fail "it did not say '$1': $(told)"; }
until_committed() { until_true has_committed "$1" || fail "no $1 checkpoints were written: $(told)"; }
until_runs() { until_true runs || fail "it does not run: $(told)"; }
until_runs_on() { until_true runs_on "$1" || fail "it does not run on $1 nodes: $(journal) $(told)"; }
