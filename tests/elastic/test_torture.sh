#!/bin/sh
# A hundred resizes in a row, at random iterations, of runs whose ranks, launcher and supervisor are killed at random moments and
# which are resumed until they are done. The result is that of an undisturbed run to the last bit, and nothing is left.
# By hand, with another seed: PARCAST_TORTURE_SEED=7 ctest -R torture -V
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
[ -n "$MPIS" ] || skip "no MPI is installed"
[ -n "${PARCAST_LONG_TESTS:-}${PARCAST_TORTURE_SEED:-}" ] || skip "it takes minutes: PARCAST_LONG_TESTS=1"
[ "$SANITIZED" != ON ] || [ -n "${PARCAST_TORTURE_SEED:-}" ] || skip "five minutes without AddressSanitizer; the other faults run with it"
seed=${PARCAST_TORTURE_SEED:-1} resizes=100 study=$scratch/study.parcast

bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$1" | sort -u; }
told() { cat "$scratch/out"; tail -n 30 "$scratch/err"; }
ranks() { pgrep -f "^$program " || true; }
# schedule ITERATIONS: 1 and 2 nodes in turn.
schedule() {
    awk -v n="$resizes" -v seed="$seed" -v iterations="$1" 'BEGIN {
        srand(seed)
        for (i = 0; i <= n; i++) {
            at = i ? int(iterations * (i - 0.5 + 0.4 * rand()) / (n + 1)) : 0
            printf "%s%d:%d", i ? "," : "", at, i % 2 ? 2 : 1
        }
    }'
}
# Until the run has ended somebody is killed every second or so: a rank, sometimes the launcher, sometimes the supervisor.
kill_while_it_runs() {
    while kill -0 $run 2>/dev/null; do
        sleep "$(awk -v seed="$seed$kills" 'BEGIN { srand(seed); printf "%.2f", 0.2 + 1.5 * rand() }')"
        kills=$((kills + 1))
        victim=$(ranks | shuf -n 1 --random-source="$scratch/plain")
        case $((kills % 5)) in
        0) kill -9 $run 2>/dev/null || true ;;
        1) pkill -9 -P $run -x "mpirun.openmpi\|mpiexec.hydra\|mpiexec.mpich" 2>/dev/null || true ;;
        *) [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || true ;;
        esac
    done
}
# until_done PROGRAM ARG...: one run, resumed until it is done, with the same result.
until_done() {
    starts=0
    while :; do
        starts=$((starts + 1)) supervisors=$((supervisors + 1))
        "$PARCAST" run -s "$study" --engine "$engine" --schedule "$(schedule "$iterations")" --checkpoint-every 50ms --retries 20 \
            -- "$@" >"$scratch/out" 2>>"$scratch/err" &
        run=$!
        kill_while_it_runs
        wait $run && status=0 || status=$?
        [ $status != 0 ] || break
        [ $starts -lt 200 ] || fail "it does not end: $(told)"
    done
    [ "$(bits "$scratch/out")" = "$(bits "$scratch/plain")" ] && [ -n "$(bits "$scratch/plain")" ] || fail "another result: $(told)"
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left"
    left=$(ranks)
    # shellcheck disable=SC2086 # a word for each process
    [ -z "$left" ] || fail "ranks are left: $(ps -o pid,ppid,stat,etime,time,wchan:20,args -p $left 2>&1; echo $left): $(told)"
}
moves() { grep -c "iteration [0-9]*: .*from [0-9]* node" "$scratch/err" || true; }
# torture NAME ENGINE ITERATIONS PROGRAM ARG...: a quarter of the resizes come about at least, and a supervisor is killed. On a quick
# machine a short program may be done before: it is run again then, ten times at most.
torture() {
    engine=$2 iterations=$3 program=$scratch/$1
    cp "$4" "$program"
    shift 4
    kills=0 supervisors=0 rounds=0
    "mpiexec.$kind" -n 1 "$program" "$@" >"$scratch/plain" 2>&1 || fail "$(cat "$scratch/plain")"
    : >"$scratch/err"
    while [ $rounds -lt 10 ]; do
        rounds=$((rounds + 1))
        until_done "$program" "$@"
        [ "$(moves)" -lt $((resizes / 4)) ] || [ $supervisors -le $rounds ] || break
    done
    echo "$(moves) moves, $kills kills, $(grep -c "ended before it was done" "$scratch/err" || true) crashes survived, $supervisors supervisors in $rounds runs"
    [ "$(moves)" -ge $((resizes / 4)) ] || fail "only $(moves) moves: $(told)"
    [ $supervisors -gt $rounds ] || fail "the supervisor was never killed"
}
paced() { torture "paced" "$1" 6000 "$BUILD/tests/elastic_paced.$kind" 20001 6000 - 2; }

runs_that_restart_on_every_size() { for kind in $MPIS; do paced restart; done; }
runs_that_move_in_memory() {
    case " $MPIS " in *" openmpi "*) kind=openmpi ;; *) skip "no Open MPI" ;; esac
    paced memory
}
runs_whose_work_shrinks() {
    kind=${MPIS##* }
    torture lu restart 375 "$BUILD/examples/elastic_lu.$kind" 1500 4
}
runs_in_fortran() {
    kind=${MPIS##* }
    [ -x "$BUILD/examples/elastic_heat.$kind" ] || skip "no Fortran compiler"
    torture heat restart 40000 "$BUILD/examples/elastic_heat.$kind" 300 40000
}

run runs_that_restart_on_every_size runs_that_move_in_memory runs_whose_work_shrinks runs_in_fortran
