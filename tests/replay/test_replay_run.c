/* Replays of MPI operations from time-independent traces: semantics, and what is said when they go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/replay.h"
#include "parcast/ti.h"

static const parcast_loggops machine = {
    .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .S_bytes = 1000};

static parcast_platform *platform_of(const char *nodes)
{
    char text[512];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nnodes: [%s]\nnetwork: {topology: star, link_latency: 1e-3, "
             "bandwidth: 1e6, "
             "eager_below: 100, detached_below: 10000}\n",
             nodes);
    if (parcast_platform_parse(text, strlen(text), "star", &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static parcast_platform *four(void)
{
    return platform_of("{type: a, count: 4, cores: 2, flop_rate: 1e6}");
}

static parcast_status run(const char *text, const parcast_platform *platform, const int *rank_node,
                          const parcast_loggops *loggops, parcast_replay_result **result,
                          parcast_error *error)
{
    parcast_ti *trace = NULL;
    parcast_status status = parcast_ti_parse(text, strlen(text), "x.ti", &trace, error);
    if (status) return status;
    parcast_operation_source source = parcast_ti_source(trace);
    status = parcast_replay_run(&source, platform, rank_node, loggops, NULL, result, error);
    parcast_ti_destroy(&trace);
    return status;
}

static void expect_ends(const char *text, const int *rank_node, const double *end_s, int n)
{
    parcast_platform *platform = four();
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (run(text, platform, rank_node, NULL, &result, &error)) fail_msg("%d: %s", error.line, error.text);
    assert_int_equal(result->n_ranks, n);
    for (int r = 0; r < n; r++) assert_float_equal(result->ranks[r].end_s, end_s[r], 1e-9);
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
}

static void the_protocol_goes_by_size(void **state)
{
    (void)state;
    /* eager: there before the receive; detached: moves at the receive; beyond: the sender waits too */
    expect_ends("0 send 1 0 99\n1 compute 5e5\n1 recv 0 0 99\n", NULL, (double[]){0, 0.5}, 2);
    expect_ends("0 send 1 0 1000\n1 compute 5e5\n1 recv 0 0 1000\n", NULL, (double[]){0, 0.503}, 2);
    expect_ends("0 send 1 0 10000\n1 compute 5e5\n1 recv 0 0 10000\n", NULL, (double[]){0.512, 0.512}, 2);
    expect_ends("0 isend 1 0 10000\n0 compute 1e6\n0 waitall\n1 recv 0 0 10000\n", NULL, (double[]){1, 0.012},
                2);
}

static void both_directions_of_a_link_slow_each_other(void **state)
{
    const char *platform_text =
        "schema: parcast.platform/1\nnodes: [{type: a, count: 2, cores: 1, flop_rate: 1e6}]\n"
        "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6, exchange_factors: [[0, 1], [1000, "
        "0.8]]}\n";
    parcast_platform *platform = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    if (parcast_platform_parse(platform_text, strlen(platform_text), "both", &platform, &error))
        fail_msg("%s", error.text);
    assert_int_equal(run("0 send 1 0 100000\n1 recv 0 0 100000\n", platform, NULL, NULL, &result, &error),
                     PARCAST_OK);
    assert_float_equal(result->time_s, 0.002 + 0.1, 1e-9);
    parcast_replay_result_destroy(&result);
    assert_int_equal(run("0 isend 1 0 100000\n0 recv 1 0 100000\n0 waitall\n"
                         "1 isend 0 0 100000\n1 recv 0 0 100000\n1 waitall\n",
                         platform, NULL, NULL, &result, &error),
                     PARCAST_OK);
    assert_float_equal(result->time_s, 0.002 + 0.1 / 0.8, 1e-9);
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
}

static void ranks_share_the_cores_of_their_node(void **state)
{
    const int one_node[] = {0, 0, 0}, two_nodes[] = {0, 1, 1};
    (void)state;
    expect_ends("0 compute 1e6\n1 compute 1e6\n2 compute 1e6\n", one_node, (double[]){1.5, 1.5, 1.5}, 3);
    expect_ends("0 compute 1e6\n1 compute 1e6\n2 compute 1e6\n", two_nodes, (double[]){1, 1, 1}, 3);
}

