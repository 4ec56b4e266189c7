/* What a replay finds out besides its dates, against what is computed by hand: waiting, matrix, critical
   path, and what faster machines save. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "parcast/replay.h"
#include "parcast/ti.h"

static const char star[] = "schema: parcast.platform/1\n"
                           "nodes: [{type: a, count: 4, cores: 2, flop_rate: 1e6}]\n"
                           "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6, eager_below: 100, "
                           "detached_below: 10000}\n";

static parcast_platform *platform;

static int load_platform(void **state)
{
    parcast_error error = {0};
    (void)state;
    return parcast_platform_parse(star, strlen(star), "star", &platform, &error) != PARCAST_OK;
}

static int release_platform(void **state)
{
    (void)state;
    parcast_platform_destroy(&platform);
    return 0;
}

static parcast_replay_result *replay_ti(const char *text, const int *rank_node,
                                        const parcast_loggops *loggops, parcast_replay_options options)
{
    parcast_ti *trace = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    options.critical_path = options.matrix = true;
    if (parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error)) fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(trace);
    if (parcast_replay_run(&source, platform, rank_node, loggops, &options, &result, &error))
        fail_msg("%s", error.text);
    parcast_ti_destroy(&trace);
    return result;
}

static parcast_replay_result *replay(const char *text)
{
    return replay_ti(text, NULL, NULL, (parcast_replay_options){0});
}

static parcast_replay_result *replay_goal(const char *text, const parcast_loggops *loggops)
{
    parcast_goal *goal = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    const parcast_replay_options options = {.critical_path = true, .matrix = true};
    if (parcast_goal_parse(text, strlen(text), "x.goal", &goal, &error)) fail_msg("%s", error.text);
    if (parcast_replay_goal_with(goal, loggops, &options, &result, &error)) fail_msg("%s", error.text);
    parcast_goal_destroy(&goal);
    return result;
}

/* cmocka's comparison is in single precision. */
static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.15g is not %.15g", value, expected);
}

static double sum_of(const parcast_replay_path *p)
{
    return p->compute_s + p->sleep_s + p->cores_s + p->overhead_s + p->gap_s + p->latency_s + p->transfer_s +
           p->sharing_s;
}

/* In microseconds, in the order of the struct. */
struct path {
    int rank;
    uint64_t messages;
    double compute, sleep, cores, overhead, gap, latency, transfer, sharing;
};

static void expect_path(const parcast_replay_result *result, struct path expected)
{
    const parcast_replay_path *p = &result->path;
    const double exact = 1e-6;
    assert_int_equal(p->rank, expected.rank);
    assert_int_equal(p->messages, expected.messages);
    near(1e6 * p->compute_s, expected.compute, exact);
    near(1e6 * p->sleep_s, expected.sleep, exact);
    near(1e6 * p->cores_s, expected.cores, exact);
    near(1e6 * p->overhead_s, expected.overhead, exact);
    near(1e6 * p->gap_s, expected.gap, exact);
    near(1e6 * p->latency_s, expected.latency, exact);
    near(1e6 * p->transfer_s, expected.transfer, exact);
    near(1e6 * p->sharing_s, expected.sharing, exact);
    near(sum_of(p), result->time_s, 1e-12);
}

static void a_late_sender_is_on_the_path_and_its_receiver_waits(void **state)
{
    (void)state;
    parcast_replay_result *r = replay("0 compute 5e5\n0 send 1 0 99\n1 recv 0 0 99\n1 compute 1e5\n");
    expect_path(r,
                (struct path){.rank = 1, .messages = 1, .compute = 600000, .latency = 2000, .transfer = 99});
    assert_int_equal(r->path.n_parts, 2);
    assert_int_equal(r->path.parts[0].rank, 0);
    assert_string_equal(r->path.parts[0].node_type, "a");
    near(r->path.parts[0].compute_s, 0.5, 1e-12);
    near(r->path.parts[1].compute_s, 0.1, 1e-12);
    near(r->ranks[1].waiting_s, 0.5, 1e-12);
    near(r->ranks[1].communication_s, 0.502099, 1e-12);
    near(r->ranks[0].waiting_s, 0, 0);
    parcast_replay_result_destroy(&r);
}

