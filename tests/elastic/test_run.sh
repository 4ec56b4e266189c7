#!/bin/sh
# parcast run: a program moves between sizes, crashes, is killed, meets full disks and damaged checkpoints, and its
# result is the same to the last bit.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
study=$scratch/61.parcast
# shellcheck source=tests/elastic/until.sh
. "$SOURCE/tests/elastic/until.sh"

each_mpi() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    for kind in $MPIS; do "$@"; done
}
# Of MPICH no more ranks than cores: they spin while they wait.
few() { [ "$kind" = openmpi ] && echo "$1" || echo "$2"; }
# One MPI is enough where it has no part in what is tested; Open MPI if it is there.
one_mpi() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    kind=${MPIS##* }
    "$@"
}
program() { echo "$BUILD/examples/elastic_$1.$kind"; }

# supervise ARG...: leaves status, out and err.
supervise() {
    timeout 250 "$PARCAST" run "$@" >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
}
told() { echo "status $status: $(cat "$scratch/out" "$scratch/err")"; }
bits() { sed -n 's/.*: bits \([0-9a-fA-F]*\),.*: correct$/\1/p' "$1"; }
# plain NAME ARG...: the result without a supervisor.
# shellcheck disable=SC2086 # words
plain() {
    plain="$scratch/plain.$1.$2.$3.$kind"
    [ -s "$plain" ] || "mpiexec.$kind" -n 1 "$(program "$1")" "$2" $3 >"$plain" 2>&1 || fail "$(cat "$plain")"
    bits "$plain"
}
same_as_plain() {
    [ "$status" = 0 ] || fail "it failed: $(told)"
    [ -n "$(bits "$scratch/out")" ] || fail "no result: $(told)"
    [ "$(bits "$scratch/out")" = "$(plain "$@")" ] || fail "another result than $(plain "$@"): $(told)"
}
nothing_is_left() {
    [ -z "$(find "$scratch" -path "$study.run-*")" ] || fail "the directory of the run is left: $(find "$scratch" -path "$study.run-*")"
}
# A run that lasts until the gate is open, to be interrupted.
begin() { study=$scratch/$1.parcast; shut_gate; }
paced() { echo "$BUILD/tests/elastic_paced.$kind"; }
# supervise_paced ARG...
supervise_paced() { supervise "$@" -- "$(paced)" $cells $steps "$gate" $pace_ms; }
# The same in the background, as it may be killed.
begin_paced() {
    "$PARCAST" run "$@" -- "$(paced)" $cells $steps "$gate" $pace_ms >"$scratch/out" 2>"$scratch/err" &
    run=$!
    status=running
}
same_as_plain_paced() {
    [ "$status" = 0 ] || fail "it failed: $(told)"
    plain=$scratch/plain.paced.$kind
    [ -s "$plain" ] || "mpiexec.$kind" -n 1 "$(paced)" $cells $steps - 0 >"$plain" 2>&1 || fail "$(cat "$plain")"
    [ -n "$(bits "$plain")" ] && [ "$(bits "$scratch/out")" = "$(bits "$plain")" ] || fail "another result: $(told)"
}

moves() {
    supervise -s "$study" --json --schedule "0:1,20:$(few 3 2),40:$(few 2 1),41:1,60:$(few 4 2)" -- "$(program jacobi)" 61 80
    [ "$status" = 0 ] || fail "$(told)"
    cp "$scratch/err" "$scratch/result" # with --json the program's output goes there
    [ "$(bits "$scratch/result")" = "$(plain jacobi 61 80)" ] || fail "another result: $(told)"
    for move in '"iteration": 20' '"iteration": 60' '"from_nodes": 2' "\"to_ranks\": $(few 4 2)"; do
        grep -q "$move" "$scratch/out" || fail "no $move: $(told)"
    done
    [ "$(grep -c '"pause_s"' "$scratch/out")" = 4 ] || fail "not all moves: $(told)"
    nothing_is_left
}
others() {
    supervise --schedule "0:1,10:$(few 3 2),33:1,60:$(few 4 2)" -- "$(program cg)" 3001 10 3
    same_as_plain cg 3001 "10 3"
    supervise --schedule "0:1,3:$(few 3 2),9:1,12:$(few 4 2)" -- "$(program lu)" 131 8
    same_as_plain lu 131 8
    [ -x "$(program heat)" ] || skip "no Fortran compiler"
    supervise --schedule "0:1,10:$(few 3 2),33:1,60:$(few 4 2)" -- "$(program heat)" 61 80
    same_as_plain heat 61 80
}
the_other_examples_move_and_compute_the_same() { each_mpi others; }
a_run_moves_where_the_schedule_says_and_computes_the_same() { each_mpi moves; }