static void wildcards_and_requests_match_in_order(void **state)
{
    (void)state;
    expect_ends("0 recv -555 -444 50\n0 recv 1 -444 20\n0 irecv 2 7 50\n0 wait 2 0 7\n0 wait 2 0 7\n"
                "1 compute 1e5\n1 send 0 3 20\n2 send 0 9 50\n2 compute 5e5\n2 send 0 7 50\n",
                NULL, (double[]){0.50205, 0.1, 0.5}, 3);
}

static void what_is_never_awaited_is_awaited_at_the_end(void **state)
{
    (void)state;
    expect_ends("0 irecv 1 0 1000\n0 compute 100\n1 compute 1e5\n1 send 0 0 1000\n", NULL,
                (double[]){0.103, 0.1}, 2);
}

static void expect_error(const char *text, const parcast_loggops *loggops, parcast_status status,
                         const char *part)
{
    parcast_platform *platform = four();
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    assert_int_equal(run(text, platform, NULL, loggops, &result, &error), status);
    if (!strstr(error.text, part) && !strstr(error.hint, part))
        fail_msg("'%s' '%s' lacks '%s'", error.text, error.hint, part);
    assert_null(result);
    parcast_platform_destroy(&platform);
}

static void mistakes_name_ranks_and_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const parcast_loggops *loggops = i ? &machine : NULL;
        expect_error("0 recv 1 0 5\n0 send 1 0 5\n1 recv 0 0 5\n1 send 0 0 5\n", loggops, PARCAST_DATA,
                     "rank 0 waits in recv (line 1) for a message from rank 1");
        expect_error("0 recv 1 0 5\n0 send 1 0 5\n1 recv 0 0 5\n1 send 0 0 5\n", loggops, PARCAST_DATA,
                     "0 -> 1 -> 0");
        expect_error("0 barrier\n1 compute 5\n", loggops, PARCAST_DATA, "rank 0 waits in barrier (line 1)");
        expect_error("0 send 1 0 5\n0 isend 1 0 6\n0 isend 1 2 7\n1 recv 0 0 5\n1 recv 0 2 7\n", loggops,
                     PARCAST_DATA,
                     "never received, one of them from rank 0 to rank 1: 6 bytes, tag 0 (line 2)");
        expect_error("0 send 9 0 5\n1 compute 1\n", loggops, PARCAST_FORMAT, "no such rank");
    }
    expect_error("0 send 1 0 50\n1 recv 0 0 49\n", NULL, PARCAST_DATA, "50 bytes comes to a receive of 49");
    expect_error("0 fly 1\n", NULL, PARCAST_FORMAT, "not known");
    expect_error("0 send 0\n", NULL, PARCAST_FORMAT, "missing");
    expect_error("0 recv -1 0 5\n", NULL, PARCAST_FORMAT, "-555");
    expect_error("zero compute 1\n0 compute 1\n", NULL, PARCAST_FORMAT, "neither an action");
    expect_error("", NULL, PARCAST_FORMAT, "empty");
}

