/*
 * The flow model on random platforms and transfers, against weighted max-min sharing done the long way: every
 * share from nothing at every event, every link looked at in every step.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network/topology.h"
#include "parcast/replay.h"

enum { MOST_FLOWS = 60, MOST_LINKS = 2048 };

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

static parcast_platform *platform_of(const char *network)
{
    char text[1024];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nnodes:\n  - {type: a, count: 5, cores: 1}\n"
             "  - {type: b, count: 3, cores: 2, bandwidth: 3e8}\nnetwork: {%s}\n",
             network);
    if (parcast_platform_parse(text, strlen(text), "test", &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static const char *const networks[] = {
    "topology: star, link_latency: 1e-5, bandwidth: 1e9",
    "topology: star, link_latency: 1e-5, bandwidth: 1e9, duplex: half, crosstraffic: 0.05",
    "topology: star, link_latency: 1e-5, bandwidth: 1e9, weights: latency, weight_size: 8775, crosstraffic: "
    "0.05, "
    "window: 4194304, envelope: 16",
    "topology: star, link_latency: 0, bandwidth: 1e9, bisection: 7e8",
    "topology: torus, dims: [3, 3], link_latency: 2e-5, bandwidth: 1e9, window: 10000",
    "topology: torus, dims: [2, 2, 2], link_latency: 1e-5, bandwidth: 1e9, weights: latency",
    "topology: fat-tree, down: [4, 2], up: [1, 2], parallel: [1, 2], link_latency: 1e-5, bandwidth: 1e9",
    "topology: dragonfly, groups: [2, 3], chassis: [2, 2], routers: [2, 1], nodes_per_router: 1, "
    "link_latency: 1e-5, "
    "bandwidth: 1e9, weights: latency, crosstraffic: 0.1",
};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

static size_t random_transfers(parcast_transfer *transfers)
{
    size_t n = 1 + (size_t)below(MOST_FLOWS);
    for (size_t i = 0; i < n; i++) {
        int from = below(8), to = (from + 1 + below(7)) % 8;
        double bytes = below(8) == 0 ? 0 : 1000.0 * (1 + below(2000));
        transfers[i] = (parcast_transfer){from, to, bytes, below(3) ? below(1000) * 1e-6 : 0};
    }
    return n;
}

/* The long way. */

struct flow {
    double left, join_s, bound, weight, share;
    double fraction[MOST_LINKS];
    int state; /* 0 to come, 1 under way, 2 done */
    int fixed;
};

static struct flow flows[MOST_FLOWS];
static uint64_t link_numbers[MOST_LINKS];
static double capacities[MOST_LINKS];
static int n_links;

static int link_index(const struct topology_hop *hop)
{
    int i = 0;
    while (i < n_links && link_numbers[i] != hop->link) i++;
    assert_true(i < MOST_LINKS);
    if (i == n_links) {
        link_numbers[n_links] = hop->link;
        capacities[n_links++] = hop->bandwidth_bytes_per_s;
    }
    return i;
}

static double given(double value)
{
    return isnan(value) ? 0 : value;
}

static void begin_flow(struct flow *flow, const struct topology *topology, const parcast_transfer *transfer)
{
    const parcast_network_description *network = &topology->platform->network;
    struct topology_hop hops[TOPOLOGY_MOST_HOPS + 1];
    uint32_t n =
        topology_route(topology, (uint32_t)transfer->source, (uint32_t)transfer->destination, false, hops);
    double latency = 0, weight = 0;
    memset(flow, 0, sizeof *flow);
    flow->bound = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        flow->fraction[link_index(&hops[i])] += 1;
        flow->bound = fmin(flow->bound, hops[i].bandwidth_bytes_per_s);
        latency += hops[i].latency_s;
        weight += hops[i].latency_s + given(network->weight_size_bytes) / hops[i].bandwidth_bytes_per_s;
    }
    n = topology_route(topology, (uint32_t)transfer->destination, (uint32_t)transfer->source, false, hops);
    for (uint32_t i = 0; i < n; i++) flow->fraction[link_index(&hops[i])] += given(network->crosstraffic);
    if (given(network->window_bytes) > 0)
        flow->bound = fmin(flow->bound, network->window_bytes / (2 * latency));
    flow->weight = given(network->weights) != 0 ? weight : 1;
    flow->left = transfer->bytes + given(network->envelope_bytes);
    flow->join_s = transfer->start_s + latency;
}

