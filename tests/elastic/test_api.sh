#!/bin/sh
# The library as a program uses it: every distribution and type under a change of size at every step, by both engines, in C and
# Fortran; and one clear message for each mistake.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"

each_mpi() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    for kind in $MPIS; do "$@"; done
}
# The MPI has no part in it; MPICH, if it is there: its launcher is the one that may lose what a rank says at its end.
one_mpi() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    kind=${MPIS%% *}
    "$@"
}
few() { [ "$kind" = openmpi ] && echo "$1" || echo "$2"; } # of MPICH no more ranks than cores: they spin while they wait

# ranks N PROGRAM ARG...: without a supervisor; leaves status and out
ranks() {
    n=$1
    shift
    timeout 250 "mpiexec.$kind" -n "$n" "$@" >"$scratch/out" 2>&1 && status=0 || status=$?
}
told() { echo "$kind, status $status: $(cat "$scratch/out")"; }

# at_every_step ENGINE PROGRAM ITERATIONS: all changes are made, each in its iteration
at_every_step() {
    schedule="0:1,1:2,2:$(few 4 1),3:$(few 3 2),4:1,5:$(few 4 2),6:$(few 2 1),7:$(few 3 2),8:1"
    timeout 250 "$PARCAST" run --json --engine "$1" --schedule "$schedule" -- "$2.$kind" "$3" >"$scratch/json" 2>"$scratch/out" && status=0 || status=$?
    [ "$status" = 0 ] || fail "$1: $(told)"
    grep -q ": 0 wrong" "$scratch/out" || fail "$1: $(told)"
    [ "$(jq -r '[.events[].iteration] | join(" ")' "$scratch/json")" = "1 2 3 4 5 6 7 8" ] || fail "$1: not every step: $(cat "$scratch/json")"
}
both_engines() {
    [ "$kind" = openmpi ] && at_every_step memory "$1" 11 # MPICH cannot spawn
    at_every_step restart "$1" 11
}
arrays_of_every_kind_change_their_size_at_every_step() { each_mpi both_engines "$BUILD/tests/elastic_shapes"; }
fortran() {
    [ -x "$BUILD/tests/elastic_types.$kind" ] || skip "no Fortran compiler"
    ranks 2 "$BUILD/tests/elastic_types.$kind" 11
    [ "$status" = 0 ] || fail "$(told)"
    both_engines "$BUILD/tests/elastic_types"
}
fortran_arrays_of_every_type_change_their_size_at_every_step() { each_mpi fortran; }

# mistake NAME TEXT: it ends in failure, and the text is said once
mistake() {
    ranks 2 "$BUILD/tests/elastic_misuse.$kind" "$1"
    [ "$status" != 0 ] || fail "$1 is taken: $(told)"
    [ "$(grep -c "parcast elastic: .*error: " "$scratch/out")" = 1 ] || fail "$1 is not said once: $(told)"
    grep -q "parcast elastic: .*error: .*$2" "$scratch/out" || fail "$1: $(told)"
}
mistakes() {
    ranks 2 "$BUILD/tests/elastic_misuse.$kind" none
    [ "$status" = 0 ] || fail "$(told)"
    grep -q "misuse: done" "$scratch/out" || fail "$(told)"
    mistake no-open "parcast_elastic_safe_point has no handle: parcast_elastic_open comes before it"
    mistake no-comm "MPI_COMM_NULL"
    mistake open-twice "parcast_elastic_open is called again"
    mistake no-shape "parcast_elastic_add has no shape"
    mistake no-name "a name has 1 to 63 letters"
    mistake no-size "array 'u': a dimension has no indices"
    mistake too-large "array 'u' has more than 2^62 bytes"
    mistake twice "'u' is registered twice"
    mistake no-memory "value 'z'"
    mistake other-size "rank 1 registers array 'u' (41 block, 8 bytes each) where rank 0 registers array 'u' (40 block, 8 bytes each)"
    mistake other-order "rank 1 registers value 'y' (8 bytes) where rank 0 registers value 'x' (8 bytes)"
    mistake one-more "rank 1 registers nothing where rank 0 registers value 'y' (8 bytes)"
    mistake point-first "parcast_elastic_first_iteration comes before the first safe point"
    mistake late "'v' comes after the first iteration"
    mistake after-close "nothing comes after parcast_elastic_close"
    ranks 1 "$BUILD/tests/elastic_misuse.$kind" no-init
    grep -q "MPI_Init comes before parcast_elastic_open" "$scratch/out" || fail "$(told)"
    ranks 2 "$BUILD/tests/elastic_misuse.$kind" no-close
    grep -q "parcast_elastic_close comes before MPI_Finalize" "$scratch/out" || fail "$(told)"
}
every_mistake_gets_one_message() { one_mpi mistakes; }

stays() {
    timeout 250 "$PARCAST" run --schedule 0:1,3:2 -- "$BUILD/tests/elastic_misuse.$kind" stays >"$scratch/out" 2>&1 && status=0 || status=$?
    grep -q "a safe point comes after one that said to leave" "$scratch/out" || fail "$(told)"
}
a_program_that_does_not_leave_hears_of_it() { one_mpi stays; }

# unclosed NAME STATUS TEXT: it ends in order, so it would end there again
unclosed() {
    timeout 250 "$PARCAST" run --json --nodes 2 -- "$BUILD/tests/elastic_misuse.$kind" "$1" >"$scratch/json" 2>"$scratch/out" && status=0 || status=$?
    [ "$status" = "$2" ] || fail "$1: $(told)"
    [ "$(grep -c "without parcast_elastic_close: $3" "$scratch/out")" = 1 ] || fail "$1: $(told)"
    [ "$(grep -c "misuse: done" "$scratch/out")" = 1 ] || fail "$1 ran again: $(told)"
    [ "$(jq -c '[.complete, .crashes, .iterations]' "$scratch/json")" = "[$4,0,10]" ] || fail "$1: $(cat "$scratch/json")"
}
does_not_close() {
    unclosed no-close 0 "it is taken for done" true
    unclosed unfinished 1 "it is not done, and not resumed" false
}
a_program_that_does_not_close_is_not_resumed() { each_mpi does_not_close; }

run arrays_of_every_kind_change_their_size_at_every_step fortran_arrays_of_every_type_change_their_size_at_every_step \
    every_mistake_gets_one_message a_program_that_does_not_leave_hears_of_it \
    a_program_that_does_not_close_is_not_resumed
