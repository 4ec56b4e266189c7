/*
 * Every algorithm of every collective, on every number of ranks: all sends are received, nothing deadlocks,
 * and what has to reach a rank does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "few.h"
#include "parcast/replay.h"
#include "replay/schedules.h"

enum { MOST = 19, BYTES = 1 << 14 };

static const parcast_loggops machine = {
    .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .S_bytes = 1000};

struct single {
    parcast_operation operation;
    bool given[MOST];
    int64_t late_rank; /* computes first */
};

static parcast_status next(void *state, int rank, parcast_operation *operation, parcast_error *error)
{
    struct single *single = state;
    (void)error;
    *operation = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (single->late_rank == rank) {
        single->late_rank = -1;
        *operation = (parcast_operation){.kind = PARCAST_OPERATION_COMPUTE, .seconds = 1};
    } else if (!single->given[rank]) {
        *operation = single->operation;
        single->given[rank] = true;
    }
    return PARCAST_OK;
}

static parcast_platform *star(int n, const char *more)
{
    char text[512];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nnodes: [{type: a, count: %d, cores: 1, flop_rate: 1e9}]\n"
             "network: {topology: star, link_latency: 1e-6, bandwidth: 1e9%s}\n",
             n, more);
    if (parcast_platform_parse(text, strlen(text), "star", &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static parcast_replay_result *run(struct single *single, int n, const char *algorithm,
                                  const parcast_platform *platform)
{
    parcast_operation_source source = {.state = single, .n_ranks = n, .name = "test", .next = next};
    parcast_replay_options options = {.collectives = "naive"};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    memset(single->given, 0, sizeof single->given);
    options.algorithms[single->operation.collective] = algorithm;
    if (parcast_replay_run(&source, platform, NULL, platform ? NULL : &machine, &options, &result, &error))
        fail_msg("%s by %s on %d: %s %s", parcast_collective_name(single->operation.collective), algorithm, n,
                 error.text, error.hint);
    return result;
}

static bool rooted(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_REDUCE ||
           c == PARCAST_COLLECTIVE_GATHER || c == PARCAST_COLLECTIVE_GATHERV ||
           c == PARCAST_COLLECTIVE_SCATTER || c == PARCAST_COLLECTIVE_SCATTERV;
}

/* The late rank's part must be known to whom it concerns: nobody there ends before it begins. */
static void check_dependence(parcast_collective c, struct single *single, int n, const char *algorithm,
                             int late)
{
    int root = single->operation.root;
    bool from_root =
        c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_SCATTER || c == PARCAST_COLLECTIVE_SCATTERV;
    bool to_root = rooted(c) && !from_root;
    if (from_root) late = root;
    single->late_rank = late;
    parcast_replay_result *result = run(single, n, algorithm, NULL);
    for (int r = 0; r < n; r++) {
        bool concerned = !to_root || r == root;
        if (c == PARCAST_COLLECTIVE_SCAN || c == PARCAST_COLLECTIVE_EXSCAN) concerned = r > late;
        if (concerned && n > 1 && result->ranks[r].end_s < 1)
            fail_msg("%s by %s on %d: rank %d ends before rank %d begins", parcast_collective_name(c),
                     algorithm, n, r, late);
    }
    parcast_replay_result_destroy(&result);
    single->late_rank = -1;
}

static void every_algorithm_completes_and_carries_what_it_should(void **state)
{
    unsigned n_checked = 0;
    const int step = few_or_all(6, 1);
    (void)state;
    for (unsigned c = 0; c < PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER; c++)
        for (unsigned a = 0; a < COLLECTIVE_ALGORITHMS; a++)
            for (int n = 1; n <= MOST; n += step) {
                const char *name = collective_algorithm_name((enum collective_algorithm)a);
                if (!schedule_has((parcast_collective)c, (enum collective_algorithm)a, (uint32_t)n)) continue;
                struct single single = {.operation = {.kind = PARCAST_OPERATION_COLLECTIVE,
                                                      .collective = (parcast_collective)c,
                                                      .root = rooted((parcast_collective)c) ? n / 2 : 0,
                                                      .bytes = BYTES},
                                        .late_rank = -1};
                parcast_replay_result *result = run(&single, n, name, NULL);
                if (n == 1) assert_int_equal(result->n_messages, 0);
                parcast_replay_result_destroy(&result);
                check_dependence((parcast_collective)c, &single, n, name, n / 3);
                n_checked++;
            }
    assert_in_range(n_checked, 500 / step, 100000);
}

static void algorithms_of_the_libraries_complete_at_every_size(void **state)
{
    static const char *const tables[] = {"mpich", "openmpi", "naive"};
    const int step = few_or_all(9, 3);
    (void)state;
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++)
        for (int64_t bytes = 1; bytes <= 1 << 21; bytes *= 8)
            for (int n = 2; n <= MOST; n += step)
                for (int t = 0; t < 3; t++) {
                    struct single single = {.operation = {.kind = PARCAST_OPERATION_COLLECTIVE,
                                                          .collective = (parcast_collective)c,
                                                          .bytes = bytes},
                                            .late_rank = -1};
                    parcast_operation_source source = {
                        .state = &single, .n_ranks = n, .name = "test", .next = next};
                    parcast_replay_options options = {.collectives = tables[t]};
                    parcast_replay_result *result = NULL;
                    parcast_error error = {0};
                    if (parcast_replay_run(&source, NULL, NULL, &machine, &options, &result, &error))
                        fail_msg("%s %s %d: %s", tables[t], parcast_collective_name((parcast_collective)c), n,
                                 error.text);
                    parcast_replay_result_destroy(&result);
                }
}

static double time_of(parcast_collective c, const char *algorithm, int n, int64_t bytes)
{
    struct single single = {
        .operation = {.kind = PARCAST_OPERATION_COLLECTIVE, .collective = c, .bytes = bytes},
        .late_rank = -1};
    parcast_platform *platform = star(n, ", eager_below: 0, detached_below: 65536");
    parcast_replay_result *result = run(&single, n, algorithm, platform);
    double time_s = result->time_s;
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
    return time_s;
}

/* Exchanges on a full-duplex star take no longer than alone: rounds x latency + bytes on the busiest link. */
static void exchanges_take_what_their_rounds_say(void **state)
{
    const double latency_s = 2e-6, rate = 1e9, near = 1e-10;
    (void)state;
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLREDUCE, "recursive_doubling", 16, 8000),
                       4 * (latency_s + 8000 / rate), near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLREDUCE, "rabenseifner", 16, 16000),
                       8 * latency_s + 2 * 15000 / rate, near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLREDUCE, "ring", 10, 10000),
                       18 * (latency_s + 1000 / rate), near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLGATHER, "bruck", 13, 1000), 4 * latency_s + 12000 / rate,
                       near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLGATHER, "neighbor", 12, 1000),
                       6 * latency_s + 11000 / rate, near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLTOALL, "pairwise_xor", 8, 1000),
                       7 * (latency_s + 1000 / rate), near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_ALLTOALL, "bruck", 8, 1000), 3 * (latency_s + 4000 / rate),
                       near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_BARRIER, "dissemination", 9, 0), 4 * latency_s, near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_REDUCE_SCATTER, "recursive_halving", 8, 1000),
                       3 * latency_s + 7000 / rate, near);
    assert_float_equal(time_of(PARCAST_COLLECTIVE_BCAST, "binomial", 8, 100000),
                       3 * (latency_s + 100000 / rate), near);
}