/* Raise all shares together; whoever meets a full link or a bound first stops. */
static void share_out(int n)
{
    for (int f = 0; f < n; f++) flows[f].fixed = flows[f].state != 1;
    for (;;) {
        double lowest = INFINITY;
        int who = -1, full = -1;
        for (int f = 0; f < n; f++)
            if (!flows[f].fixed && flows[f].bound * flows[f].weight < lowest) {
                lowest = flows[f].bound * flows[f].weight;
                who = f;
            }
        if (who < 0) return;
        for (int l = 0; l < n_links; l++) {
            double left = capacities[l], sum = 0;
            for (int f = 0; f < n; f++) {
                if (flows[f].state != 1) continue;
                if (flows[f].fixed)
                    left -= flows[f].fraction[l] * flows[f].share;
                else
                    sum += flows[f].fraction[l] / flows[f].weight;
            }
            if (sum > 0 && left / sum < lowest) {
                lowest = left / sum;
                full = l;
            }
        }
        for (int f = 0; f < n; f++) {
            if (flows[f].fixed || (full >= 0 ? flows[f].fraction[full] == 0 : f != who)) continue;
            flows[f].share = full >= 0 ? lowest / flows[f].weight : flows[f].bound;
            flows[f].fixed = 1;
        }
    }
}

static double next_date(int n, double now)
{
    double next = INFINITY;
    for (int f = 0; f < n; f++) {
        if (flows[f].state == 0) next = fmin(next, flows[f].join_s);
        if (flows[f].state == 1) next = fmin(next, now + flows[f].left / flows[f].share);
    }
    return next;
}

static void simulate(int n, double *end_s)
{
    double now = 0;
    for (;;) {
        share_out(n);
        double next = next_date(n, now);
        if (next == INFINITY) return;
        for (int f = 0; f < n; f++) {
            struct flow *flow = &flows[f];
            if (flow->state == 1) {
                flow->left -= flow->share * (next - now);
                if (flow->left <= 1e-6) {
                    flow->state = 2;
                    end_s[f] = next;
                }
            } else if (flow->state == 0 && flow->join_s <= next) {
                flow->state = flow->left > 0 ? 1 : 2;
                end_s[f] = next;
            }
        }
        now = next;
    }
}

static void the_long_way(const parcast_platform *platform, const parcast_transfer *transfers, size_t n,
                         double *end_s)
{
    struct topology topology;
    assert_int_equal(topology_create(&topology, platform, NULL), PARCAST_OK);
    n_links = 0;
    for (size_t i = 0; i < n; i++) begin_flow(&flows[i], &topology, &transfers[i]);
    simulate((int)n, end_s);
    topology_destroy(&topology);
}

static void run(const parcast_platform *platform, const parcast_transfer *transfers, size_t n, bool full,
                double *end_s)
{
    parcast_replay_options options = {.full_solver = full};
    parcast_error error = {0};
    if (parcast_replay_transfers(platform, &options, transfers, n, NULL, 0, end_s, NULL, &error))
        fail_msg("%s", error.text);
}

static void assert_close(double a, double b, double relative)
{
    if (fabs(a - b) > 3e-12 + relative * fabs(b)) fail_msg("%.17g is not %.17g", a, b);
}

static void random_transfers_end_as_the_long_way_says(void **state)
{
    double end_s[MOST_FLOWS], expected_s[MOST_FLOWS];
    parcast_transfer transfers[MOST_FLOWS];
    (void)state;
    for (int seed = 1; seed <= 50 * N_NETWORKS; seed++) {
        random_state = (uint64_t)seed;
        parcast_platform *platform = platform_of(networks[seed % N_NETWORKS]);
        size_t n = random_transfers(transfers);
        the_long_way(platform, transfers, n, expected_s);
        run(platform, transfers, n, false, end_s);
        for (size_t i = 0; i < n; i++) assert_close(end_s[i], expected_s[i], 1e-9);
        parcast_platform_destroy(&platform);
    }
}

static void shares_of_a_part_are_those_of_the_whole(void **state)
{
    double end_s[MOST_FLOWS], full_s[MOST_FLOWS], again_s[MOST_FLOWS];
    parcast_transfer transfers[MOST_FLOWS];
    (void)state;
    for (int seed = 1; seed <= 100 * N_NETWORKS; seed++) {
        random_state = (uint64_t)seed;
        parcast_platform *platform = platform_of(networks[seed % N_NETWORKS]);
        size_t n = random_transfers(transfers);
        run(platform, transfers, n, false, end_s);
        run(platform, transfers, n, true, full_s);
        run(platform, transfers, n, false, again_s);
        for (size_t i = 0; i < n; i++) assert_close(end_s[i], full_s[i], 1e-12);
        assert_memory_equal(end_s, again_s, n * sizeof *end_s);
        parcast_platform_destroy(&platform);
    }
}