in_memory() {
    study=$scratch/memory.parcast
    supervise -s "$study" --engine memory --json --schedule "0:1,1000:2,2000:$(few 3 1),3000:2,4000:1" -- "$(program jacobi)" 150 15000
    [ "$status" = 0 ] || fail "$(told)"
    cp "$scratch/err" "$scratch/result"
    [ "$(bits "$scratch/result")" = "$(plain jacobi 150 15000)" ] || fail "another result: $(told)"
    nothing_is_left
    if [ "$kind" = openmpi ]; then
        [ "$(grep -c '"in_memory": true' "$scratch/out")" = 4 ] || fail "not all moves were made in memory: $(told)"
    else
        grep -q "cannot spawn ranks" "$scratch/err" || [ "$(grep -c '"in_memory": true' "$scratch/out")" = 4 ] || fail "nothing was said: $(told)"
    fi
}
ranks_are_added_and_retired_in_memory_where_the_mpi_can() { each_mpi in_memory; }

# Ranks are spawned while the program computes, so nothing is lost: it goes on by a restart and stays out of memory.
hangs() {
    plain jacobi 61 4000 >/dev/null
    LD_PRELOAD="$BUILD/tests/elastic/hung_spawn.so" HUNG_PROGRAM=elastic_jacobi HUNG_MARK="$scratch/hung" timeout 250 \
        "$BUILD/tests/supervise_hosts" "$scratch/hang" - 0:1:1,200:2:1 "$(program jacobi)" 61 4000 >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
    [ -e "$scratch/hung" ] || fail "nothing hung: $(told)"
    grep -q "the resize in memory hangs" "$scratch/err" || fail "the hang went unnoticed: $(told)"
    same_as_plain jacobi 61 4000
    grep -q "event: iteration 200, 1 to 2 nodes" "$scratch/err" || fail "it did not go on from where it stood: $(told)"
}
a_resize_that_hangs_costs_a_restart() {
    no_sanitizer
    case " $MPIS " in *" openmpi "*) ;; *) skip "no Open MPI" ;; esac
    kind=openmpi
    hangs
}

# A program that needs the elastic library opens it some time: a launcher that starts no rank is started again.
starts_again() {
    plain jacobi 61 400 >/dev/null
    rm -f "$scratch/hung"
    printf '#!/bin/sh\ncase "$*" in *elastic_*) [ -e "%s" ] || { touch "%s"; exec sleep 1000; } ;; esac\nexec mpiexec.%s "$@"\n' \
        "$scratch/hung" "$scratch/hung" "$kind" >"$scratch/launcher"
    chmod +x "$scratch/launcher"
    LAUNCHER="$scratch/launcher" PATIENCE=1 timeout 250 "$BUILD/tests/supervise_hosts" "$scratch/again" - 0:1:1 "$(program jacobi)" 61 400 \
        >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
    grep -q "1 node did not come up within 1 s: the launcher is ended" "$scratch/err" || fail "the hang went unnoticed: $(told)"
    same_as_plain jacobi 61 400
}
a_launcher_that_hangs_at_the_start_is_started_again() { each_mpi starts_again; }

