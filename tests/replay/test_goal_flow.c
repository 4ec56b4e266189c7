/* GOAL programs on the flow model: links are shared, protocols go by size, CPUs take one computation at a
 * time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/replay.h"
#include "parcast/ti.h"

/* 1 ms per link and 1 MB/s, so 2 ms and 1 us per byte from node to node. */
static parcast_platform *star(int n_nodes, const char *node)
{
    char text[512];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nnodes: [{type: a, count: %d, flop_rate: 1e9, %s}]\n"
             "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6, eager_below: 100, "
             "detached_below: 10000}\n",
             n_nodes, node);
    if (parcast_platform_parse(text, strlen(text), "star", &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static parcast_status run(const char *text, const char *node, const parcast_replay_options *options,
                          parcast_replay_result **result, parcast_error *error)
{
    const int rank_node[] = {0, 1, 2, 3};
    parcast_goal *goal = NULL;
    parcast_platform *platform = star(4, node);
    parcast_status status = parcast_goal_parse(text, strlen(text), "x.goal", &goal, error);
    if (!status) status = parcast_replay_goal_on(goal, platform, rank_node, options, result, error);
    parcast_goal_destroy(&goal);
    parcast_platform_destroy(&platform);
    return status;
}

static void expect_ends(const char *text, const char *node, const double *end_s, int n)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (run(text, node, NULL, &result, &error)) fail_msg("%d: %s %s", error.line, error.text, error.hint);
    assert_int_equal(result->n_ranks, n);
    for (int r = 0; r < n; r++) assert_float_equal(result->ranks[r].end_s, end_s[r], 1e-11);
    parcast_replay_result_destroy(&result);
}

static void messages_share_links_and_take_the_protocol(void **state)
{
    (void)state;
    /* two at once through rank 0's link, each 1000 bytes */
    expect_ends("num_ranks 3\nrank 0 {\nsend 1000b to 1\nsend 1000b to 2\n}\nrank 1 {\nrecv 1000b from 0\n}\n"
                "rank 2 {\nrecv 1000b from 0\n}\n",
                "cores: 1", (double[]){0, 0.004, 0.004}, 3);
    /* eager: there before the receive; detached: moves at the receive; beyond: the sender waits */
    const char *late =
        "num_ranks 2\nrank 0 {\nsend %db to 1\n}\nrank 1 {\na: calc 500000000\nb: recv 5b from 0\n"
        "b requires a\n}\n";
    const double ends[3][2] = {{0, 0.5}, {0, 0.503}, {0.512, 0.512}};
    const int bytes[] = {99, 1000, 10000};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text, late, bytes[i]);
        expect_ends(text, "cores: 1", ends[i], 2);
    }
}

static void a_cpu_takes_one_computation_at_a_time(void **state)
{
    const char *one = "num_ranks 1\nrank 0 {\ncalc 1000000\ncalc 2000000\n}\n";
    const char *two = "num_ranks 1\nrank 0 {\ncalc 1000000\ncalc 2000000 cpu 1\n}\n";
    (void)state;
    expect_ends(one, "cores: 2", (double[]){0.003}, 1);
    expect_ends(two, "cores: 2", (double[]){0.002}, 1);
    expect_ends(two, "cores: 1", (double[]){0.003}, 1);            /* they share the core */
    expect_ends(one, "cores: 2, speed: 2", (double[]){0.0015}, 1); /* twice the speed */
}

static void what_requires_a_start_goes_on_at_once(void **state)
{
    const char *text =
        "num_ranks 2\nrank 0 {\ns: send 20000b to 1\ni: calc 3000000\ni irequires s\nj: calc 1000000\n"
        "j requires s\n}\nrank 1 {\nrecv 20000b from 0\n}\n";
    parcast_replay_result *result = NULL;
    const parcast_replay_options options = {.critical_path = true, .matrix = true};
    (void)state;
    assert_int_equal(run(text, "cores: 1", &options, &result, NULL), PARCAST_OK);
    assert_float_equal(result->ranks[0].end_s, 0.002 + 0.02 + 0.001, 1e-11);
    assert_float_equal(result->ranks[0].compute_s, 0.004, 1e-11);
    assert_float_equal(result->ranks[0].waiting_s, 0, 1e-11);
    assert_float_equal(result->path.latency_s, 0.002, 1e-11);
    assert_float_equal(result->path.transfer_s, 0.02, 1e-11);
    assert_float_equal(result->path.compute_s, 0.001, 1e-11);
    assert_int_equal(result->n_pairs, 1);
    parcast_replay_result_destroy(&result);
}