static void sizes_and_bandwidths_times_k_change_nothing(void **state)
{
    double end_s[MOST_FLOWS], scaled_s[MOST_FLOWS];
    parcast_transfer transfers[MOST_FLOWS];
    (void)state;
    for (int seed = 1; seed <= 50; seed++) {
        random_state = (uint64_t)seed;
        parcast_platform *platform = platform_of("topology: star, link_latency: 0, bandwidth: 1e9");
        size_t n = random_transfers(transfers);
        run(platform, transfers, n, false, end_s);
        for (size_t i = 0; i < n; i++) transfers[i].bytes *= 3;
        platform->network.bandwidth_bytes_per_s *= 3;
        platform->types[1].bandwidth_bytes_per_s *= 3;
        run(platform, transfers, n, false, scaled_s);
        for (size_t i = 0; i < n; i++) assert_close(scaled_s[i], end_s[i], 1e-12);
        parcast_platform_destroy(&platform);
    }
}

static void renaming_the_hosts_of_a_star_changes_nothing(void **state)
{
    static const int other[] = {3, 0, 4, 1, 2, 7, 5, 6}; /* within each node type */
    double end_s[MOST_FLOWS], renamed_s[MOST_FLOWS];
    parcast_transfer transfers[MOST_FLOWS];
    (void)state;
    for (int seed = 1; seed <= 50; seed++) {
        random_state = (uint64_t)seed;
        parcast_platform *platform = platform_of(networks[0]);
        size_t n = random_transfers(transfers);
        run(platform, transfers, n, false, end_s);
        for (size_t i = 0; i < n; i++) {
            transfers[i].source = other[transfers[i].source];
            transfers[i].destination = other[transfers[i].destination];
        }
        run(platform, transfers, n, false, renamed_s);
        for (size_t i = 0; i < n; i++) assert_close(renamed_s[i], end_s[i], 1e-12);
        parcast_platform_destroy(&platform);
    }
}

static void jobs_on_disjoint_nodes_do_not_meet(void **state)
{
    double end_s[2 * MOST_FLOWS], alone_s[MOST_FLOWS];
    parcast_transfer transfers[2 * MOST_FLOWS], here[MOST_FLOWS];
    (void)state;
    for (int seed = 1; seed <= 50; seed++) {
        random_state = (uint64_t)seed;
        parcast_platform *platform = platform_of(networks[0]);
        size_t n = random_transfers(here), m = random_transfers(transfers + n);
        memcpy(transfers, here, n * sizeof *here);
        for (size_t i = 0; i < n; i++) {
            transfers[i].source %= 4;
            transfers[i].destination = (transfers[i].source + 1) % 4;
            here[i] = transfers[i];
        }
        for (size_t i = n; i < n + m; i++) {
            transfers[i].source = 4 + transfers[i].source % 4;
            transfers[i].destination = 4 + (transfers[i].source + 1) % 4;
        }
        run(platform, here, n, false, alone_s);
        run(platform, transfers, n + m, false, end_s);
        for (size_t i = 0; i < n; i++) assert_close(end_s[i], alone_s[i], 1e-12);
        parcast_platform_destroy(&platform);
    }
}

/* So many nodes that a change reaches few of them. */
static void changes_that_stay_local_agree_with_the_whole(void **state)
{
    enum { HOSTS = 100, FLOWS = 600 };
    static const char *const kinds[] = {
        "topology: star, link_latency: 1e-5, bandwidth: 1e9",
        "topology: star, link_latency: 1e-5, bandwidth: 1e9, weights: latency, crosstraffic: 0.05",
        "topology: torus, dims: [10, 10], link_latency: 1e-5, bandwidth: 1e9",
        "topology: fat-tree, down: [10, 10], up: [1, 5], latency: 1e-5, bandwidth: 1e9, window: 1e5"};
    static parcast_transfer transfers[FLOWS];
    static double end_s[FLOWS], full_s[FLOWS];
    (void)state;
    for (int seed = 1; seed <= 12; seed++) {
        char text[512];
        parcast_platform *platform = NULL;
        random_state = (uint64_t)seed;
        snprintf(text, sizeof text,
                 "schema: parcast.platform/1\nnodes: [{type: a, count: 100, cores: 1}]\nnetwork: {%s}\n",
                 kinds[seed % 4]);
        assert_int_equal(parcast_platform_parse(text, strlen(text), "test", &platform, NULL), PARCAST_OK);
        for (size_t i = 0; i < FLOWS; i++) { /* to near nodes, as neighbours exchange */
            int from = below(HOSTS), to = (from + 1 + below(4)) % HOSTS;
            transfers[i] = (parcast_transfer){from, to, 1000.0 * (1 + below(3000)), below(5000) * 1e-6};
        }
        run(platform, transfers, FLOWS, false, end_s);
        run(platform, transfers, FLOWS, true, full_s);
        for (size_t i = 0; i < FLOWS; i++) assert_close(end_s[i], full_s[i], 1e-11);
        parcast_platform_destroy(&platform);
    }
}

