#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/probe.h"

static parcast_probe_host host(const char *name, int cores, double calibration)
{
    parcast_probe_host h = {.ranks = 1,
                            .cores = cores,
                            .sockets = 1,
                            .memory_bytes = 8e9,
                            .calibration = calibration,
                            .calibration_busy = calibration,
                            .dilation_ratio = 1,
                            .flop_rate_flop_per_s = 10 * calibration,
                            .n_memory = 2,
                            .memory_cores = {1, cores},
                            .memory_bytes_per_s = {10e9, 25e9},
                            .shared_latency_s = 0.4e-6,
                            .shared_bandwidth_bytes_per_s = 6e9};
    snprintf(h.name, sizeof h.name, "%s", name);
    return h;
}

/* What a pair measures when a message of s bytes takes latency + 2 overhead + s / bandwidth / share(s). */
static parcast_probe_pair pair(int a, int b, double latency_s, double overhead_s, double bandwidth,
                               double share)
{
    static const double sizes[] = {1, 1024, 16384, 262144, 1048576, 4194304};
    parcast_probe_pair p = {.a = a, .b = b, .n_sizes = 6, .overhead_s = overhead_s, .both_ways_ratio = 1.05};
    for (int i = 0; i < 6; i++) {
        p.bytes[i] = sizes[i];
        p.one_way_s[i] =
            latency_s + 2 * overhead_s + (sizes[i] - 1) / bandwidth / (sizes[i] < 100000 ? share : 1);
    }
    return p;
}

static parcast_platform *platform_of(const parcast_probe *probe)
{
    parcast_platform *p = NULL;
    parcast_error error = {0};
    if (parcast_probe_platform(probe, "measured", &p, &error)) fail_msg("%s", error.text);
    return p;
}

static void alike_hosts_become_one_node_type(void **state)
{
    (void)state;
    parcast_probe_host hosts[] = {host("c-01", 4, 4e8), host("d1", 8, 4e8), host("c-02", 4, 4.1e8),
                                  host("slow", 4, 2e8), host("d2", 8, 3.95e8)};
    parcast_probe_pair pairs[10];
    size_t n = 0;
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++) pairs[n++] = pair(i, j, 20e-6, 1e-6, 1e9, 1);
    parcast_probe probe = {
        .hosts = hosts, .n_hosts = 5, .pairs = pairs, .n_pairs = n, .bisection_bytes_per_s = NAN};
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(p->n_types, 3);
    assert_string_equal(p->types[0].name, "c");
    assert_int_equal(p->types[0].count, 2);
    assert_float_equal(p->types[0].calibration, 4.05e8, 1);
    assert_false(p->types[0].speed_given);
    assert_string_equal(p->types[1].name, "d");
    assert_int_equal(p->types[1].count, 2);
    assert_string_equal(p->types[2].name, "slow");
    assert_int_equal(p->types[2].count, 1);
    assert_true(p->types[0].memory_bandwidth_bytes_per_s == 25e9);
    assert_int_equal(p->types[0].n_memory_scaling, 4);
    assert_true(p->types[0].memory_scaling[0] == 1 && p->types[0].memory_scaling[1] == 1.5);
    assert_true(p->types[0].memory_scaling[3] == 2.5);
    assert_float_equal(p->network.latency_s, 20e-6, 1e-9);
    assert_float_equal(p->network.overhead_s, 1e-6, 1e-12);
    assert_float_equal(p->network.bandwidth_bytes_per_s, 1e9, 1e6);
    assert_true(isnan(p->types[0].bandwidth_bytes_per_s));
    assert_int_equal(p->network.duplex, PARCAST_FULL_DUPLEX);
    assert_int_equal(p->network.n_bandwidth_factors, 0);
    assert_float_equal(p->shared_memory.latency_s, 0.4e-6, 1e-18);
    parcast_platform_destroy(&p);
}

static void amounts_are_written_in_the_unit_that_people_use(void **state)
{
    (void)state;
    parcast_probe_host one = host("n", 2, 4e8);
    char *text = NULL;
    size_t length;
    one.memory_bytes = 16602345472;
    one.memory_bytes_per_s[1] = 16.601e9;
    parcast_probe probe = {.hosts = &one, .n_hosts = 1, .bisection_bytes_per_s = NAN};
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(parcast_platform_format(p, &text, &length, NULL), PARCAST_OK);
    assert_non_null(strstr(text, "memory: 16.6 GB"));
    assert_non_null(strstr(text, "memory_bandwidth: 16.6 GB/s"));
    free(text);
    parcast_platform_destroy(&p);
}

