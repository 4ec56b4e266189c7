/* Every algorithm of every collective moves what the collective is to move: for all counts of ranks and
 * several roots, with blocks of unequal size where there are such, by segments, and by node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "movement.h"
#include "replay/by_node.h"

static const int64_t unequal[MOVEMENT_RANKS] = {5, 0, 7, 3, 1, 9, 4, 4, 0, 2, 11, 6, 3, 8, 1, 5, 7};

static bool has_root(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_REDUCE ||
           c == PARCAST_COLLECTIVE_GATHER || c == PARCAST_COLLECTIVE_GATHERV ||
           c == PARCAST_COLLECTIVE_SCATTER || c == PARCAST_COLLECTIVE_SCATTERV;
}

static bool has_counts(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_GATHERV || c == PARCAST_COLLECTIVE_SCATTERV ||
           c == PARCAST_COLLECTIVE_ALLGATHERV || c == PARCAST_COLLECTIVE_REDUCE_SCATTER;
}

static unsigned check_roots(struct movement movement)
{
    const uint32_t n = movement.n, roots[] = {0, 1 % n, n / 2, n - 1};
    unsigned n_roots = has_root(movement.collective) ? 4 : 1;
    for (unsigned i = 0; i < n_roots; i++) {
        movement.root = roots[i];
        movement_check(&movement);
    }
    return n_roots;
}

/* Parts of what is composed: those that Open MPI takes for middling sizes. */
static void set_parts(struct schedule_plan *plan, parcast_collective collective)
{
    parcast_collective parts[2];
    if (!schedule_is_composed(collective, plan->algorithm, parts)) return;
    for (int i = 0; i < 2; i++)
        plan->parts[i] = parts[i] == PARCAST_COLLECTIVE_REDUCE  ? ALGORITHM_RABENSEIFNER_HALVES
                         : parts[i] == PARCAST_COLLECTIVE_BCAST ? ALGORITHM_SPLIT_BINARY
                                                                : ALGORITHM_LINEAR;
}

static unsigned check_algorithm(parcast_collective collective, enum collective_algorithm algorithm)
{
    unsigned n_checked = 0;
    for (uint32_t n = 1; n <= MOVEMENT_RANKS; n++) {
        if (!schedule_has(collective, algorithm, n)) continue;
        struct movement movement = {
            .collective = collective, .plan.algorithm = algorithm, .n = n, .bytes = 23, .element_bytes = 1};
        set_parts(&movement.plan, collective);
        n_checked += check_roots(movement);
        movement.bytes = 24;
        movement.element_bytes = 8; /* fewer elements than ranks */
        n_checked += check_roots(movement);
        movement.element_bytes = 1;
        movement.counts = unequal;
        if (has_counts(collective)) n_checked += check_roots(movement);
    }
    return n_checked;
}

static void every_algorithm_moves_what_it_is_to_move(void **state)
{
    unsigned n_checked = 0, n_algorithms = 0;
    (void)state;
    for (unsigned c = 0; c < PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER; c++)
        for (unsigned a = 0; a < COLLECTIVE_ALGORITHMS; a++) {
            unsigned n = check_algorithm((parcast_collective)c, (enum collective_algorithm)a);
            n_checked += n;
            n_algorithms += n > 0;
        }
    assert_true(n_algorithms >= 90);
    assert_true(n_checked > 5000);
}

static void trees_work_by_segments(void **state)
{
    static const enum collective_algorithm algorithms[] = {ALGORITHM_CHAIN,
                                                           ALGORITHM_PIPELINE,
                                                           ALGORITHM_BINARY,
                                                           ALGORITHM_IN_ORDER_BINARY,
                                                           ALGORITHM_KNOMIAL,
                                                           ALGORITHM_BINOMIAL_ASCENDING,
                                                           ALGORITHM_BINOMIAL_OVERLAPPED,
                                                           ALGORITHM_SPLIT_BINARY,
                                                           ALGORITHM_KARY};
    const parcast_collective collectives[] = {PARCAST_COLLECTIVE_BCAST, PARCAST_COLLECTIVE_REDUCE};
    unsigned n_checked = 0;
    (void)state;
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++)
        for (int c = 0; c < 2; c++)
            for (uint32_t n = 1; n <= MOVEMENT_RANKS; n++) {
                struct movement movement = {.collective = collectives[c],
                                            .plan = {.algorithm = algorithms[i], .segment_bytes = 10},
                                            .n = n,
                                            .bytes = 46,
                                            .element_bytes = 4};
                if (schedule_has(collectives[c], algorithms[i], n)) n_checked += check_roots(movement);
            }
    assert_true(n_checked >= 13 * MOVEMENT_RANKS * 4);
}

