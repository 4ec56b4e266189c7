/*
 * Decisions against the libraries' tables, and rounds against what the operation must do: the blocks that
 * each member holds are followed from round to round.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collective/rounds.h"

/* ---- decisions ---- */

static void decisions_are_those_of_the_libraries(void **state)
{
    (void)state;
    static const struct {
        enum collective_library library;
        enum collective_operation operation;
        int n_ranks;
        double bytes;
        enum collective_algorithm algorithm;
    } cases[] = {
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 3, 4, ALGORITHM_RING},
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 3, 8, ALGORITHM_RECURSIVE_DOUBLING},
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 8, 8191, ALGORITHM_RECURSIVE_DOUBLING},
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 8, 8192, ALGORITHM_RABENSEIFNER_HALVES},
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 5000, 1e9, ALGORITHM_RABENSEIFNER_HALVES},
        {LIBRARY_OPENMPI, OPERATION_ALLGATHER, 2, 1e6, ALGORITHM_TWO_RANKS},
        {LIBRARY_OPENMPI, OPERATION_ALLGATHER, 16, 1e6, ALGORITHM_RECURSIVE_DOUBLING},
        {LIBRARY_OPENMPI, OPERATION_ALLGATHER, 12, 1e6, ALGORITHM_BRUCK},
        {LIBRARY_OPENMPI, OPERATION_ALLGATHERV, 16, 1e6, ALGORITHM_RING},
        {LIBRARY_OPENMPI, OPERATION_ALLGATHERV, 5, 1e6, ALGORITHM_RING}, /* neighbor needs an even count */
        {LIBRARY_OPENMPI, OPERATION_ALLTOALLV, 3, 1, ALGORITHM_PAIRWISE_SHIFT},
        {LIBRARY_OPENMPI, OPERATION_ALLTOALLV, 16, 1, ALGORITHM_LINEAR},
        {LIBRARY_OPENMPI, OPERATION_BCAST, 4, 2e6, ALGORITHM_PIPELINE}, /* chains without fan-out */
        {LIBRARY_OPENMPI, OPERATION_REDUCE_SCATTER_BLOCK, 9, 64, ALGORITHM_BUTTERFLY},
        {LIBRARY_OPENMPI, OPERATION_SCAN, 4, 4, ALGORITHM_LINEAR},
        {LIBRARY_OPENMPI, OPERATION_BARRIER, 4, 0, ALGORITHM_LINEAR},
        {LIBRARY_OPENMPI, OPERATION_BARRIER, 8, 0, ALGORITHM_RECURSIVE_DOUBLING},
        {LIBRARY_MPICH, OPERATION_BCAST, 16, 12288, ALGORITHM_BINOMIAL},
        {LIBRARY_MPICH, OPERATION_BCAST, 16, 12289, ALGORITHM_SCATTER_RECURSIVE_DOUBLING},
        {LIBRARY_MPICH, OPERATION_BCAST, 12, 1e6, ALGORITHM_SCATTER_RING},
        {LIBRARY_MPICH, OPERATION_ALLREDUCE, 16, 1 << 20, ALGORITHM_RABENSEIFNER},
        {LIBRARY_MPICH, OPERATION_ALLGATHER, 12, 100, ALGORITHM_BRUCK},
        {LIBRARY_MPICH, OPERATION_ALLTOALL, 16, 1 << 20, ALGORITHM_PAIRWISE_XOR},
        {LIBRARY_MPICH, OPERATION_ALLTOALL, 16, 256, ALGORITHM_BRUCK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(
            collective_algorithm_name(collective_decide(cases[i].library, cases[i].operation,
                                                        cases[i].n_ranks, cases[i].bytes, cases[i].bytes)),
            collective_algorithm_name(cases[i].algorithm));
    /* of 8 bytes each: fewer elements than ranks */
    assert_int_equal(collective_decide(LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 3, 4, 0),
                     ALGORITHM_RECURSIVE_DOUBLING);
    assert_int_equal(collective_decide(LIBRARY_MPICH, OPERATION_ALLREDUCE, 64, 256, 0),
                     ALGORITHM_RECURSIVE_DOUBLING);
    assert_int_equal(collective_decide(LIBRARY_MPICH, OPERATION_ALLREDUCE, 64, 512, 0),
                     ALGORITHM_RABENSEIFNER);
    assert_int_equal(collective_library_of("Open MPI 4.1.4"), LIBRARY_OPENMPI);
    assert_int_equal(collective_library_of("MPICH 4.0.2"), LIBRARY_MPICH);
    assert_int_equal(collective_library_of(NULL), LIBRARY_MPICH);
    assert_int_equal(collective_algorithm_named("knomial"), ALGORITHM_KNOMIAL);
    assert_int_equal(collective_algorithm_named("no such"), COLLECTIVE_ALGORITHMS);
}