static void a_late_receiver_holds_up_a_large_message(void **state)
{
    (void)state;
    parcast_replay_result *r = replay("0 send 1 0 10000\n0 compute 1e5\n1 compute 5e5\n1 recv 0 0 10000\n");
    expect_path(
        r, (struct path){.rank = 0, .messages = 1, .compute = 600000, .latency = 2000, .transfer = 10000});
    near(r->ranks[0].waiting_s, 0.5, 1e-12);
    near(r->ranks[1].waiting_s, 0, 0);
    parcast_replay_result_destroy(&r);
}

static void a_message_that_is_there_before_its_receive_is_not_on_the_path(void **state)
{
    (void)state;
    parcast_replay_result *r = replay("0 send 1 0 99\n1 compute 5e5\n1 recv 0 0 99\n1 sleep 0.25\n");
    expect_path(r, (struct path){.rank = 1, .compute = 500000, .sleep = 250000});
    parcast_replay_result_destroy(&r);
}

/* While a rank computes, another request of it ends: that is not what it goes on for. */
static void what_ends_during_a_computation_does_not_enter_the_path(void **state)
{
    (void)state;
    parcast_replay_result *r =
        replay("0 irecv 1 0 99\n0 compute 1e6\n0 wait 1 0 0\n1 compute 4e5\n1 send 0 0 99\n");
    expect_path(r, (struct path){.rank = 0, .compute = 1000000});
    assert_int_equal(r->path.n_parts, 1);
    near(r->ranks[0].waiting_s, 0, 0);
    parcast_replay_result_destroy(&r);
}

static void shared_links_and_cores_are_told_apart(void **state)
{
    const int two_to_one[] = {0, 1, 2, 2}, together[] = {3, 3, 3};
    (void)state;
    parcast_replay_result *r = replay_ti("0 send 2 0 1e5\n1 send 3 0 1e5\n2 recv 0 0 1e5\n3 recv 1 0 1e5\n",
                                         two_to_one, NULL, (parcast_replay_options){0});
    expect_path(
        r, (struct path){
               .rank = r->path.rank, .messages = 1, .latency = 2000, .transfer = 100000, .sharing = 100000});
    parcast_replay_result_destroy(&r);
    r = replay_ti("0 compute 1e6\n1 compute 1e6\n2 compute 1e6\n", together, NULL,
                  (parcast_replay_options){0});
    expect_path(r, (struct path){.rank = r->path.rank, .compute = 1000000, .cores = 500000});
    parcast_replay_result_destroy(&r);
}

static void loggops_tells_overhead_gap_and_bytes_apart(void **state)
{
    const parcast_loggops machine = {
        .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .S_bytes = 1000};
    const parcast_loggops slow = {
        .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 10e-6, .G_s_per_byte = 6e-9, .S_bytes = 1000};
    (void)state;
    parcast_replay_result *r =
        replay_goal("num_ranks 2\nrank 0 {\na: calc 1000\nb: send 101b to 1\nb requires a\n}\n"
                    "rank 1 {\na: recv 101b from 0\nb: calc 500\nb requires a\n}\n",
                    &machine);
    expect_path(
        r, (struct path){
               .rank = 1, .messages = 1, .compute = 1.5, .overhead = 3, .latency = 2.5, .transfer = 0.6});
    near(1e6 * r->ranks[1].waiting_s, 1, 1e-9);
    near(1e6 * r->ranks[1].communication_s, 7.1, 1e-9);
    parcast_replay_result_destroy(&r);
    r = replay_goal("num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 1b to 1\n}\n"
                    "rank 1 {\nrecv 1b from 0\nrecv 1b from 0\n}\n",
                    &slow);
    expect_path(r, (struct path){.rank = 1, .messages = 1, .overhead = 3, .gap = 10, .latency = 2.5});
    assert_int_equal(r->n_pairs, 1);
    assert_int_equal(r->pairs[0].messages, 2);
    parcast_replay_result_destroy(&r);
}