# 3 ranks at the start: none of them was spawned, so none can be retired.
falls_back() {
    study=$scratch/fall.parcast
    supervise -s "$study" --engine memory --schedule 0:3,200:2 -- "$(program jacobi)" 61 4000
    same_as_plain jacobi 61 4000
    grep -q "only whole groups" "$scratch/err" || fail "nothing was said: $(told)"
}
what_cannot_be_done_in_memory_is_done_by_a_restart() {
    case " $MPIS " in *" openmpi "*) ;; *) skip "no Open MPI" ;; esac
    one_mpi falls_back
}

goals() {
    study=$scratch/goal.parcast
    "$PARCAST" record -q -s "$study" -n 1,2 -- "$(program jacobi)" 200 2000 >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
    supervise -s "$study" --deadline 10m --nodes 1-2 --json -- "$(program jacobi)" 200 2000
    [ "$status" = 0 ] || fail "$(told)"
    cp "$scratch/err" "$scratch/result"
    [ "$(bits "$scratch/result")" = "$(plain jacobi 200 2000)" ] || fail "another result: $(told)"
    grep -q '"deadline_met": true' "$scratch/out" || fail "a deadline of ten minutes was missed: $(told)"
    grep -q '"forecast_s": [0-9]' "$scratch/out" || fail "no forecast: $(told)"
    supervise -s "$study" --deadline 0.001 --nodes 1-2 --json -- "$(program jacobi)" 200 2000
    [ "$status" = 0 ] || fail "a run that misses its deadline goes on: $(told)"
    grep -q 'deadline of .* will be missed' "$scratch/err" || fail "nothing was said: $(told)"
    grep -q '"deadline_met": false' "$scratch/out" || fail "$(told)"
}
# learned TEXT ARG...: a run with a deadline, no recorded run and ARG says TEXT. It takes two seconds on any machine.
learned() {
    said=$1
    shift
    supervise "$@" --deadline 10m --nodes 1-2 --json -- "$(paced)" 1000 2000 - 1
    [ "$status" = 0 ] || fail "$(told)"
    grep -q ": correct" "$scratch/err" || fail "no result: $(told)"
    grep -q "$said" "$scratch/err" || fail "it did not say '$said': $(told)"
    grep -q '"forecast_s": [0-9]' "$scratch/out" || fail "it did not learn: $(told)"
}
learns() {
    study=$scratch/learn.parcast
    learned "nothing is known of the program yet"
    learned "nothing is known of the program yet" -s "$study"
    learned "an earlier elastic run is the forecast" -s "$study"
    study=$scratch/fixed.parcast
    supervise -s "$study" --nodes 1 -- "$(paced)" 1000 2000 - 1
    learned "an earlier elastic run is the forecast" -s "$study"
}
without_a_recorded_run_it_learns_and_keeps_what_it_learned() { one_mpi learns; }

# The same program and arguments under two paths are two problems of a study.
two_paths() {
    study=$scratch/paths.parcast
    mkdir -p "$scratch/copy"
    cp "$(program jacobi)" "$scratch/copy/"
    copy="$scratch/copy/$(basename "$(program jacobi)")"
    for path in "$copy" "$(program jacobi)"; do
        "$PARCAST" record -q -s "$study" -n 1,2 -- "$path" 200 2000 >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
    done
    for path in "$copy" "$(program jacobi)"; do
        supervise -s "$study" --deadline 10m --json -- "$path" 200 2000
        [ "$status" = 0 ] || fail "$(told)"
        ! grep -q "no recorded run" "$scratch/err" || fail "the recorded runs were not found: $(told)"
    done
}
a_program_that_was_recorded_under_two_paths_has_a_forecast() { one_mpi two_paths; }

a_deadline_is_met_or_said_to_be_missed_from_the_start() { one_mpi goals; }

stays() {
    supervise --no-overlap --nodes 2 -- "$(program jacobi)" 61 80
    same_as_plain jacobi 61 80
}
a_run_that_does_not_move_computes_the_same() { each_mpi stays; }