struct grid {
    bool given[4];
    bool ends; /* the ring is a line: the ends have no neighbour on one side */
};

/* Four ranks in a ring, each with its neighbours to the left and to the right. */
static parcast_status next_on_grid(void *state, int rank, parcast_operation *operation, parcast_error *error)
{
    static int64_t peers[4][2];
    static const int64_t counts[] = {1000, 3000};
    struct grid *grid = state;
    (void)error;
    *operation = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (grid->given[rank]) return PARCAST_OK;
    grid->given[rank] = true;
    peers[rank][0] = grid->ends && rank == 0 ? -2 : (rank + 3) % 4;
    peers[rank][1] = grid->ends && rank == 3 ? -2 : (rank + 1) % 4;
    *operation = (parcast_operation){.kind = PARCAST_OPERATION_COLLECTIVE,
                                     .collective = PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALLV,
                                     .sources = peers[rank],
                                     .destinations = peers[rank],
                                     .n_sources = 2,
                                     .n_destinations = 2,
                                     .counts = counts};
    return PARCAST_OK;
}

/* 4000 bytes leave, or come to, every rank that has two neighbours, and the last of them decide. */
static void neighbours_exchange_along_a_ring(void **state)
{
    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        struct grid grid = {.ends = ends};
        parcast_operation_source source = {
            .state = &grid, .n_ranks = 4, .name = "test", .next = next_on_grid};
        parcast_replay_options options = {.collectives = "openmpi"};
        parcast_platform *platform = star(4, ", eager_below: 0, detached_below: 65536");
        parcast_replay_result *result = NULL;
        assert_int_equal(parcast_replay_run(&source, platform, NULL, NULL, &options, &result, NULL),
                         PARCAST_OK);
        assert_int_equal(result->n_messages, ends ? 6 : 8);
        assert_float_equal(result->ranks[1].end_s, 2e-6 + 4000 / 1e9, 1e-10);
        assert_float_equal(result->ranks[3].end_s, 2e-6 + 4000 / 1e9, 1e-10);
        parcast_replay_result_destroy(&result);
        parcast_platform_destroy(&platform);
    }
}