/* Beyond S the sender waits for the receive, which comes after 20 us. */
static void a_loggops_sender_beyond_s_waits_for_its_receive(void **state)
{
    const parcast_loggops machine = {
        .L_s = 2e-6, .o_s = 1e-6, .g_s = 1e-6, .G_s_per_byte = 1e-9, .S_bytes = 10};
    (void)state;
    parcast_replay_result *r =
        replay_goal("num_ranks 2\nrank 0 {\na: send 101b to 1\nb: calc 1000\nb requires a\n}\n"
                    "rank 1 {\na: calc 20000\nb: recv 101b from 0\nb requires a\n}\n",
                    &machine);
    /* the message is there at 3 us; the CPU turns to it at 20, when the receive comes too */
    near(1e6 * r->ranks[0].end_s, 21, 1e-9);
    near(1e6 * r->ranks[0].waiting_s, 17, 1e-9);
    expect_path(r, (struct path){.rank = 1, .compute = 20, .overhead = 1, .transfer = 0.1});
    parcast_replay_result_destroy(&r);
}

static const parcast_replay_pair *pair_at(const parcast_replay_result *r, int source, int destination)
{
    for (size_t i = 0; i < r->n_pairs; i++)
        if (r->pairs[i].source == source && r->pairs[i].destination == destination) return &r->pairs[i];
    return NULL;
}

static void the_matrix_has_what_was_sent(void **state)
{
    (void)state;
    parcast_replay_result *r =
        replay("0 send 1 0 10\n0 isend 1 1 20\n0 send 2 0 5000\n0 wait 0 1 1\n"
               "1 recv 0 0 10\n1 recv 0 1 20\n1 send 2 7 1\n2 recv 1 7 1\n2 recv 0 0 5000\n");
    assert_int_equal(r->n_pairs, 3);
    assert_int_equal(pair_at(r, 0, 1)->messages, 2);
    assert_int_equal(pair_at(r, 0, 1)->bytes, 30);
    assert_int_equal(pair_at(r, 0, 2)->bytes, 5000);
    assert_int_equal(pair_at(r, 1, 2)->messages, 1);
    assert_null(pair_at(r, 2, 1));
    parcast_replay_result_destroy(&r);
}

/* A trace of one collective on n ranks. */
static char *collective_text(const char *action, int n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int r = 0; r < n; r++) fprintf(out, "%d %s\n", r, action);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_matrix_of_a_collective_is_sparse_and_adds_up(void **state)
{
    enum { RANKS = 64 };
    static const struct {
        const char *action, *algorithm;
        parcast_collective collective;
        size_t n_pairs;
        uint64_t bytes;
    } cases[] = {{"alltoall 100 100", "linear", PARCAST_COLLECTIVE_ALLTOALL, 4032, 100},
                 {"allgather 10 10", "ring", PARCAST_COLLECTIVE_ALLGATHER, RANKS, 630},
                 {"bcast 1000", "binomial", PARCAST_COLLECTIVE_BCAST, RANKS - 1, 1000}};
    int rank_node[RANKS];
    (void)state;
    for (int r = 0; r < RANKS; r++) rank_node[r] = r % 4;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        parcast_replay_options options = {0};
        uint64_t n_messages = 0;
        options.algorithms[cases[c].collective] = cases[c].algorithm;
        char *text = collective_text(cases[c].action, RANKS);
        parcast_replay_result *r = replay_ti(text, rank_node, NULL, options);
        assert_int_equal(r->n_pairs, cases[c].n_pairs);
        for (size_t i = 0; i < r->n_pairs; i++) {
            n_messages += r->pairs[i].messages;
            assert_int_equal(r->pairs[i].bytes, cases[c].bytes);
            if (i > 0) /* by source, then destination */
                assert_true(r->pairs[i - 1].source * RANKS + r->pairs[i - 1].destination <
                            r->pairs[i].source * RANKS + r->pairs[i].destination);
        }
        assert_int_equal(n_messages, r->n_messages);
        near(sum_of(&r->path), r->time_s, 1e-12);
        parcast_replay_result_destroy(&r);
        free(text);
    }
}