static void waiting_is_what_comes_before_the_message_sets_off(void **state)
{
    parcast_replay_result *result = NULL;
    (void)state;
    assert_int_equal(run("num_ranks 2\nrank 0 {\na: calc 5000000\nb: send 50b to 1\nb requires a\n}\n"
                         "rank 1 {\na: calc 1000000\nr: recv 50b from 0\nr requires a\n}\n",
                         "cores: 1", NULL, &result, NULL),
                     PARCAST_OK);
    assert_float_equal(result->ranks[1].waiting_s, 0.004, 1e-11);
    assert_float_equal(result->ranks[1].end_s, 0.005 + 0.002 + 0.00005, 1e-11);
    parcast_replay_result_destroy(&result);
}

/* A halo of four ranks: the same messages as a time-independent trace and as GOAL end at the same dates. */
static void it_ends_as_the_same_trace_does(void **state)
{
    char goal[4096], ti[4096];
    size_t at = (size_t)snprintf(goal, sizeof goal, "num_ranks 4\n"), to = 0;
    (void)state;
    for (int r = 0; r < 4; r++) {
        int left = (r + 3) % 4, right = (r + 1) % 4, ns = 1000000 * (r + 1);
        at += (size_t)snprintf(
            goal + at, sizeof goal - at,
            "rank %d {\nc: calc %d\na: recv 8000b from %d tag 1\nb: recv 20000b from %d tag 2\n"
            "d: send 8000b to %d tag 1\ne: send 20000b to %d tag 2\na requires c\nb requires c\n"
            "d requires c\ne requires c\nf: calc 1000\nf requires a\nf requires b\nf requires d\n"
            "f requires e\n}\n",
            r, ns, left, right, right, left);
        to += (size_t)snprintf(ti + to, sizeof ti - to,
                               "%d compute %d\n%d irecv %d 1 8000\n%d irecv %d 2 20000\n%d isend %d 1 8000\n"
                               "%d isend %d 2 20000\n%d waitall\n%d compute 1000\n",
                               r, ns, r, left, r, right, r, right, r, left, r, r);
    }
    parcast_platform *platform = star(4, "cores: 1");
    parcast_replay_result *graph = NULL, *trace = NULL;
    parcast_ti *source_trace = NULL;
    assert_int_equal(run(goal, "cores: 1", NULL, &graph, NULL), PARCAST_OK);
    assert_int_equal(parcast_ti_parse(ti, strlen(ti), "x.ti", &source_trace, NULL), PARCAST_OK);
    parcast_operation_source source = parcast_ti_source(source_trace);
    assert_int_equal(parcast_replay_run(&source, platform, NULL, NULL, NULL, &trace, NULL), PARCAST_OK);
    for (int r = 0; r < 4; r++) assert_int_equal(graph->ranks[r].end_ps, trace->ranks[r].end_ps);
    assert_int_equal(graph->n_messages, 8);
    parcast_replay_result_destroy(&graph);
    parcast_replay_result_destroy(&trace);
    parcast_ti_destroy(&source_trace);
    parcast_platform_destroy(&platform);
}

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

enum { RANKS = 4, MOST_TEXT = 16384, MESSAGES = 30 };

struct program {
    char text[RANKS][MOST_TEXT];
    size_t length[RANKS];
    int n_operations[RANKS];
    uint64_t n_sent[RANKS][RANKS], bytes[RANKS][RANKS];
};

/* An operation that requires up to two of those before it on its rank. */
static void add(struct program *p, int rank, const char *operation, int cpu)
{
    char *text = p->text[rank];
    int number = p->n_operations[rank]++;
    size_t *at = &p->length[rank];
    *at += (size_t)snprintf(text + *at, MOST_TEXT - *at, "l%d: %s cpu %d\n", number, operation, cpu);
    for (int i = below(3); i > 0 && number > 0; i--)
        *at += (size_t)snprintf(text + *at, MOST_TEXT - *at, "l%d %s l%d\n", number,
                                below(5) ? "requires" : "irequires", below(number));
}

