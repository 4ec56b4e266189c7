#!/bin/sh
# heat2d does what it says, with every MPI that is installed.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
heat2d=$BUILD/examples/heat2d

# launch KIND RANKS ARG...
launch() {
    kind=$1 ranks=$2
    shift 2
    "mpiexec.$kind" -n "$ranks" "$heat2d.$kind" "$@"
}
each_mpi() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    for kind in $MPIS; do "$@"; done
}

cool() {
    for ranks in 1 2 3 4; do
        launch "$kind" $ranks 24 12 >"$scratch/out" || fail "heat2d.$kind failed on $ranks ranks: $(cat "$scratch/out")"
        grep -q '24 x 24 points, 12 steps .*: correct$' "$scratch/out" || fail "heat2d.$kind on $ranks ranks printed: $(cat "$scratch/out")"
    done
}
heat2d_is_correct_on_one_to_four_ranks() { each_mpi cool; }

compare() {
    for ranks in 1 4; do
        launch "$kind" $ranks -k 5 21 13 | sed -n 's/.*last change \([^,]*\),.*/\1/p' >"$scratch/change.$ranks"
    done
    cmp "$scratch/change.1" "$scratch/change.4" || fail "heat2d.$kind changes with the number of ranks"
}
heat2d_does_not_depend_on_the_number_of_ranks() { each_mpi compare; }

# One process without a launcher is enough to be refused.
heat2d_refuses_what_it_cannot_do() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    program=$heat2d.${MPIS%% *}
    for arguments in "" "10" "1 5" "10 0" "10 5 3" "ten 5" "-k 0 10 5" "2 100000"; do
        # shellcheck disable=SC2086 # words
        if "$program" $arguments >"$scratch/out" 2>&1; then fail "heat2d took '$arguments'"; fi
        grep -qE '^(usage: heat2d|heat2d: )' "$scratch/out" || fail "heat2d said nothing about '$arguments'"
    done
}

run heat2d_is_correct_on_one_to_four_ranks heat2d_does_not_depend_on_the_number_of_ranks heat2d_refuses_what_it_cannot_do