/* Both on the flow model and on LogGOPS, where some of these would come to an end. */
static void collectives_that_do_not_fit_name_ranks_lines_and_cause(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"0 barrier\n1 compute 1\n1 bcast 8\n", "rank 1, bcast: in its place rank 0 (line 1) calls barrier"},
        {"0 bcast 8 1\n1 compute 9\n1 bcast 8 0\n",
         "rank 1, bcast: its root is 0, and 1 where rank 0 (line 1)"},
        {"0 allreduce 8 0\n1 compute 9\n1 allreduce 80 0\n",
         "rank 1, allreduce: it has 80 bytes, and 8 where rank 0 (line 1)"},
        {"0 barrier\n0 barrier\n1 barrier\n",
         "barrier (line 2) of rank 0 is collective number 2, and rank 1 calls only 1"},
        {"0 bcast 8\n1 compute 1\n",
         "bcast (line 1) of rank 0 is collective number 1, and rank 1 calls only 0"},
        {"0 barrier\n0 barrier\n1 barrier\n1 recv 0 0 9\n",
         "rank 0 waits in barrier (line 2) for a message from rank 1; rank 1 waits in recv (line 4)"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int j = 0; j < 2; j++)
            expect_error(cases[i].text, j ? &machine : NULL, PARCAST_DATA, cases[i].part);
    /* who lags behind by many is held against what was called there */
    char text[4096] = "";
    for (int i = 0; i < 100; i++) strcat(text, i == 77 ? "0 bcast 9\n" : "0 bcast 8\n");
    strcat(text, "1 compute 1000\n");
    for (int i = 0; i < 100; i++) strcat(text, "1 bcast 8\n");
    expect_error(text, NULL, PARCAST_DATA, "rank 1, bcast: it has 8 bytes, and 9 where rank 0 (line 78)");
}

static void a_trace_in_flop_needs_a_rate(void **state)
{
    parcast_platform *platform = platform_of("{type: a, count: 4, cores: 2}");
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(run("0 compute 1e6\n", platform, NULL, NULL, &result, &error), PARCAST_DATA);
    assert_non_null(strstr(error.hint, "flop_rate"));
    parcast_platform_destroy(&platform);
}

static void a_free_network_leaves_pure_computation(void **state)
{
    parcast_platform *platform = four();
    parcast_ti *trace = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    const parcast_replay_options options = {.ideal_network = true, .scale_speed_ratio = 2};
    const char *text =
        "0 compute 1e6\n0 allreduce 1e6 0\n0 compute 2e6\n1 compute 2e6\n1 allreduce 1e6 0\n1 compute 1e6\n";
    (void)state;
    assert_int_equal(parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error), PARCAST_OK);
    parcast_operation_source source = parcast_ti_source(trace);
    if (parcast_replay_run(&source, platform, NULL, NULL, &options, &result, &error))
        fail_msg("%s", error.text);
    assert_float_equal(result->ranks[0].end_s, 2, 1e-12);
    assert_float_equal(result->ranks[0].compute_s, 1.5, 1e-12);
    assert_float_equal(result->ranks[0].communication_s, 0.5, 1e-12);
    assert_float_equal(result->ranks[1].end_s, 1.5, 1e-12);
    parcast_replay_result_destroy(&result);
    parcast_ti_destroy(&trace);
    parcast_platform_destroy(&platform);
}

static void counts_of_the_vector_forms_are_read(void **state)
{
    const char *text =
        "0 init\n1 init\n0 alltoallv 10 0 4 10 0 2\n1 alltoallv 10 2 0 10 4 0\n0 gatherv 3 3 5 1 1 1\n"
        "1 gatherv 5 3 5 1 1 1\n0 scatterv 6 7 6 0\n1 scatterv 6 7 7 0\n0 reducescatter 2 3 1000\n"
        "1 reducescatter 2 3 1000\n";
    parcast_ti *trace = NULL;
    parcast_operation o;
    parcast_error error = {0};
    (void)state;
    if (parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error)) fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(trace);
    assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
    assert_int_equal(o.collective, PARCAST_COLLECTIVE_ALLTOALLV);
    assert_int_equal(o.counts[1], 4);
    assert_int_equal(o.receive_counts[1], 2);
    assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
    assert_int_equal(o.root, 1);
    assert_int_equal(o.bytes, 3 * 4);
    assert_null(o.counts); /* only the root knows what the others send */
    assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
    assert_int_equal(o.counts[0], 6);
    assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
    assert_int_equal(o.counts[1], 3);
    assert_float_equal(o.flop, 1000, 0);
    assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
    assert_int_equal(o.kind, PARCAST_OPERATION_END);
    for (int i = 0; i < 2; i++) assert_int_equal(source.next(source.state, 1, &o, &error), PARCAST_OK);
    assert_int_equal(o.counts[1], 5 * 4);
    parcast_ti_destroy(&trace);
}