static void mpich_looks_at_nodes(void **state)
{
    (void)state;
    static const struct {
        enum collective_library library;
        enum collective_operation operation;
        int n_ranks, n_nodes;
        bool consecutive;
        double bytes;
        enum collective_hierarchy hierarchy;
    } cases[] = {
        {LIBRARY_OPENMPI, OPERATION_ALLREDUCE, 16, 4, true, 8, HIERARCHY_FLAT},
        {LIBRARY_MPICH, OPERATION_ALLREDUCE, 16, 16, true, 8, HIERARCHY_FLAT},
        {LIBRARY_MPICH, OPERATION_ALLREDUCE, 16, 4, true, 1e6, HIERARCHY_LEADERS},
        {LIBRARY_MPICH, OPERATION_ALLREDUCE, 16, 1, true, 8, HIERARCHY_LEADERS},
        {LIBRARY_MPICH, OPERATION_BCAST, 16, 4, true, 12287, HIERARCHY_LEADERS},
        {LIBRARY_MPICH, OPERATION_BCAST, 16, 4, true, 12288, HIERARCHY_ROOT_NODE},
        {LIBRARY_MPICH, OPERATION_BCAST, 12, 4, true, 12288, HIERARCHY_FLAT},
        {LIBRARY_MPICH, OPERATION_BCAST, 16, 4, true, 1 << 19, HIERARCHY_FLAT},
        {LIBRARY_MPICH, OPERATION_REDUCE, 16, 4, true, 2048, HIERARCHY_ROOT_NODE},
        {LIBRARY_MPICH, OPERATION_REDUCE, 16, 4, true, 2049, HIERARCHY_LEADERS},
        {LIBRARY_MPICH, OPERATION_SCAN, 16, 4, false, 8, HIERARCHY_FLAT},
        {LIBRARY_MPICH, OPERATION_SCAN, 16, 4, true, 8, HIERARCHY_LEADERS},
        {LIBRARY_MPICH, OPERATION_ALLTOALL, 16, 4, true, 8, HIERARCHY_FLAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(collective_hierarchy_of(cases[i].library, cases[i].operation, cases[i].n_ranks,
                                                 cases[i].n_nodes, cases[i].consecutive, cases[i].bytes),
                         cases[i].hierarchy);
}

/* ---- rounds ---- */

enum { MOST = 33 };

struct sums {
    int n;
    double in[MOST], out[MOST]; /* bytes, rounds times repetitions */
    double round_in[MOST], round_out[MOST];
    bool has[MOST]; /* members that something of member 0 has reached, by the end of the last round */
    bool gets[MOST];
    double rounds;
};

static void message(void *context, int from, int to, double bytes)
{
    struct sums *s = context;
    assert_true(from >= 0 && from < s->n && to >= 0 && to < s->n && from != to && bytes >= 0);
    s->round_out[from] += bytes;
    s->round_in[to] += bytes;
    s->gets[to] = s->gets[to] || s->has[from];
}

static void all_pairs(void *context, double bytes)
{
    struct sums *s = context;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (i != j) message(context, i, j, bytes);
}

static void end_round(void *context, double times)
{
    struct sums *s = context;
    for (int i = 0; i < s->n; i++) {
        s->in[i] += times * s->round_in[i];
        s->out[i] += times * s->round_out[i];
        s->round_in[i] = s->round_out[i] = 0;
        s->has[i] = s->has[i] || s->gets[i];
    }
    s->rounds += times;
}

static void walk(enum collective_operation operation, enum collective_algorithm algorithm, int n,
                 double bytes, struct sums *sums)
{
    const struct collective_visitor visitor = {sums, message, all_pairs, end_round};
    *sums = (struct sums){.n = n, .has = {true}};
    collective_rounds(operation, algorithm, n, bytes, &visitor);
}

/* Every member must end up with the blocks of all others: those of its size, no less, and without waste. */
static void allgathers_bring_every_block_once(void **state)
{
    (void)state;
    static const enum collective_algorithm any[] = {ALGORITHM_RING, ALGORITHM_BRUCK};
    struct sums s;
    for (int n = 2; n <= MOST; n++) {
        for (size_t a = 0; a < 2; a++) {
            walk(OPERATION_ALLGATHER, any[a], n, 100, &s);
            for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 100 * (n - 1), 1e-6);
        }
        if (n % 2 == 0) {
            walk(OPERATION_ALLGATHER, ALGORITHM_NEIGHBOR, n, 100, &s);
            for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 100 * (n - 1), 1e-6);
        }
        if ((n & (n - 1)) == 0) {
            walk(OPERATION_ALLGATHER, ALGORITHM_RECURSIVE_DOUBLING, n, 100, &s);
            for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 100 * (n - 1), 1e-6);
        }
    }
}