no_overlap() {
    supervise --no-overlap --schedule 0:2,20:1,40:2 -- "$(program jacobi)" 61 80
    same_as_plain jacobi 61 80
}
a_run_moves_without_overlap_too() { one_mpi no_overlap; }

again() {
    supervise --json --schedule 0:2,20:2,40:2 -- "$(program jacobi)" 61 80
    [ "$(grep -c '"from_nodes": 2' "$scratch/out")" = 2 ] || fail "it was not launched twice more: $(told)"
    mv "$scratch/err" "$scratch/out"
    same_as_plain jacobi 61 80
}
the_same_size_again_launches_the_ranks_anew() { one_mpi again; }

arrays_of_every_kind() {
    for how in "" --no-overlap "--engine memory"; do
        # shellcheck disable=SC2086 # words
        supervise --json $how --schedule 0:1,3:2,6:1,9:2 -- "$BUILD/tests/elastic_shapes.$kind" 12
        [ "$status" = 0 ] && grep -q "shapes: 0 wrong" "$scratch/err" || fail "$how: $(told)"
        [ "$(grep -c '"pause_s"' "$scratch/out")" = 3 ] || fail "$how: not all moves: $(told)"
    done
    [ "$kind" = openmpi ] || return 0
    supervise --schedule 0:3,3:4,6:2,9:4 -- "$BUILD/tests/elastic_shapes.$kind" 12
    [ "$status" = 0 ] && grep -q "shapes: 0 wrong" "$scratch/out" || fail "$(told)"
}
arrays_of_every_kind_move_whole() { each_mpi arrays_of_every_kind; }

# Sizes change at every iteration.
restless() {
    schedule=$(awk 'BEGIN { for (i = 0; i < 12; i++) printf "%s%d:%d", i ? "," : "", i, i % 2 ? 2 : 1 }')
    supervise --schedule "$schedule" -- "$(program jacobi)" 61 80
    same_as_plain jacobi 61 80
}
a_move_at_every_iteration_loses_nothing() { one_mpi restless; }

has_mark() { [ -e "$scratch/mark" ]; }
ranks() { pgrep -f "^$(paced) " || true; }
no_rank_lives() { [ -z "$(ranks)" ]; }

killed_rank() {
    begin killed_rank
    supervise_paced -s "$study" --nodes 2 --checkpoint-every 40ms &
    run=$!
    status=running
    until_committed 2
    # shellcheck disable=SC2046 # words
    kill -9 $(ranks | tail -n 1)
    until_said "resumed at iteration [1-9]"
    open_gate
    wait $run
    status=0
    grep -q "crash" "$scratch/err" || fail "the crash went unnoticed: $(told)"
    same_as_plain_paced
    nothing_is_left
}
a_killed_rank_costs_no_more_than_the_way_from_the_last_checkpoint() { one_mpi killed_rank; }

# A run whose supervisor is killed when it has so many checkpoints.
kill_supervisor() { # CHECKPOINTS
    begin_paced -s "$study" --nodes 2 --checkpoint-every 40ms
    until_committed "$1"
    kill -9 $run
    wait $run || true
    until_true no_rank_lives || fail "ranks live on: $(ranks)"
    open_gate
}
killed_supervisor() {
    begin killed_supervisor
    kill_supervisor 2
    supervise_paced -s "$study" --nodes 1
    grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "it did not resume: $(told)"
    same_as_plain_paced
    nothing_is_left
}
a_second_run_goes_on_where_a_killed_supervisor_was() { one_mpi killed_supervisor; }

interrupted() {
    begin interrupted
    begin_paced -s "$study" --nodes 2
    until_runs
    kill -TERM $run
    wait $run && status=0 || status=$?
    [ "$status" = 143 ] || fail "SIGTERM should end it with 143: $(told)"
    open_gate
    supervise_paced -s "$study" --nodes 1
    grep -q "resumed at iteration" "$scratch/err" || fail "it did not resume: $(told)"
    same_as_plain_paced
}
a_run_that_is_interrupted_writes_a_checkpoint_first() { one_mpi interrupted; }