/* Pure communication: twice the bandwidth at half the latency takes half the time, as the path says. */
static void half_the_network_time_is_saved_where_there_is_nothing_else(void **state)
{
    const char *text =
        "0 send 1 0 50\n0 recv 1 0 20000\n0 alltoall 5000 5000\n1 recv 0 0 50\n1 send 0 0 20000\n"
        "1 alltoall 5000 5000\n2 alltoall 5000 5000\n3 alltoall 5000 5000\n";
    (void)state;
    parcast_replay_result *before = replay(text);
    parcast_replay_result *after = replay_ti(
        text, NULL, NULL, (parcast_replay_options){.scale_bandwidth_ratio = 2, .scale_latency_ratio = 0.5});
    const parcast_replay_path *path = &before->path;
    near(after->time_s, before->time_s / 2, 1e-9);
    near(path->latency_s + path->transfer_s + path->sharing_s, before->time_s, 1e-12);
    parcast_replay_result_destroy(&before);
    parcast_replay_result_destroy(&after);
}

/* Random programs: rings of messages of random sizes between random computations, with collectives. */
static uint64_t random_state = 7;

static unsigned below(unsigned n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_state >> 33) % n);
}

static char *random_text(unsigned n_ranks)
{
    static const char *const collectives[] = {"barrier", "allreduce 3000 1000", "bcast 20000 1",
                                              "allgather 700 700"};
    static const unsigned sizes[] = {1, 99, 500, 20000};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (unsigned round = 0; round < 12; round++) {
        unsigned bytes = sizes[below(4)], shift = 1 + below(n_ranks - 1), collective = below(8);
        for (unsigned r = 0; r < n_ranks; r++) {
            unsigned from = (r + n_ranks - shift) % n_ranks;
            fprintf(out, "%u compute %u\n%u irecv %u 0 %u\n", r, 1 + below(20000), r, from, bytes);
            if (below(2)) fprintf(out, "%u compute %u\n", r, 1 + below(20000));
            fprintf(out, "%u send %u 0 %u\n%u wait %u %u 0\n", r, (r + shift) % n_ranks, bytes, r, from, r);
            if (collective < 4) fprintf(out, "%u %s\n", r, collectives[collective]);
        }
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

/* By operation it is the same time as by what it is spent on. */
static void expect_operations(const parcast_replay_path *p)
{
    double sum_s = 0;
    for (size_t i = 0; i < p->n_operations; i++) {
        sum_s += p->operations[i].time_s;
        assert_true(i == 0 || p->operations[i].time_s <= p->operations[i - 1].time_s);
    }
    near(sum_s, p->overhead_s + p->gap_s + p->latency_s + p->transfer_s + p->sharing_s, 1e-12);
}

static void messages_on_the_path_have_their_operation(void **state)
{
    const char *text = "0 send 1 0 99\n0 allreduce 99 0\n1 recv 0 0 99\n1 allreduce 99 0\n";
    const char *goal =
        "num_ranks 2\nrank 0 {\nsend 101b to 1 tag 1\n}\nrank 1 {\nrecv 101b from 0 tag 1\n}\n";
    const parcast_loggops loggops = {.L_s = 2e-6, .o_s = 1e-6, .G_s_per_byte = 1e-8, .S_bytes = 1000};
    const parcast_replay_options options = {
        .algorithms = {[PARCAST_COLLECTIVE_ALLREDUCE] = "recursive_doubling"}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        parcast_replay_result *r = replay_ti(text, NULL, i ? &loggops : NULL, options);
        assert_int_equal(r->path.n_operations, 2);
        expect_operations(&r->path);
        for (int k = 0; k < 2; k++)
            assert_true(strcmp(r->path.operations[k].name, "allreduce") == 0 ||
                        strcmp(r->path.operations[k].name, "point to point") == 0);
        parcast_replay_result_destroy(&r);
    }
    parcast_replay_result *r = replay_goal(goal, &loggops);
    assert_int_equal(r->path.n_operations, 1);
    assert_string_equal(r->path.operations[0].name, "point to point");
    near(r->path.operations[0].time_s, 5e-6, 1e-15);
    parcast_replay_result_destroy(&r);
}

static void expect_same_ends(const parcast_replay_result *a, const parcast_replay_result *b)
{
    for (int r = 0; r < a->n_ranks; r++) assert_int_equal(a->ranks[r].end_ps, b->ranks[r].end_ps);
}

/* Without looking at anything but dates. */
static parcast_replay_result *replay_plainly(const char *text, const int *rank_node,
                                             const parcast_loggops *loggops,
                                             const parcast_replay_options *options)
{
    parcast_ti *trace = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error)) fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(trace);
    if (parcast_replay_run(&source, platform, rank_node, loggops, options, &result, &error))
        fail_msg("%s", error.text);
    parcast_ti_destroy(&trace);
    return result;
}