/* Speeds that scatter by what their errors leave open, and links that scatter, are one kind; a gap is not. */
static void noise_makes_no_node_types(void **state)
{
    (void)state;
    enum { N = 8 };
    static const double noise[N] = {0.94, 1.05, 0.98, 1.0, 1.02, 0.96, 1.07, 0.90};
    parcast_probe_host hosts[N];
    parcast_probe_pair pairs[N * N];
    parcast_probe probe = {.hosts = hosts, .n_hosts = N, .pairs = pairs, .bisection_bytes_per_s = NAN};
    for (int i = 0; i < N; i++) {
        hosts[i] = host("n", 2, 4e8 * noise[i]);
        for (int j = i + 1; j < N; j++)
            pairs[probe.n_pairs++] = pair(i, j, 20e-6, 1e-6, 1e9 * noise[(i + 3 * j) % N], 1);
    }
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(p->n_types, 1);
    parcast_platform_destroy(&p);

    hosts[7].calibration = 0.75 * 4e8; /* 0.94 is next */
    p = platform_of(&probe);
    assert_int_equal(p->n_types, 2);
    parcast_platform_destroy(&p);

    for (int i = 0; i < N; i++) hosts[i].calibration_error = 0.05 * 4e8; /* that much may be by chance */
    p = platform_of(&probe);
    assert_int_equal(p->n_types, 1);
    parcast_platform_destroy(&p);
}

static void slower_links_belong_to_their_nodes(void **state)
{
    (void)state;
    parcast_probe_host hosts[] = {host("a1", 2, 4e8), host("a2", 2, 4e8), host("b1", 2, 4e8),
                                  host("b2", 2, 4e8)};
    static const double link[] = {50e6, 50e6, 12.5e6, 12.5e6};
    parcast_probe_pair pairs[6];
    size_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            pairs[n] = pair(i, j, 50e-6, 2e-6, fmin(link[i], link[j]), 0.5);
            pairs[n++].both_ways_ratio = 1.95;
        }
    parcast_probe probe = {.hosts = hosts,
                           .n_hosts = 4,
                           .pairs = pairs,
                           .n_pairs = n,
                           .bisection_pairs = 2,
                           .bisection_bytes_per_s = 10e6}; /* its links would carry 12.5e6 twice */
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(p->n_types, 2);
    assert_float_equal(parcast_platform_link_bandwidth(p, 0), 50e6, 1e5);
    assert_float_equal(parcast_platform_link_bandwidth(p, 1), 12.5e6, 1e5);
    assert_true(isnan(p->types[0].bandwidth_bytes_per_s));
    assert_int_equal(p->network.duplex, PARCAST_HALF_DUPLEX);
    assert_true(p->network.bisection_bytes_per_s == 10e6);
    assert_int_equal(p->network.n_bandwidth_factors, 2);
    assert_float_equal(p->network.bandwidth_factors[0].value, 0.5, 0.01);
    assert_float_equal(p->network.bandwidth_factors[1].value, 1, 0.01);
    assert_true(p->network.bandwidth_factors[1].bytes == 65536);
    parcast_platform_destroy(&p);
}

static void overhead_never_eats_the_latency(void **state)
{
    (void)state;
    parcast_probe_host hosts[] = {host("a", 1, 4e8), host("b", 1, 4e8)};
    parcast_probe_pair pairs[] = {pair(0, 1, 1e-6, 1e-6, 1e9, 1)};
    pairs[0].overhead_s = 1; /* a hiccup */
    parcast_probe probe = {.hosts = hosts, .n_hosts = 2, .pairs = pairs, .n_pairs = 1};
    parcast_platform *p = platform_of(&probe);
    assert_true(p->network.latency_s > 0);
    assert_float_equal(p->network.latency_s + 2 * p->network.overhead_s, 3e-6, 1e-9);
    parcast_platform_destroy(&p);
}

static void hosts_of_one_name_get_types_of_different_names(void **state)
{
    (void)state;
    parcast_probe_host hosts[] = {host("n", 1, 4e8), host("n", 2, 4e8), host("n", 3, 4e8)};
    parcast_probe_pair pairs[] = {pair(0, 1, 1e-6, 0, 1e9, 1), pair(0, 2, 1e-6, 0, 1e9, 1)};
    parcast_probe probe = {.hosts = hosts, .n_hosts = 3, .pairs = pairs, .n_pairs = 2};
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(p->n_types, 3);
    assert_string_not_equal(p->types[0].name, p->types[1].name);
    assert_string_not_equal(p->types[1].name, p->types[2].name);
    parcast_platform_destroy(&p);
}