# A run stopped with two checkpoints, whose newest is then damaged.
damaged() {
    begin "$1"
    kill_supervisor 3
    newest=$(find "$study".run-* -name 'checkpoint.[0-9]*' | sed 's/.*\.//' | sort -n | tail -n 1)
    [ "$(find "$study".run-* -name 'checkpoint.[0-9]*' | wc -l)" -ge 2 ] || fail "there are no two checkpoints"
    piece=$(sed -n 's/^piece 1 .* \(\/.*\)$/\1/p' "$study".run-*/checkpoint."$newest")
    "$1"
    supervise_paced -s "$study" --nodes 1
    grep -q "$2" "$scratch/err" || fail "the damage went unnoticed: $(told)"
    grep -q "resumed at iteration [1-9]" "$scratch/err" || fail "the checkpoint before was not taken: $(told)"
    same_as_plain_paced
}
flip_a_byte() { printf '\377\376\375\374' | dd of="$piece" bs=1 seek=300000 conv=notrunc 2>/dev/null; }
cut_it() { truncate -s 100000 "$piece"; }
remove_it() { rm "$piece"; }
damage_the_manifest() { sed -i 's/^iteration .*/iteration 7/' "$study".run-*/checkpoint."$newest"; }
a_flipped_byte_is_found_and_the_checkpoint_before_it_taken() { one_mpi damaged flip_a_byte "block 1 of the piece of rank 1"; }
a_cut_piece_is_found_and_the_checkpoint_before_it_taken() { one_mpi damaged cut_it "is cut"; }
a_missing_piece_is_found_and_the_checkpoint_before_it_taken() { one_mpi damaged remove_it "cannot open the piece"; }
a_damaged_manifest_is_found_and_the_checkpoint_before_it_taken() { one_mpi damaged damage_the_manifest "does not fit its checksum"; }

second() {
    begin second
    begin_paced -s "$study" --nodes 1
    until_runs
    supervise_paced -s "$study" --nodes 1
    [ "$status" = 2 ] || fail "two supervisors of one run: $(told)"
    grep -q "another 'parcast run'" "$scratch/err" || fail "$(told)"
    kill -TERM $run
    wait $run || true
    open_gate
    supervise_paced -s "$study" --nodes 1
    same_as_plain_paced
}
a_run_has_one_supervisor() { one_mpi second; }

# ends_as HOW STATUS: the launcher has a mind of its own when the program is done.
ends_as() {
    printf '#!/bin/sh\nmpiexec.%s "$@" && %s\n' "$kind" "$1" >"$scratch/launcher"
    chmod +x "$scratch/launcher"
    supervise -s "$study" --nodes 2 --mpiexec "$scratch/launcher" -- "$(program jacobi)" 61 80
    [ "$status" = "$2" ] || fail "a launcher that ends by '$1': $(told)"
    nothing_is_left
    status=0
    same_as_plain jacobi 61 80
}
is_complete() {
    ends_as "$1" 0
    grep -q "after all ranks had closed at iteration 80: the run is complete" "$scratch/err" || fail "nothing was said: $(told)"
}
# One of the error numbers of Open MPI; with MPICH it is the program's.
launchers() {
    is_complete "kill -9 \$\$"
    if [ "$kind" = openmpi ]; then is_complete "exit 205"; else ends_as "exit 205" 205; fi
    ends_as "exit 3" 3
    ends_as "exit 255" 255
}
a_launcher_that_fails_after_the_end_does_not_undo_the_work() { each_mpi launchers; }

no_elastic() {
    supervise --nodes 2 -- "$BUILD/examples/heat2d.$kind" 20 5
    [ "$status" = 0 ] || fail "$(told)"
    grep -q "does not open the elastic library" "$scratch/err" || fail "nothing was said: $(told)"
}
a_program_that_is_not_elastic_runs_and_is_named() { one_mpi no_elastic; }