static void random_program(struct program *p, char *whole, size_t size)
{
    static const int sizes[] = {0, 50, 99, 100, 5000, 9999, 10000, 40000};
    char line[96];
    *p = (struct program){0};
    for (int i = 0; i < MESSAGES; i++) {
        int from = below(RANKS), to = (from + 1 + below(RANKS - 1)) % RANKS, bytes = sizes[below(8)];
        snprintf(line, sizeof line, "calc %d", below(4) * 1000000);
        add(p, below(RANKS), line, below(2));
        snprintf(line, sizeof line, "send %db to %d tag %d", bytes, to, i);
        add(p, from, line, 0);
        snprintf(line, sizeof line, "recv %db from %d tag %d", bytes, from, i);
        add(p, to, line, 0);
        p->n_sent[from][to]++;
        p->bytes[from][to] += (uint64_t)bytes;
    }
    size_t at = (size_t)snprintf(whole, size, "num_ranks %d\n", RANKS);
    for (int r = 0; r < RANKS; r++)
        at += (size_t)snprintf(whole + at, size - at, "rank %d {\n%s}\n", r, p->text[r]);
}

static void compare_matrix(const struct program *p, const parcast_replay_result *result)
{
    uint64_t n_pairs = 0;
    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b < RANKS; b++) n_pairs += p->n_sent[a][b] > 0;
    assert_int_equal(result->n_pairs, n_pairs);
    for (size_t i = 0; i < result->n_pairs; i++) {
        const parcast_replay_pair *pair = &result->pairs[i];
        assert_int_equal(pair->messages, p->n_sent[pair->source][pair->destination]);
        assert_int_equal(pair->bytes, p->bytes[pair->source][pair->destination]);
    }
}

/* Whatever is found out besides changes no date. */
static void the_path_adds_up_and_the_matrix_counts_what_is_sent(void **state)
{
    static struct program program;
    static char text[RANKS * MOST_TEXT + 256];
    const parcast_replay_options options = {.critical_path = true, .matrix = true};
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        parcast_replay_result *plain = NULL, *result = NULL;
        parcast_error error = {0};
        random_state = seed * 104729;
        random_program(&program, text, sizeof text);
        if (run(text, "cores: 1", NULL, &plain, &error)) fail_msg("%s", error.text);
        if (run(text, "cores: 1", &options, &result, &error)) fail_msg("%s", error.text);
        for (int r = 0; r < RANKS; r++) assert_int_equal(plain->ranks[r].end_ps, result->ranks[r].end_ps);
        const parcast_replay_path *p = &result->path;
        double sum_s = p->compute_s + p->cores_s + p->sleep_s + p->overhead_s + p->gap_s + p->latency_s +
                       p->transfer_s + p->sharing_s;
        assert_float_equal(sum_s, result->time_s, 1e-11);
        assert_true(p->compute_s >= 0 && p->cores_s >= 0 && p->latency_s >= 0 && p->sharing_s >= -1e-11);
        assert_float_equal(result->ranks[p->rank].end_s, result->time_s, 0);
        compare_matrix(&program, result);
        parcast_replay_result_destroy(&plain);
        parcast_replay_result_destroy(&result);
    }
}

static void expect_error(const char *text, parcast_status status, const char *part)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    assert_int_equal(run(text, "cores: 1", NULL, &result, &error), status);
    if (!strstr(error.text, part)) fail_msg("'%s' lacks '%s'", error.text, part);
    assert_null(result);
}

static void mistakes_name_ranks_and_lines(void **state)
{
    (void)state;
    expect_error("num_ranks 2\nrank 0 {\nrecv 5b from 1 tag 4\n}\nrank 1 {\ncalc 5\n}\n", PARCAST_DATA,
                 "rank 0 waits in recv 5b from rank 1 tag 4 (line 3)");
    expect_error("num_ranks 2\nrank 0 {\nsend 5b to 1 tag 4\n}\nrank 1 {\ncalc 5\n}\n", PARCAST_DATA,
                 "from rank 0 to rank 1: 5 bytes, tag 4");
    expect_error("num_ranks 1\nrank 0 {\ncalc 900000000000000000\n}\n", PARCAST_LIMIT, "53 days");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_share_links_and_take_the_protocol),
        cmocka_unit_test(a_cpu_takes_one_computation_at_a_time),
        cmocka_unit_test(what_requires_a_start_goes_on_at_once),
        cmocka_unit_test(waiting_is_what_comes_before_the_message_sets_off),
        cmocka_unit_test(it_ends_as_the_same_trace_does),
        cmocka_unit_test(the_path_adds_up_and_the_matrix_counts_what_is_sent),
        cmocka_unit_test(mistakes_name_ranks_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