static double time_on_nodes(const char *table, int64_t bytes)
{
    struct single single = {.operation = {.kind = PARCAST_OPERATION_COLLECTIVE,
                                          .collective = PARCAST_COLLECTIVE_ALLREDUCE,
                                          .bytes = bytes},
                            .late_rank = -1};
    const int rank_node[] = {0, 0, 0, 0, 1, 1, 1, 1};
    parcast_operation_source source = {.state = &single, .n_ranks = 8, .name = "test", .next = next};
    parcast_replay_options options = {.collectives = table};
    parcast_platform *platform = star(2, "");
    parcast_replay_result *result = NULL;
    assert_int_equal(parcast_replay_run(&source, platform, rank_node, NULL, &options, &result, NULL),
                     PARCAST_OK);
    double time_s = result->time_s;
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
    return time_s;
}

/* Two nodes of four: with MPICH the leaders alone cross the network, with n bytes each way. */
static void mpich_goes_by_node(void **state)
{
    const double n = 1 << 20, rate = 1e9, memory = 5e9, local_latency = 0.5e-6, latency = 2e-6;
    (void)state;
    double inside = 3 * (local_latency + n / memory); /* up: three children, two at a time; down: at once */
    double among = 2 * latency + n / rate;            /* halving and gathering of two leaders */
    assert_float_equal(time_on_nodes("mpich", 1 << 20), inside + among, 2e-6);
    assert_true(time_on_nodes("openmpi", 1 << 20) <
                0.9 * (inside + among)); /* all ranks cross it, with n/8 */
}

static void an_unknown_algorithm_is_refused_with_those_there_are(void **state)
{
    struct single single = {.operation = {.kind = PARCAST_OPERATION_END}, .late_rank = -1};
    parcast_operation_source source = {.state = &single, .n_ranks = 2, .name = "test", .next = next};
    parcast_replay_options options = {.collectives = "none"};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(parcast_replay_run(&source, NULL, NULL, &machine, &options, &result, &error),
                     PARCAST_INVALID);
    assert_non_null(strstr(error.hint, "openmpi"));
    options = (parcast_replay_options){.algorithms[PARCAST_COLLECTIVE_BCAST] = "bruck"};
    assert_int_equal(parcast_replay_run(&source, NULL, NULL, &machine, &options, &result, &error),
                     PARCAST_INVALID);
    assert_non_null(strstr(error.hint, "scatter_ring"));
    assert_null(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_completes_and_carries_what_it_should),
        cmocka_unit_test(algorithms_of_the_libraries_complete_at_every_size),
        cmocka_unit_test(exchanges_take_what_their_rounds_say),
        cmocka_unit_test(neighbours_exchange_along_a_ring),
        cmocka_unit_test(mpich_goes_by_node),
        cmocka_unit_test(an_unknown_algorithm_is_refused_with_those_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
