#!/bin/sh
# Each phase of a move begins with a word between the supervisor and rank 0. Whoever dies before it, no iteration beyond the last
# checkpoint is lost, and the result is the same.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
study=$scratch/study.parcast
[ -n "$MPIS" ] || skip "no MPI is installed"
[ "$SANITIZED" != ON ] || skip "a preloaded library cannot enter a program with AddressSanitizer"
[ -n "${PARCAST_LONG_TESTS:-}" ] || skip "a program is launched twice for every word, which takes minutes: PARCAST_LONG_TESTS=1"
kind=${MPIS##* }
program=$BUILD/examples/elastic_jacobi.$kind

told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$1" | sort -u; } # a program that dies between its result and its end prints it again
# One of some thousand launchers hangs in its own end, which is waited for: not for ten minutes here.
supervise() { timeout 250 "$PARCAST" run -s "$study" --patience 20 "$@" -- "$program" 61 80 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?; }
faulty() { # WHO RANK NTH ARG...
    export FAULT_WHO="$1" FAULT_NTH="$3" FAULT_HOW=mute FAULT_MARK="$scratch/mark" LD_PRELOAD="$BUILD/tests/elastic/faulty_io.so"
    rm -f "$scratch/mark"
    [ "$2" = - ] || export FAULT_RANK="$2"
    shift 3
    supervise "$@"
    unset LD_PRELOAD FAULT_RANK FAULT_WHO
}
before_every_word_of() { # WHO RANK ARG...
    who=$1 rank=$2 nth=0
    shift 2
    mpiexec."$kind" -n 1 "$program" 61 80 >"$scratch/plain" || fail "$(cat "$scratch/plain")"
    while :; do
        nth=$((nth + 1))
        faulty "$who" "$rank" "$nth" --checkpoint-every 10s --schedule 0:1,20:2,40:1 "$@"
        [ "$status" != 137 ] || supervise --nodes 1
        [ "$status" = 0 ] || fail "word $nth: it failed: $(told)"
        [ "$(bits "$scratch/out")" = "$(bits "$scratch/plain")" ] || fail "word $nth: another result: $(told)"
        [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "word $nth: the directory of the run is left"
        [ -e "$scratch/mark" ] || break
        [ "$nth" -lt 60 ] || fail "the fault strikes for ever"
    done
    [ "$nth" -gt 5 ] || fail "there were only $nth words"
}

of_the_supervisor_in_a_restart() { before_every_word_of parcast -; }
of_rank_0_in_a_restart() { before_every_word_of elastic_jacobi 0; }
of_the_supervisor_without_overlap() { before_every_word_of parcast - --no-overlap; }
of_rank_0_without_overlap() { before_every_word_of elastic_jacobi 0 --no-overlap; }
of_the_supervisor_in_memory() { before_every_word_of parcast - --engine memory; }
of_rank_0_in_memory() { before_every_word_of elastic_jacobi 0 --engine memory; }

run of_the_supervisor_in_a_restart of_rank_0_in_a_restart of_the_supervisor_without_overlap of_rank_0_without_overlap \
    of_the_supervisor_in_memory of_rank_0_in_memory