static void broadcasts_reach_everybody(void **state)
{
    (void)state;
    struct sums s;
    for (int algorithm = 0; algorithm < COLLECTIVE_ALGORITHMS; algorithm++)
        for (int n = 2; n <= MOST; n++) {
            walk(OPERATION_BCAST, (enum collective_algorithm)algorithm, n, 64 * 33, &s);
            for (int i = 0; i < n; i++) {
                assert_true(s.has[i]);
                assert_true(i == 0 || s.in[i] > 0);
            }
        }
    walk(OPERATION_BCAST, ALGORITHM_BINOMIAL_ASCENDING, 16, 1000, &s);
    for (int i = 1; i < 16; i++) assert_float_equal(s.in[i], 1000, 1e-9);
    assert_float_equal(s.out[1], 3000, 1e-9); /* to 3, 5 and 9 */
    walk(OPERATION_BCAST, ALGORITHM_BINOMIAL, 16, 1000, &s);
    for (int i = 1; i < 16; i++) assert_float_equal(s.in[i], 1000, 1e-9);
    assert_float_equal(s.out[0], 4000, 1e-9);
    assert_float_equal(s.rounds, 4, 0);
}

static void gathers_and_scatters_move_every_block(void **state)
{
    (void)state;
    struct sums s;
    static const enum collective_algorithm algorithms[] = {ALGORITHM_LINEAR, ALGORITHM_BINOMIAL};
    for (size_t a = 0; a < 2; a++)
        for (int n = 2; n <= MOST; n++) {
            walk(OPERATION_GATHER, algorithms[a], n, 10, &s);
            assert_float_equal(s.in[0], 10 * (n - 1), 1e-9);
            walk(OPERATION_SCATTER, algorithms[a], n, 10, &s);
            assert_float_equal(s.out[0], 10 * (n - 1), 1e-9);
        }
}

static void all_to_alls_send_a_block_to_every_other(void **state)
{
    (void)state;
    struct sums s;
    for (int n = 2; n <= 32; n++) {
        walk(OPERATION_ALLTOALL, ALGORITHM_LINEAR, n, 10, &s);
        for (int i = 0; i < n; i++) assert_float_equal(s.in[i] + s.out[i], 20 * (n - 1), 1e-9);
        walk(OPERATION_ALLTOALL, ALGORITHM_PAIRWISE_SHIFT, n, 10, &s);
        for (int i = 0; i < n; i++) assert_float_equal(s.in[i] + s.out[i], 20 * (n - 1), 1e-9);
    }
    walk(OPERATION_ALLTOALL, ALGORITHM_PAIRWISE_XOR, 16, 10, &s);
    for (int i = 0; i < 16; i++) assert_float_equal(s.in[i], 150, 1e-9);
    walk(OPERATION_ALLTOALL, ALGORITHM_BRUCK, 16, 10, &s);
    for (int i = 0; i < 16; i++) assert_float_equal(s.in[i], 4 * 8 * 10, 1e-9);
}

/* 2 (p - 1)/p of the vector, plus what folding costs. */
static void long_allreduces_move_twice_the_vector(void **state)
{
    (void)state;
    struct sums s;
    for (int n = 2; n <= 32; n *= 2) {
        walk(OPERATION_ALLREDUCE, ALGORITHM_RABENSEIFNER, n, 4096, &s);
        for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 2 * 4096.0 * (n - 1) / n, 1e-6);
        walk(OPERATION_ALLREDUCE, ALGORITHM_RING, n, 4096, &s);
        for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 2 * 4096.0 * (n - 1) / n, 1e-6);
        walk(OPERATION_ALLREDUCE, ALGORITHM_RECURSIVE_DOUBLING, n, 8, &s);
        for (int i = 0; i < n; i++) assert_float_equal(s.in[i], 8 * s.rounds, 1e-9);
    }
    walk(OPERATION_ALLREDUCE, ALGORITHM_RECURSIVE_DOUBLING, 6, 8, &s); /* fold, two exchanges, back */
    assert_float_equal(s.rounds, 4, 0);
}

static void every_operation_stays_among_its_members(void **state)
{
    (void)state;
    struct sums s;
    for (int operation = 0; operation < OPERATION_NEIGHBOR_ALLGATHER; operation++)
        for (int algorithm = 0; algorithm < COLLECTIVE_ALGORITHMS; algorithm++)
            for (int n = 1; n <= MOST; n++) {
                bool needs_power = algorithm == ALGORITHM_PAIRWISE_XOR && (n & (n - 1)) != 0;
                bool needs_even = algorithm == ALGORITHM_NEIGHBOR && n % 2;
                if (needs_power || needs_even) continue;
                walk((enum collective_operation)operation, (enum collective_algorithm)algorithm, n, 1e5, &s);
                assert_true(n == 1 ? s.rounds == 0 : s.rounds > 0);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_are_those_of_the_libraries),
        cmocka_unit_test(mpich_looks_at_nodes),
        cmocka_unit_test(allgathers_bring_every_block_once),
        cmocka_unit_test(broadcasts_reach_everybody),
        cmocka_unit_test(gathers_and_scatters_move_every_block),
        cmocka_unit_test(all_to_alls_send_a_block_to_every_other),
        cmocka_unit_test(long_allreduces_move_twice_the_vector),
        cmocka_unit_test(every_operation_stays_among_its_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