bad_usage() {
    for schedule in "" 0 0:0 1:2 0:2,0:3 0:2,5 0:2,x:1 0:99999999999; do
        supervise --schedule "$schedule" -- "$(program jacobi)" 61 80
        [ "$status" = 2 ] || fail "--schedule '$schedule' was taken: $(told)"
    done
    supervise --nodes 0 -- "$(program jacobi)" 61 80
    [ "$status" = 2 ] || fail "--nodes 0 was taken: $(told)"
    supervise -- "$(program jacobi)"
    [ "$status" = 2 ] || fail "the program's own status is not passed on: $(told)"
}
bad_sizes_are_refused() { one_mpi bad_usage; }

# -------- a fault at every step --------

# At every second one and the first and last of a move, where there is no time.
between=2 moments="1 4"
[ -z "${PARCAST_LONG_TESTS:-}" ] || between=1 moments="1 2 3 4"

faulty() { # WHO HOW NTH [RANK] ARG...
    who=$1 how=$2 nth=$3 rank=$4
    shift 4
    rm -f "$scratch/mark"
    [ "$rank" = - ] || export FAULT_RANK="$rank"
    export FAULT_WHO="$who" FAULT_HOW="$how" FAULT_NTH="$nth" FAULT_MARK="$scratch/mark" LD_PRELOAD="$BUILD/tests/elastic/faulty_io.so"
    supervise "$@"
    unset LD_PRELOAD FAULT_RANK FAULT_WHO
}

# Until the fault is beyond the last step.
killed_ranks() {
    for rank in 0 1; do
        nth=$((1 - between))
        while :; do
            nth=$((nth + between))
            faulty elastic_jacobi kill "$nth" "$rank" -s "$study" --no-overlap --schedule 0:2,20:1 -- "$(program jacobi)" 61 80
            same_as_plain jacobi 61 80
            nothing_is_left
            [ -e "$scratch/mark" ] || break
            [ "$nth" -lt 40 ] || fail "the fault strikes for ever"
        done
        [ "$nth" -ge 5 ] || fail "there were only $nth steps"
    done
}
a_rank_may_be_killed_at_every_step_of_a_checkpoint() { no_sanitizer; one_mpi killed_ranks; }

killed_supervisors() {
    nth=$((1 - between))
    while :; do
        nth=$((nth + between))
        faulty parcast kill "$nth" - -s "$study" --no-overlap --schedule 0:2,20:1 -- "$(program jacobi)" 61 80
        if [ -e "$scratch/mark" ]; then
            [ "$status" = 137 ] || fail "step $nth: it was not killed: $(told)"
            supervise -s "$study" --schedule 0:2,20:1 -- "$(program jacobi)" 61 80
        fi
        same_as_plain jacobi 61 80
        nothing_is_left
        [ -e "$scratch/mark" ] || break
        [ "$nth" -lt 60 ] || fail "the fault strikes for ever"
    done
    [ "$nth" -gt 4 ] || fail "there were only $nth steps"
}
the_supervisor_may_be_killed_at_every_step_of_a_checkpoint() { no_sanitizer; one_mpi killed_supervisors; }

# While the next ranks copy, and while the ones before write their checkpoint behind them. The fault opens the gate.
killed_in_a_move() {
    gate=$scratch/mark
    for nth in $moments; do
        for who in "elastic_paced 0" "elastic_paced 1" "parcast -"; do
            faulty "${who% *}" kill "$nth" "${who#* }" -s "$study" --schedule 0:2,20:1 -- "$(paced)" $cells $steps "$gate" $pace_ms
            [ -e "$scratch/mark" ] || fail "there was no step $nth of $who"
            [ "$status" != 137 ] || supervise_paced -s "$study" --nodes 1
            same_as_plain_paced
            nothing_is_left
        done
    done
}
a_move_from_memory_to_memory_may_be_cut_at_every_step() { no_sanitizer; one_mpi killed_in_a_move; }