/* Every pair of a symmetric pattern ends at the same time, at the capacity of the links. */
static void all_to_all_on_a_fat_tree_is_symmetric(void **state)
{
    enum { HOSTS = 16 };
    static parcast_transfer transfers[HOSTS * HOSTS];
    static double end_s[HOSTS * HOSTS];
    const char *text =
        "schema: parcast.platform/1\nnodes: [{type: a, count: 16, cores: 1}]\nnetwork: {topology: fat-tree, "
        "down: [4, 4], up: [1, 1], parallel: [1, 1], link_latency: 1e-5, bandwidth: 1e9, weights: latency}";
    parcast_platform *platform = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(parcast_platform_parse(text, strlen(text), "test", &platform, NULL), PARCAST_OK);
    for (int from = 0; from < HOSTS; from++)
        for (int to = 0; to < HOSTS; to++)
            if (from / 4 != to / 4) transfers[n++] = (parcast_transfer){from, to, 1e6, 0};
    run(platform, transfers, n, false, end_s);
    for (size_t i = 0; i < n; i++) assert_close(end_s[i], 4e-5 + 48e6 / 1e9, 1e-9);
    parcast_platform_destroy(&platform);
}

static void what_cannot_be_is_refused(void **state)
{
    parcast_platform *platform = platform_of(networks[0]);
    parcast_transfer bad[] = {
        {0, 8, 1, 0}, {-1, 0, 1, 0}, {0, 1, -1, 0}, {0, 1, NAN, 0}, {0, 1, 1, INFINITY}};
    parcast_error error = {0};
    double end_s = -1;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(parcast_replay_transfers(platform, NULL, &bad[i], 1, NULL, 0, &end_s, NULL, &error),
                         PARCAST_DATA);
        assert_true(end_s == -1);
    }
    parcast_transfer for_ever = {0, 1, 1e17, 0};
    assert_int_equal(parcast_replay_transfers(platform, NULL, &for_ever, 1, NULL, 0, &end_s, NULL, &error),
                     PARCAST_LIMIT);
    parcast_platform_destroy(&platform);
    platform = platform_of("topology: star, link_latency: 0, bandwidth: 1e9, weights: latency");
    platform->types[0].link_latency_s = 1e-5;
    parcast_transfer mixed[] = {{0, 1, 1e6, 0}, {5, 6, 1e6, 0}};
    double ends_s[2];
    assert_int_equal(parcast_replay_transfers(platform, NULL, mixed, 2, NULL, 0, ends_s, NULL, &error),
                     PARCAST_DATA);
    assert_non_null(strstr(error.text, "would starve"));
    parcast_platform_destroy(&platform);
}

static void a_free_network_takes_no_time(void **state)
{
    parcast_platform *platform = platform_of(networks[2]);
    parcast_replay_options options = {.ideal_network = true};
    parcast_transfer transfer = {0, 5, 1e9, 2};
    double end_s;
    (void)state;
    assert_int_equal(parcast_replay_transfers(platform, &options, &transfer, 1, NULL, 0, &end_s, NULL, NULL),
                     PARCAST_OK);
    assert_true(end_s == 2);
    parcast_platform_destroy(&platform);
}

/* latency of a platform counts links by closed forms; here each route is walked. */
static void routes_are_as_long_as_the_platform_says(void **state)
{
    (void)state;
    for (int k = 0; k < N_NETWORKS; k++) {
        parcast_platform *platform = platform_of(networks[k]);
        struct topology topology;
        struct topology_hop hops[TOPOLOGY_MOST_HOPS + 1];
        double sum_s = 0;
        assert_int_equal(topology_create(&topology, platform, NULL), PARCAST_OK);
        for (uint32_t from = 0; from < 8; from++)
            for (uint32_t to = 0; to < 8; to++) {
                if (from == to) continue;
                uint32_t n = topology_route(&topology, from, to, false, hops);
                assert_in_range(n, 1, topology.most_hops);
                for (uint32_t i = 0; i < n; i++) sum_s += hops[i].latency_s;
            }
        assert_close(sum_s / 56, parcast_platform_latency(platform, 8), 1e-12);
        topology_destroy(&topology);
        parcast_platform_destroy(&platform);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_transfers_end_as_the_long_way_says),
        cmocka_unit_test(shares_of_a_part_are_those_of_the_whole),
        cmocka_unit_test(changes_that_stay_local_agree_with_the_whole),
        cmocka_unit_test(sizes_and_bandwidths_times_k_change_nothing),
        cmocka_unit_test(renaming_the_hosts_of_a_star_changes_nothing),
        cmocka_unit_test(jobs_on_disjoint_nodes_do_not_meet),
        cmocka_unit_test(all_to_all_on_a_fat_tree_is_symmetric),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_free_network_takes_no_time),
        cmocka_unit_test(routes_are_as_long_as_the_platform_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