/* Three ranks on two cores: who computes when they all do takes 3/2 as long. */
static void computing_and_sleeping_keep_their_order(void **state)
{
    (void)state;
    expect_ends("0 sleep 0.1\n0 waitall\n0 compute 1e5\n1 compute 2e5\n2 compute 2e5\n", (int[]){0, 0, 0},
                (double[]){0.25, 0.25, 0.25}, 3);
    expect_ends("0 compute 1e5\n0 sleep 0.1\n1 compute 2e5\n2 compute 2e5\n", (int[]){0, 0, 0},
                (double[]){0.25, 0.25, 0.25}, 3);
}

static void every_action_is_an_operation(void **state)
{
    static const parcast_operation_kind kinds[] = {
        PARCAST_OPERATION_SLEEP,   PARCAST_OPERATION_TEST,    PARCAST_OPERATION_COMPUTE,
        PARCAST_OPERATION_COMPUTE, PARCAST_OPERATION_COMPUTE, PARCAST_OPERATION_IRECEIVE,
        PARCAST_OPERATION_TEST,    PARCAST_OPERATION_WAIT,    PARCAST_OPERATION_TEST,
        PARCAST_OPERATION_SLEEP,   PARCAST_OPERATION_END};
    const char *text =
        "0 init\n0 sleep 0.1\n0 waitall\n0 compute 0\n0 compute 5\n0 compute 7\n0 irecv 1 3 9\n"
        "0 test 1 0 3\n0 wait 1 0 3\n0 wait 1 0 3\n0 sleep 0\n0 finalize\n1 send 0 3 9\n";
    parcast_ti *trace = NULL;
    parcast_operation o;
    parcast_error error = {0};
    (void)state;
    if (parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error)) fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(trace);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_int_equal(source.next(source.state, 0, &o, &error), PARCAST_OK);
        if (o.kind != kinds[i]) fail_msg("operation %zu is %s", i, parcast_operation_name(o.kind));
    }
    parcast_ti_destroy(&trace);
}

static void ranks_are_placed_as_the_platform_says(void **state)
{
    parcast_platform *platform = platform_of("{type: a, count: 2, cores: 2}, {type: b, count: 1, cores: 3}");
    parcast_placement *placement = NULL;
    int rank_node[6];
    (void)state;
    assert_int_equal(parcast_placement_create(platform, 6, PARCAST_FILL, false, &placement, NULL),
                     PARCAST_OK);
    parcast_replay_place(platform, placement, rank_node);
    assert_memory_equal(rank_node, ((int[]){0, 0, 1, 1, 2, 2}), sizeof rank_node);
    parcast_placement_destroy(&placement);
    assert_int_equal(parcast_placement_create(platform, 6, PARCAST_SPREAD, false, &placement, NULL),
                     PARCAST_OK);
    parcast_replay_place(platform, placement, rank_node);
    assert_memory_equal(rank_node, ((int[]){0, 1, 2, 0, 1, 2}), sizeof rank_node);
    parcast_placement_destroy(&placement);
    parcast_platform_destroy(&platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_protocol_goes_by_size),
        cmocka_unit_test(both_directions_of_a_link_slow_each_other),
        cmocka_unit_test(ranks_share_the_cores_of_their_node),
        cmocka_unit_test(wildcards_and_requests_match_in_order),
        cmocka_unit_test(what_is_never_awaited_is_awaited_at_the_end),
        cmocka_unit_test(mistakes_name_ranks_and_lines),
        cmocka_unit_test(collectives_that_do_not_fit_name_ranks_lines_and_cause),
        cmocka_unit_test(a_trace_in_flop_needs_a_rate),
        cmocka_unit_test(a_free_network_leaves_pure_computation),
        cmocka_unit_test(counts_of_the_vector_forms_are_read),
        cmocka_unit_test(computing_and_sleeping_keep_their_order),
        cmocka_unit_test(every_action_is_an_operation),
        cmocka_unit_test(ranks_are_placed_as_the_platform_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