not_permitted() {
    for engine in restart memory; do
        faulty elastic_jacobi deny 1 - -s "$study" --engine $engine --schedule 0:1,100:2,200:1 -- "$(program jacobi)" 61 3000
        [ -e "$scratch/mark" ] || fail "nothing was read from memory: $(told)"
        same_as_plain jacobi 61 3000
        nothing_is_left
    done
}
ranks_that_may_not_read_each_other_move_by_checkpoints() { no_sanitizer; one_mpi not_permitted; }

# The checkpoint of the ranks that were left takes a second; meanwhile one of those that go on dies.
behind() {
    begin behind
    rm -f "$scratch/mark"
    faulty elastic_paced slow 5 0 -s "$study" --schedule 0:2,50:1 -- "$(paced)" $cells $steps "$gate" $pace_ms &
    run=$!
    status=running
    until_true has_mark || fail "the fault did not strike"
    # shellcheck disable=SC2046 # words
    kill -9 $(ranks | tail -n 1)
    until_said "resumed at iteration"
    open_gate
    wait $run
    status=0
    grep -q "resumed at iteration 50 " "$scratch/err" || fail "the checkpoint that was under way was not awaited: $(told)"
    same_as_plain_paced
}
a_crash_waits_for_the_checkpoint_that_is_being_written() { no_sanitizer; one_mpi behind; }

full_disk() { # WHO
    for nth in 1 2 3; do
        faulty "$1" full "$nth" - -s "$study" --no-overlap --schedule 0:2,20:1,40:2 -- "$(program jacobi)" 61 80
        same_as_plain jacobi 61 80
        [ ! -e "$scratch/mark" ] || grep -q "not written, the run goes on.*No space left" "$scratch/err" || fail "nothing was said at step $nth: $(told)"
        nothing_is_left
    done
}
a_full_disk_under_the_pieces_does_not_stop_the_run() { no_sanitizer; one_mpi full_disk elastic_jacobi; }
a_full_disk_under_the_manifest_does_not_stop_the_run() { no_sanitizer; one_mpi full_disk parcast; }

no_sanitizer() {
    [ "$SANITIZED" != ON ] || skip "a preloaded library cannot enter a program with AddressSanitizer"
}

run a_run_moves_where_the_schedule_says_and_computes_the_same a_deadline_is_met_or_said_to_be_missed_from_the_start \
    without_a_recorded_run_it_learns_and_keeps_what_it_learned a_program_that_was_recorded_under_two_paths_has_a_forecast \
    ranks_are_added_and_retired_in_memory_where_the_mpi_can \
    a_launcher_that_hangs_at_the_start_is_started_again a_resize_that_hangs_costs_a_restart \
    what_cannot_be_done_in_memory_is_done_by_a_restart the_other_examples_move_and_compute_the_same a_run_that_does_not_move_computes_the_same \
    a_run_moves_without_overlap_too the_same_size_again_launches_the_ranks_anew arrays_of_every_kind_move_whole a_move_at_every_iteration_loses_nothing \
    a_killed_rank_costs_no_more_than_the_way_from_the_last_checkpoint a_second_run_goes_on_where_a_killed_supervisor_was \
    a_run_that_is_interrupted_writes_a_checkpoint_first \
    a_flipped_byte_is_found_and_the_checkpoint_before_it_taken a_cut_piece_is_found_and_the_checkpoint_before_it_taken \
    a_missing_piece_is_found_and_the_checkpoint_before_it_taken a_damaged_manifest_is_found_and_the_checkpoint_before_it_taken \
    a_run_has_one_supervisor a_launcher_that_fails_after_the_end_does_not_undo_the_work a_program_that_is_not_elastic_runs_and_is_named bad_sizes_are_refused \
    a_move_from_memory_to_memory_may_be_cut_at_every_step ranks_that_may_not_read_each_other_move_by_checkpoints \
    a_crash_waits_for_the_checkpoint_that_is_being_written \
    a_rank_may_be_killed_at_every_step_of_a_checkpoint the_supervisor_may_be_killed_at_every_step_of_a_checkpoint \
    a_full_disk_under_the_pieces_does_not_stop_the_run a_full_disk_under_the_manifest_does_not_stop_the_run