static void measure_overlap(parcast_probe_pair *p, int n, double first, double second, double third)
{
    static const double sizes[] = {1024, 16384, 262144};
    const double ratios[] = {first, second, third};
    p->n_overlap = n;
    for (int i = 0; i < n; i++) {
        p->overlap_bytes[i] = sizes[i];
        p->overlap_ratio[i] = ratios[i];
    }
}

/* Medians by size; steps below 0.05 are one, a share of 0 is told from one that nobody measured. */
static void what_computing_hides_is_known_by_size(void **state)
{
    (void)state;
    parcast_probe_host hosts[] = {host("a", 1, 4e8), host("b", 1, 4e8), host("c", 1, 4e8), host("d", 1, 4e8)};
    parcast_probe_pair pairs[] = {pair(0, 1, 1e-6, 0, 1e9, 1), pair(2, 3, 1e-6, 0, 1e9, 1),
                                  pair(0, 2, 1e-6, 0, 1e9, 1)};
    parcast_probe probe = {.hosts = hosts, .n_hosts = 4, .pairs = pairs, .n_pairs = 3};
    parcast_platform *p = platform_of(&probe);
    assert_int_equal(p->network.n_overlap, 0);
    assert_true(isnan(parcast_platform_overlap(p)));
    parcast_platform_destroy(&p);
    measure_overlap(&pairs[0], 3, 0.86, 0.9, 0);
    measure_overlap(&pairs[1], 2, 0.9, 0.9, NAN);
    p = platform_of(&probe);
    assert_int_equal(p->network.n_overlap, 2);
    assert_true(p->network.overlap[0].bytes == 0 && p->network.overlap[0].value == 0.88);
    assert_true(p->network.overlap[1].bytes == 65536 && p->network.overlap[1].value == 0);
    assert_true(parcast_platform_overlap(p) == 0.88);
    parcast_platform_destroy(&p);
}

static void doubtful_measurements_are_said(void **state)
{
    (void)state;
    char notes[8][PARCAST_PROBE_NOTE];
    parcast_probe_host hosts[] = {host("calm", 4, 4e8), host("busy", 4, 4e8)};
    parcast_probe probe = {.hosts = hosts, .n_hosts = 2};
    assert_int_equal(parcast_probe_notes(&probe, notes, 8), 0);
    hosts[1].load_ratio = 1.5;
    hosts[1].calibration_busy = 2e8;
    hosts[1].dilation_ratio = 0.25;
    hosts[1].ranks = 9;
    assert_int_equal(parcast_probe_notes(&probe, notes, 8), 4);
    assert_non_null(strstr(notes[0], "busy: load was 1.5 per core"));
    assert_non_null(strstr(notes[1], "50 %"));
    assert_non_null(strstr(notes[2], "4.00 times slower"));
    assert_non_null(strstr(notes[3], "9 ranks on 4 cores"));
    assert_int_equal(parcast_probe_notes(&probe, notes, 2), 2);
}

static void this_machine_is_measured(void **state)
{
    (void)state;
    for (int processes = 0; processes < 2; processes++) {
        parcast_probe_host h;
        parcast_error error = {0};
        if (parcast_probe_node(processes, NULL, NULL, &h, &error)) fail_msg("%s", error.text);
        assert_true(h.cores >= 1 && h.sockets >= 1 && h.cores % h.sockets == 0);
        assert_true(h.memory_bytes > 1e8);
        assert_true(h.calibration > 0 && h.calibration_busy > 0);
        assert_true(h.flop_rate_flop_per_s > 0);
        assert_true(h.n_memory >= 1 && h.memory_cores[0] == 1 && h.memory_cores[h.n_memory - 1] == h.cores);
        for (int i = 0; i < h.n_memory; i++) assert_true(h.memory_bytes_per_s[i] > 0);
        assert_true(h.shared_latency_s > 0);
        assert_true(h.shared_bandwidth_bytes_per_s > 0);
    }
}

#define PAIR_END "\"overhead_s\":1e-7,\"both_ways_ratio\":1}]}"
static const char good[] =
    "{\"schema\":\"parcast.probe-raw/1\",\"mpi\":\"MPI "
    "1\",\"bisection_pairs\":1,\"bisection_bytes_per_s\":null,"
    "\"hosts\":[{\"name\":\"a\",\"ranks\":1,\"cores\":2,\"sockets\":1,\"memory_bytes\":1e9,\"calibration\":"
    "4e8,"
    "\"calibration_busy\":4e8,\"dilation_ratio\":1,\"flop_rate_flop_per_s\":1e9,\"shared_latency_s\":1e-7,"
    "\"shared_bandwidth_bytes_per_s\":null,\"load_ratio\":0,\"memory_bandwidth\":[[1,1e10],[2,2e10]]}],"
    "\"pairs\":[{\"a\":0,\"b\":0,\"one_way\":[[1,1e-6],[1000,2e-6]]," PAIR_END;