static void the_parts_of_random_programs_add_up(void **state)
{
    const parcast_loggops usual = {
        .L_s = 2e-4, .o_s = 1.5e-4, .g_s = 1e-4, .G_s_per_byte = 6e-8, .O_s_per_byte = 1e-8, .S_bytes = 1000};
    (void)state;
    for (int i = 0; i < 40; i++) {
        unsigned n_ranks = 2 + below(7);
        char *text = random_text(n_ranks);
        int rank_node[16];
        parcast_loggops loggops = usual;
        loggops.receive_by_nic = i % 2;
        loggops.handshake = i % 3 == 0;
        for (unsigned r = 0; r < n_ranks; r++) rank_node[r] = (int)below(4);
        parcast_replay_result *flow = replay_ti(text, rank_node, NULL, (parcast_replay_options){0});
        parcast_replay_result *dates = replay_ti(text, rank_node, &loggops, (parcast_replay_options){0});
        near(sum_of(&flow->path), flow->time_s, 1e-12);
        near(sum_of(&dates->path), dates->time_s, 1e-12);
        expect_operations(&flow->path);
        expect_operations(&dates->path);
        assert_true(flow->ranks[flow->path.rank].end_s >= flow->time_s);
        for (unsigned r = 0; r < n_ranks; r++) {
            assert_true(flow->ranks[r].waiting_s <= flow->ranks[r].communication_s + 1e-12);
            assert_true(dates->ranks[r].waiting_s <= dates->ranks[r].communication_s + 1e-12);
        }
        parcast_replay_result *plain_flow = replay_plainly(text, rank_node, NULL, NULL);
        parcast_replay_result *plain_dates = replay_plainly(text, rank_node, &loggops, NULL);
        expect_same_ends(flow, plain_flow);
        expect_same_ends(dates, plain_dates);
        parcast_replay_result_destroy(&plain_flow);
        parcast_replay_result_destroy(&plain_dates);
        parcast_replay_result_destroy(&flow);
        parcast_replay_result_destroy(&dates);
        free(text);
    }
}

/* How much longer the run is with one parameter a little larger, over that little. */
static double slope(const char *text, const parcast_loggops *loggops, const parcast_replay_options *options,
                    double time_s, double little)
{
    parcast_replay_result *longer = replay_plainly(text, NULL, loggops, options);
    double value = (longer->time_s - time_s) / little;
    parcast_replay_result_destroy(&longer);
    return value;
}

/* On LogGOPS a date is a maximum of sums of parameters, so its derivative is what the path has of each: an
   oracle that knows nothing of the path. Where two paths are as long, or messages change their order, there
   is no derivative; random programs have few of those. */
static void the_path_has_the_derivative_of_the_time(void **state)
{
    enum { PROGRAMS = 40, PARAMETERS = 5 };
    const double little = 1e-5, close = 1e-4;
    const parcast_loggops usual = {
        .L_s = 2e-4, .o_s = 1.5e-4, .g_s = 4e-4, .G_s_per_byte = 6e-8, .S_bytes = 1000};
    int n_agree[PARAMETERS] = {0}, n_there[PARAMETERS] = {0};
    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        char *text = random_text(2 + below(3));
        parcast_loggops more[PARAMETERS] = {usual, usual, usual, usual, usual};
        more[0].L_s *= 1 + little;
        more[1].o_s *= 1 + little;
        more[2].g_s *= 1 + little;
        more[3].G_s_per_byte *= 1 + little;
        parcast_replay_result *r = replay_ti(text, NULL, &usual, (parcast_replay_options){0});
        const parcast_replay_path *p = &r->path;
        const double parts_s[PARAMETERS] = {p->latency_s, p->overhead_s, p->gap_s, p->transfer_s,
                                            p->compute_s};
        for (int k = 0; k < PARAMETERS; k++) {
            parcast_replay_options options = {.scale_speed_ratio = k == 4 ? 1 / (1 + little) : 0};
            double found_s = slope(text, &more[k], &options, r->time_s, little);
            n_there[k] += parts_s[k] > 0;
            n_agree[k] += fabs(found_s - parts_s[k]) <= close * r->time_s;
        }
        parcast_replay_result_destroy(&r);
        free(text);
    }
    for (int k = 0; k < PARAMETERS; k++)
        if (n_agree[k] < PROGRAMS - PROGRAMS / 10 || n_there[k] < PROGRAMS / 10)
            fail_msg("parameter %d: %d of %d agree, %d have it", k, n_agree[k], PROGRAMS, n_there[k]);
}

