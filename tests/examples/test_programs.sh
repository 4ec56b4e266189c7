#!/bin/sh
# The example programs compute what they say at any number of ranks, and notice when they do not. (heat2d has a test of
# its own.) From CMake besides what lib.sh takes: KIND, the MPI; MOST_RANKS, no more than these.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"

# Sizes that no number of ranks divides, and that take milliseconds.
arguments_of() {
    case $1 in
    cg) echo 211 30 2 ;;
    sort) echo 20011 3 ;;
    lu) echo 61 4 ;;
    kmeans) echo 1009 7 6 ;;
    stencil3d) echo 11 12 3 ;;
    matmul) echo 37 2 ;;
    hydro) echo 6 60 ;;
    esac
}

# launch RANKS PROGRAM [VARIABLE=VALUE...]: its line is left in $scratch/out. Passes on the exit status.
launch() {
    ranks=$1 program=$2
    shift 2
    # shellcheck disable=SC2046 # words
    "mpiexec.$KIND" -n "$ranks" env "$@" "$BUILD/examples/$program.$KIND" $(arguments_of "$program") \
        >"$scratch/out" 2>"$scratch/err"
}
told() { cat "$scratch/out" "$scratch/err"; }

# The line must not change with the number of ranks, except for time, ranks, and what rounding may change.
without_ranks() { sed -e 's/ on [0-9x ]* ranks: [0-9.]* s,/:/' -e 's/\(error\|residual\) [^:]*:/\1:/'; }

right() {
    program=$1
    shift
    for ranks in "$@"; do
        [ "$ranks" -le "$MOST_RANKS" ] || continue
        launch "$ranks" "$program" || fail "$program.$KIND failed on $ranks ranks: $(told)"
        [ "$(wc -l <"$scratch/out")" = 1 ] || fail "$program.$KIND printed more than a line on $ranks ranks: $(told)"
        [ ! -s "$scratch/err" ] || fail "$program.$KIND complained on $ranks ranks: $(told)"
        grep -q "^$program: .* on .*ranks: [0-9.]* s, .*: correct$" "$scratch/out" || fail "$program.$KIND on $ranks ranks: $(told)"
        without_ranks <"$scratch/out" >"$scratch/now"
        [ "$ranks" = 1 ] && cp "$scratch/now" "$scratch/one"
        cmp -s "$scratch/one" "$scratch/now" || fail "$program.$KIND on $ranks ranks differs from 1: $(cat "$scratch/one" "$scratch/now")"
    done
}
cg_finds_the_known_solutions_on_any_number_of_ranks() { right cg 1 2 3 4; }
sort_sorts_the_same_keys_on_any_number_of_ranks() { right sort 1 2 3 4; }
lu_finds_the_same_solution_on_any_number_of_ranks() { right lu 1 2 3 4 7; }
kmeans_finds_the_same_centres_on_any_number_of_ranks() { right kmeans 1 2 3 4; }
matmul_is_exact_on_any_number_of_ranks() { right matmul 1 2 3 4 6; }
stencil3d_follows_the_exact_solution_on_any_number_of_ranks() { right stencil3d 1 2 3 4 8; }
hydro_keeps_its_energy_and_moves_alike_on_any_number_of_ranks() { right hydro 1 2 3 4 8; }

# One bit of what rank 1 receives is wrong, once. Without the fault (a call that is never reached) all is well.
notice() {
    program=$1 call=$2 nth=$3
    set -- LD_PRELOAD="$BUILD/tests/examples/faulty_mpi.$KIND" FAULT_CALL="$call" FAULT_RANK=1
    launch 2 "$program" "$@" FAULT_NTH=1000000 || fail "$program.$KIND fails under a faultless MPI: $(told)"
    if launch 2 "$program" "$@" FAULT_NTH="$nth"; then
        fail "$program.$KIND did not notice the fault in $call number $nth: $(told)"
    fi
    grep -q ': WRONG$' "$scratch/out" || fail "$program.$KIND broke down at the fault in $call: $(told)"
}
cg_notices_a_wrong_entry_and_a_wrong_sum() {
    notice cg MPI_Allgatherv 3
    notice cg MPI_Allreduce 4
}
sort_notices_a_wrong_key() { notice sort MPI_Alltoallv 2; }
lu_notices_a_wrong_entry_of_a_panel() { notice lu MPI_Bcast 2; }
# The last of its two products counts.
matmul_notices_a_wrong_entry() { notice matmul MPI_Allgatherv 4; }
kmeans_notices_a_wrong_sum() { notice kmeans MPI_Allreduce 4; }
stencil3d_notices_a_wrong_face() { notice stencil3d MPI_Waitall 5; }
hydro_notices_a_time_step_that_differs() { notice hydro MPI_Allreduce 50; }

# refuse PROGRAM ARGUMENTS...: one process without a launcher is enough.
refuse() {
    program=$1
    shift
    for arguments in "$@"; do
        # shellcheck disable=SC2086 # words
        "$BUILD/examples/$program.$KIND" $arguments >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
        [ $status = 2 ] || fail "$program took '$arguments'"
        [ ! -s "$scratch/out" ] || fail "$program computed something for '$arguments'"
        grep -qE "^(usage: $program|$program: )" "$scratch/err" || fail "$program said nothing about '$arguments'"
    done
}
programs_refuse_what_they_cannot_do() {
    refuse cg "63" "1000 3" "64 64" "1000 4 0" "1000 4 1 1" "many"
    refuse sort "0" "10 0" "10 1 1" "1e6"
    refuse lu "0" "10 0" "10 2 1" "-5"
    refuse hydro "0" "5 0" "5 1 1" "many"
    refuse kmeans "0" "10 11" "10 2 0" "10 2 1 1"
    refuse matmul "0" "10 0" "10 1 1" "x"
    refuse stencil3d "1" "8 0" "8 1 0" "8 1 65" "8 1 1 1" "2 100000"
}

run cg_finds_the_known_solutions_on_any_number_of_ranks sort_sorts_the_same_keys_on_any_number_of_ranks \
    lu_finds_the_same_solution_on_any_number_of_ranks kmeans_finds_the_same_centres_on_any_number_of_ranks \
    stencil3d_follows_the_exact_solution_on_any_number_of_ranks matmul_is_exact_on_any_number_of_ranks \
    hydro_keeps_its_energy_and_moves_alike_on_any_number_of_ranks hydro_notices_a_time_step_that_differs \
    cg_notices_a_wrong_entry_and_a_wrong_sum sort_notices_a_wrong_key lu_notices_a_wrong_entry_of_a_panel \
    kmeans_notices_a_wrong_sum matmul_notices_a_wrong_entry stencil3d_notices_a_wrong_face programs_refuse_what_they_cannot_do