/* Places: 0 in blocks, 1 in turn, 2 unevenly, 3 all on one node, 4 each alone. */
static int node_of(int pattern, int rank)
{
    const int nodes[] = {rank / 3, rank % 4, rank * rank % 5, 0, rank};
    return nodes[pattern];
}

static void check_by_node(parcast_collective collective, enum collective_hierarchy hierarchy, int pattern,
                          uint32_t n)
{
    int rank_node[MOVEMENT_RANKS];
    for (int r = 0; r < MOVEMENT_RANKS; r++) rank_node[r] = node_of(pattern, r);
    struct by_node by_node = {.rank_node = rank_node, .n_ranks = MOVEMENT_RANKS};
    const struct schedule_nodes *nodes = by_node_find(&by_node, 0, NULL, n);
    assert_non_null(nodes);
    assert_ptr_equal(nodes, by_node_find(&by_node, 0, NULL, n));
    const enum collective_algorithm among[] = {[PARCAST_COLLECTIVE_BARRIER] = ALGORITHM_DISSEMINATION,
                                               [PARCAST_COLLECTIVE_BCAST] =
                                                   ALGORITHM_SCATTER_RECURSIVE_DOUBLING,
                                               [PARCAST_COLLECTIVE_REDUCE] = ALGORITHM_RABENSEIFNER,
                                               [PARCAST_COLLECTIVE_ALLREDUCE] = ALGORITHM_RABENSEIFNER,
                                               [PARCAST_COLLECTIVE_SCAN] = ALGORITHM_RECURSIVE_DOUBLING};
    struct movement movement = {
        .collective = collective,
        .plan = {.hierarchy = hierarchy, .parts = {ALGORITHM_KARY, among[collective]}},
        .n = n,
        .bytes = 23,
        .element_bytes = 1,
        .nodes = nodes};
    if (collective != PARCAST_COLLECTIVE_SCAN || nodes->consecutive) check_roots(movement);
    by_node_destroy(&by_node);
}

static void operations_go_by_node(void **state)
{
    const parcast_collective collectives[] = {PARCAST_COLLECTIVE_BARRIER, PARCAST_COLLECTIVE_BCAST,
                                              PARCAST_COLLECTIVE_REDUCE, PARCAST_COLLECTIVE_ALLREDUCE,
                                              PARCAST_COLLECTIVE_SCAN};
    (void)state;
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++)
        for (int pattern = 0; pattern < 5; pattern++)
            for (uint32_t n = 1; n <= MOVEMENT_RANKS; n++) {
                check_by_node(collectives[c], HIERARCHY_LEADERS, pattern, n);
                if (collectives[c] == PARCAST_COLLECTIVE_BCAST || collectives[c] == PARCAST_COLLECTIVE_REDUCE)
                    check_by_node(collectives[c], HIERARCHY_ROOT_NODE, pattern, n);
            }
}

static void members_are_sorted_by_node(void **state)
{
    const int rank_node[] = {7, 3, 7, 3, 9, 7};
    const int32_t members[] = {5, 3, 4, 0, 1};
    struct by_node by_node = {.rank_node = rank_node, .n_ranks = 6};
    (void)state;
    const struct schedule_nodes *nodes = by_node_find(&by_node, 4, members, 5);
    assert_int_equal(nodes->n_nodes, 3);
    assert_memory_equal(nodes->leaders, ((uint32_t[]){0, 1, 2}), 3 * sizeof(uint32_t));
    assert_memory_equal(nodes->members, ((uint32_t[]){0, 3, 1, 4, 2}), 5 * sizeof(uint32_t));
    assert_memory_equal(nodes->node_of, ((uint32_t[]){0, 1, 2, 0, 1}), 5 * sizeof(uint32_t));
    assert_memory_equal(nodes->place, ((uint32_t[]){0, 0, 0, 1, 1}), 5 * sizeof(uint32_t));
    assert_false(nodes->consecutive);
    for (uint32_t i = 5; i < 60; i++) assert_non_null(by_node_find(&by_node, i, members, 5)); /* it grows */
    assert_ptr_equal(by_node_find(&by_node, 4, members, 5), nodes);
    by_node_destroy(&by_node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_moves_what_it_is_to_move),
        cmocka_unit_test(trees_work_by_segments),
        cmocka_unit_test(operations_go_by_node),
        cmocka_unit_test(members_are_sorted_by_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