struct seen {
    int n_times;
    double simulated_s;
    uint64_t n_events;
};

static void on_progress(void *state, double simulated_s, uint64_t n_events)
{
    struct seen *seen = state;
    assert_true(simulated_s >= seen->simulated_s && n_events > seen->n_events);
    *seen = (struct seen){seen->n_times + 1, simulated_s, n_events};
}

static void who_looks_on_hears_how_far_it_is(void **state)
{
    enum { MESSAGES = 40000 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct seen seen = {0};
    const parcast_replay_observer observer = {.state = &seen, .progress = on_progress};
    (void)state;
    assert_non_null(out);
    for (int i = 0; i < MESSAGES; i++) fprintf(out, "0 send 1 0 1\n1 recv 0 0 1\n1 compute 100\n");
    assert_int_equal(fclose(out), 0);
    parcast_replay_result *r = replay_ti(text, NULL, NULL, (parcast_replay_options){.observer = &observer});
    assert_true(seen.n_times >= 1 && seen.simulated_s < r->time_s && seen.n_events < r->n_events);
    parcast_replay_result_destroy(&r);
    free(text);
}

static void without_being_asked_there_is_no_path_and_no_matrix(void **state)
{
    const char *text = "0 send 1 0 10\n1 recv 0 0 10\n";
    parcast_ti *trace = NULL;
    parcast_replay_result *r = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(parcast_ti_parse(text, strlen(text), "x.ti", &trace, &error), PARCAST_OK);
    parcast_operation_source source = parcast_ti_source(trace);
    assert_int_equal(parcast_replay_run(&source, platform, NULL, NULL, NULL, &r, &error), PARCAST_OK);
    assert_int_equal(r->path.rank, -1);
    assert_null(r->pairs);
    assert_int_equal(r->n_phases, 0);
    parcast_replay_result_destroy(&r);
    parcast_ti_destroy(&trace);
}

static void a_path_is_refused_where_dates_go_back(void **state)
{
    const char *text = "num_ranks 1\nrank 0 {\ncalc 5\n}\n";
    const parcast_loggops loggops = {.compat = true};
    const parcast_replay_options options = {.critical_path = true};
    parcast_goal *goal = NULL;
    parcast_replay_result *r = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(parcast_goal_parse(text, strlen(text), "x", &goal, &error), PARCAST_OK);
    assert_int_equal(parcast_replay_goal_with(goal, &loggops, &options, &r, &error), PARCAST_INVALID);
    assert_null(r);
    parcast_goal_destroy(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_sender_is_on_the_path_and_its_receiver_waits),
        cmocka_unit_test(a_late_receiver_holds_up_a_large_message),
        cmocka_unit_test(a_message_that_is_there_before_its_receive_is_not_on_the_path),
        cmocka_unit_test(what_ends_during_a_computation_does_not_enter_the_path),
        cmocka_unit_test(shared_links_and_cores_are_told_apart),
        cmocka_unit_test(loggops_tells_overhead_gap_and_bytes_apart),
        cmocka_unit_test(a_loggops_sender_beyond_s_waits_for_its_receive),
        cmocka_unit_test(the_matrix_has_what_was_sent),
        cmocka_unit_test(the_matrix_of_a_collective_is_sparse_and_adds_up),
        cmocka_unit_test(half_the_network_time_is_saved_where_there_is_nothing_else),
        cmocka_unit_test(the_parts_of_random_programs_add_up),
        cmocka_unit_test(messages_on_the_path_have_their_operation),
        cmocka_unit_test(the_path_has_the_derivative_of_the_time),
        cmocka_unit_test(who_looks_on_hears_how_far_it_is),
        cmocka_unit_test(without_being_asked_there_is_no_path_and_no_matrix),
        cmocka_unit_test(a_path_is_refused_where_dates_go_back),
    };
    return cmocka_run_group_tests(tests, load_platform, release_platform);
}