static void the_result_of_the_ranks_is_read(void **state)
{
    (void)state;
    parcast_probe probe;
    parcast_error error = {0};
    if (parcast_probe_parse(good, strlen(good), "raw", &probe, &error)) fail_msg("%s", error.text);
    assert_string_equal(probe.mpi, "MPI 1");
    assert_int_equal(probe.n_hosts, 1);
    assert_int_equal(probe.hosts[0].memory_cores[1], 2);
    assert_true(isnan(probe.hosts[0].shared_bandwidth_bytes_per_s));
    assert_int_equal(probe.pairs[0].n_sizes, 2);
    assert_true(isnan(probe.bisection_bytes_per_s));
    parcast_probe_destroy(&probe);
    assert_null(probe.hosts);
}

static parcast_status parse_with(const char *overlap, parcast_probe *probe)
{
    char text[2048];
    int length =
        snprintf(text, sizeof text, "%.*s%s" PAIR_END, (int)(strlen(good) - strlen(PAIR_END)), good, overlap);
    return parcast_probe_parse(text, (size_t)length, "raw", probe, NULL);
}

static void overlap_is_read_and_impossible_shares_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\"overlap\":1,",
                                        "\"overlap\":[[1024,1.5]],\"eager_up_to_bytes\":null,",
                                        "\"overlap\":[[1024,-0.5]],",
                                        "\"overlap\":[[1024]],",
                                        "\"overlap\":[[4096,0.5],[1024,0.5]],",
                                        "\"overlap\":[[1024,0.5]],",
                                        "\"overlap\":[[0,0.5]],\"eager_up_to_bytes\":null,"};
    parcast_probe probe = {0};
    assert_int_equal(parse_with("\"overlap\":[[1024,0.5],[4096,0]],\"eager_up_to_bytes\":1024,", &probe),
                     PARCAST_OK);
    assert_int_equal(probe.pairs[0].n_overlap, 2);
    assert_true(probe.pairs[0].overlap_ratio[0] == 0.5 && probe.pairs[0].overlap_bytes[1] == 4096);
    assert_true(probe.pairs[0].eager_up_to_bytes == 1024);
    parcast_probe_destroy(&probe);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(parse_with(wrong[i], &probe), PARCAST_FORMAT);
}

/* Every single field is missed, and no cut-off text passes. */
static void a_broken_result_is_refused(void **state)
{
    (void)state;
    parcast_probe probe = {0};
    for (size_t length = 0; length + 1 < sizeof good - 1; length++)
        assert_int_equal(parcast_probe_parse(good, length, "raw", &probe, NULL), PARCAST_FORMAT);
    for (const char *quote = good; (quote = strchr(quote, '"')); quote++) {
        if (quote[1] < 'a' || quote[1] > 'z') continue;
        char *broken = strdup(good);
        assert_non_null(broken);
        broken[quote - good + 1] = 'X'; /* another name, or another schema */
        parcast_status status = parcast_probe_parse(broken, strlen(broken), "raw", &probe, NULL);
        const char *end = strchr(quote + 1, '"');
        bool is_value = end[1] != ':' && strncmp(quote, "\"parcast", 8) != 0; /* the host's name may be any */
        if (is_value)
            parcast_probe_destroy(&probe);
        else if (status != PARCAST_FORMAT)
            fail_msg("accepted: %s", broken);
        free(broken);
    }
    assert_null(probe.hosts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_hosts_become_one_node_type),
        cmocka_unit_test(slower_links_belong_to_their_nodes),
        cmocka_unit_test(overhead_never_eats_the_latency),
        cmocka_unit_test(hosts_of_one_name_get_types_of_different_names),
        cmocka_unit_test(noise_makes_no_node_types),
        cmocka_unit_test(amounts_are_written_in_the_unit_that_people_use),
        cmocka_unit_test(what_computing_hides_is_known_by_size),
        cmocka_unit_test(overlap_is_read_and_impossible_shares_are_refused),
        cmocka_unit_test(doubtful_measurements_are_said),
        cmocka_unit_test(this_machine_is_measured),
        cmocka_unit_test(the_result_of_the_ranks_is_read),
        cmocka_unit_test(a_broken_result_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
