/* Engine bound: the roofline's equations, and volumes followed over sizes and numbers of parts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/forecast.h"

enum { MOST = 8 };
static char program[] = "./heat", ten[] = "10", hundred[] = "100", small[] = "64", middle[] = "640",
            large[] = "2048";

/* Estimates of "./heat SIZE 10", made from a function of the size. */
struct family {
    parcast_estimate estimates[MOST];
    parcast_estimate_volume volumes[MOST][2];
    char words[MOST][2][16];
    char *arguments[MOST][2];
    parcast_bound_basis basis;
    parcast_fit_options options;
};

static void add(struct family *f, int size, double flop, int p, double bytes, int q, double more)
{
    size_t i = f->basis.n_estimates++;
    snprintf(f->words[i][0], sizeof f->words[i][0], "%d", size);
    snprintf(f->words[i][1], sizeof f->words[i][1], "10");
    f->arguments[i][0] = f->words[i][0];
    f->arguments[i][1] = f->words[i][1];
    f->volumes[i][0] = (parcast_estimate_volume){p, bytes, bytes, bytes / p};
    f->volumes[i][1] = (parcast_estimate_volume){q, more, more, more / q};
    f->estimates[i] = (parcast_estimate){.program = program,
                                         .arguments = f->arguments[i],
                                         .n_arguments = 2,
                                         .flop = flop,
                                         .serial_s = NAN,
                                         .calibration = NAN,
                                         .figures = {NAN, NAN, NAN},
                                         .volumes = f->volumes[i],
                                         .n_volumes = q ? 2 : 1};
    f->basis.estimates = f->estimates;
    f->basis.figures = (parcast_bound_figures){NAN, NAN, NAN};
    f->options.bound = &f->basis;
}

static parcast_platform *machine(int count, int cores)
{
    char text[512];
    parcast_platform *platform;
    parcast_error error;
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nname: test\n"
             "nodes:\n  - {type: n, count: %d, cores: %d, flop_rate: 1 Gflop/s, price_per_hour: 1}\n"
             "network: {topology: star, latency: 1 us, bandwidth: 1 GB/s}\n",
             count, cores);
    if (parcast_platform_parse(text, strlen(text), "test", &platform, &error)) fail_msg("%s", error.text);
    return platform;
}

static parcast_predictor *predictor_of(const struct family *f, const parcast_run *runs, size_t n_runs)
{
    parcast_predictor *predictor = NULL;
    parcast_error error = {0};
    if (parcast_predictor_create(PARCAST_ENGINE_BOUND, runs, n_runs, NULL, &f->options, &predictor, &error))
        fail_msg("%s", error.text);
    return predictor;
}

static parcast_point ask(const parcast_predictor *predictor, const parcast_platform *platform, int processes)
{
    parcast_placement *placement;
    parcast_point point = {0};
    parcast_error error = {0};
    if (parcast_placement_create(platform, processes, PARCAST_FILL, false, &placement, &error) ||
        parcast_predictor_point(predictor, platform, placement, &point, &error))
        fail_msg("%s", error.text);
    parcast_placement_destroy(&placement);
    return point;
}

static void near(double value, double expected, double ratio)
{
    if (!(fabs(value - expected) <= ratio * fabs(expected))) fail_msg("%.17g, not %.17g", value, expected);
}

/* E = 1 / (1 + R I (1 - O) / B), T = T1 / (p E). */
static void one_core_a_node_gives_equations_four_and_five(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 4e8, 16, 12e8);
    f.basis.figures.overlap_ratio = 0.25;
    parcast_platform *platform = machine(16, 1);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    for (int i = 0; i < 2; i++) {
        int p = i ? 16 : 4;
        double intensity = (i ? 12e8 : 4e8) / 2e9, efficiency = 1 / (1 + 1e9 * intensity * 0.75 / 1e9);
        parcast_point point = ask(predictor, platform, p);
        near(point.time_s, 2.0 / (p * efficiency), 1e-12);
        near(point.compute_s, 2.0 / p, 1e-12);
        near(point.low_s, point.time_s, 1e-12);
        near(point.high_s, point.time_s, 1e-12);
    }
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

static void ranks_of_one_node_cross_no_network(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 4e8, 16, 12e8);
    parcast_platform *platform = machine(4, 4);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    near(ask(predictor, platform, 4).time_s, 2.0 / 4, 1e-12);
    /* sixteen ranks on four nodes: what four parts exchange */
    near(ask(predictor, platform, 16).time_s, 2.0 / 16 + 4e8 / 4e9, 1e-12);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

static void given_figures_stand_for_the_platforms(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 4e8, 0, 0);
    f.basis.figures =
        (parcast_bound_figures){.flop_per_s = 5e8, .bandwidth_bytes_per_s = 1e8, .overlap_ratio = 0.5};
    parcast_platform *platform = machine(4, 1);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    near(ask(predictor, platform, 4).time_s, 4.0 / 4 + 4e8 * 0.5 / 4e8, 1e-12);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

/* 4e8 bytes between four nodes take 0.1 s, of which 0.1 s of computing at most hide all. */
static void no_more_is_hidden_than_there_is_computing(void **state)
{
    (void)state;
    static const double flop[] = {4e9, 4e8, 4e7}, time_s[] = {1 + 0.01, 0.1 + 0.01, 0.1};
    parcast_platform *platform = machine(4, 1);
    for (int i = 0; i < 3; i++) {
        struct family f = {0};
        add(&f, 64, flop[i], 4, 4e8, 0, 0);
        f.basis.figures.overlap_ratio = 0.9;
        parcast_predictor *predictor = predictor_of(&f, NULL, 0);
        parcast_point point = ask(predictor, platform, 4);
        near(point.time_s, time_s[i], 1e-12);
        near(point.low_s, time_s[i], 1e-12);
        near(point.high_s, time_s[i], 1e-12);
        parcast_predictor_destroy(&predictor);
    }
    parcast_platform_destroy(&platform);
}

/* The best of its sizes; what is given stands before it. */
static void the_platform_says_what_is_hidden(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 4e9, 4, 4e8, 0, 0);
    parcast_platform *platform = machine(4, 1);
    parcast_breakpoint overlap[] = {{0, 0.25}, {1024, 0.75}, {65536, 0}};
    platform->network.overlap = overlap;
    platform->network.n_overlap = 3;
    for (int given = 0; given < 2; given++) {
        if (given) f.basis.figures.overlap_ratio = 0.5;
        parcast_predictor *predictor = predictor_of(&f, NULL, 0);
        near(ask(predictor, platform, 4).time_s, 1 + 0.1 * (given ? 0.5 : 0.25), 1e-12);
        parcast_predictor_destroy(&predictor);
    }
    platform->network.overlap = NULL;
    platform->network.n_overlap = 0;
    parcast_platform_destroy(&platform);
}

/* Surfaces of several orders, sixteen times beyond the largest size. */
static void volumes_are_followed_to_a_large_size(void **state)
{
    (void)state;
    static const int sizes[] = {32, 48, 64, 80, 96, 128};
    struct family f = {0};
    char *target[] = {large, ten};
    for (size_t i = 0; i < 6; i++) {
        double n = sizes[i];
        add(&f, sizes[i], 7 * n * n * n, 4, 8 * (6 * n * n + 24 * n + 8), 16, 8 * (14 * n * n + 90 * n + 80));
    }
    f.basis.target = target;
    f.basis.n_target = 2;
    f.basis.figures.flop_per_s = 1e9;
    parcast_platform *platform = machine(16, 1);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    double n = 2048, work = 7 * n * n * n / 1e9;
    near(ask(predictor, platform, 4).time_s, work / 4 + 8 * (6 * n * n + 24 * n + 8) / 4e9, 1e-6);
    near(ask(predictor, platform, 16).communication_s, 8 * (14 * n * n + 90 * n + 80) / 16e9, 1e-3);
    const parcast_fit_report *report = parcast_predictor_report(predictor);
    assert_true(report->extrapolation_ratio < 1e-3);
    assert_true(report->loo_worst_ratio < 1e-3);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

static void other_counts_follow_squares(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 1e6, 16, 3e6); /* 1e6 (sqrt(p) - 1) */
    parcast_platform *platform = machine(64, 1);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    near(ask(predictor, platform, 64).communication_s, 7e6 / 64e9, 1e-9);
    near(ask(predictor, platform, 9).communication_s, 2e6 / 9e9, 1e-9);
    near(ask(predictor, platform, 1).communication_s, 0, 0);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

/* Two pieces that have nothing to do with each other: silence between two parts says nothing of sixteen. */
static void counts_that_send_nothing_do_not_count_for_others(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 2, 0, 4, 1e6);
    parcast_platform *platform = machine(64, 1);
    parcast_predictor *predictor = predictor_of(&f, NULL, 0);
    parcast_point two = ask(predictor, platform, 2), three = ask(predictor, platform, 3),
                  many = ask(predictor, platform, 16);
    near(two.communication_s, 0, 0);
    near(three.low_s, three.compute_s, 1e-12);
    assert_true(three.communication_s > 0 && three.communication_s < 1e6 / 3e9);
    assert_true(many.low_s > many.compute_s && many.communication_s > 1e6 / 16e9);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

/* Words of real programs: exact blocks with odd shapes below them, graph partitioning, a mesh. */
static const struct {
    const char *what;
    int p, n_sizes, sizes[6];
    double words[6], blocks[6];
    int size;
    double expected, error_ratio;
} measured[] = {{"heat2d on 8",
                 8,
                 5,
                 {48, 64, 80, 96, 128},
                 {3570, 4810, 5950, 7270, 9740},
                 {7680, 10240, 12800, 15360, 20480},
                 512,
                 39340,
                 0.03},
                {"stencil3d on 4",
                 4,
                 5,
                 {8, 12, 16, 20, 24},
                 {4565, 10795, 19500, 30340, 43855},
                 {12800, 40320, 92160, 176000, 299520},
                 48,
                 177965,
                 0.03},
                {"stencil3d on 8",
                 8,
                 5,
                 {8, 12, 16, 20, 24},
                 {7125, 15670, 28145, 43415, 62255},
                 {15360, 46080, 102400, 192000, 322560},
                 48,
                 257075,
                 0.05},
                {"cg on 4",
                 4,
                 5,
                 {400, 480, 560, 640, 800},
                 {31506, 37070, 43986, 49810, 61094},
                 {31506, 37070, 43986, 49810, 61094},
                 3200,
                 249906,
                 0.06},
                {"cg on 8",
                 8,
                 5,
                 {400, 480, 560, 640, 800},
                 {71850, 78038, 102010, 104090, 127646},
                 {71850, 78038, 102010, 104090, 127646},
                 3200,
                 568138,
                 0.2},
                /* the last size has nothing below its blocks: by themselves the words would grow as cubes */
                {"stencil3d on 16",
                 16,
                 5,
                 {12, 16, 20, 24, 28},
                 {12218, 21977, 34211, 48444, 78400},
                 {14400, 25600, 40000, 57600, 78400},
                 48,
                 230400,
                 0.03}};

static void words_of_real_programs_are_inside_the_interval(void **state)
{
    (void)state;
    parcast_platform *platform = machine(16, 1);
    for (size_t m = 0; m < sizeof measured / sizeof *measured; m++) {
        struct family f = {0};
        char word[16], *target[] = {word, ten};
        for (int i = 0; i < measured[m].n_sizes; i++) {
            add(&f, measured[m].sizes[i], 1e9, measured[m].p, 8 * measured[m].words[i], 0, 0);
            f.volumes[i][0].block_bytes = 8 * measured[m].blocks[i];
        }
        snprintf(word, sizeof word, "%d", measured[m].size);
        f.basis.target = target;
        f.basis.n_target = 2;
        parcast_predictor *predictor = predictor_of(&f, NULL, 0);
        parcast_point point = ask(predictor, platform, measured[m].p);
        double words = point.communication_s * measured[m].p * 1e9 / 8;
        double low = (point.low_s - point.compute_s) * measured[m].p * 1e9 / 8;
        double high = (point.high_s - point.compute_s) * measured[m].p * 1e9 / 8;
        near(words, measured[m].expected, measured[m].error_ratio);
        if (!(low <= measured[m].expected && measured[m].expected <= high &&
              high < 20 * low + measured[m].expected))
            fail_msg("%s: %g is not in [%g, %g], or that is absurd", measured[m].what, measured[m].expected,
                     low, high);
        parcast_predictor_destroy(&predictor);
    }
    parcast_platform_destroy(&platform);
}

/* Noise of 5 %, from a size to sixteen times as much: wide, and still of use. */
static void noise_widens_the_interval_but_not_beyond_reason(void **state)
{
    (void)state;
    static const int sizes[] = {8, 12, 16, 20, 24};
    static const double noise[][5] = {
        {1.05, 0.95, 1.02, 0.98, 1.01}, {0.95, 1.03, 1.05, 0.96, 1.0}, {1.0, 1.05, 0.96, 1.04, 0.97}};
    parcast_platform *platform = machine(4, 1);
    for (size_t m = 0; m < 3; m++) {
        struct family f = {0};
        char word[] = "128", *target[] = {word, ten};
        for (int i = 0; i < 5; i++) {
            add(&f, sizes[i], 1e6, 4, 320.0 * sizes[i] * sizes[i] * noise[m][i], 0, 0);
            f.volumes[i][0].block_bytes = NAN;
        }
        f.basis.target = target;
        f.basis.n_target = 2;
        parcast_predictor *predictor = predictor_of(&f, NULL, 0);
        parcast_point point = ask(predictor, platform, 4);
        double truth = 320.0 * 128 * 128 / 4e9, low = point.low_s - point.compute_s,
               high = point.high_s - point.compute_s;
        if (!(low <= truth && truth <= high && high < 10 * truth && low > truth / 50))
            fail_msg("%zu: %g is not in [%g, %g], or that is absurd", m, truth, low, high);
        parcast_predictor_destroy(&predictor);
    }
    parcast_platform_destroy(&platform);
}

/* px x py blocks of a square, px x py x pz of a cube: exact from a few counts, whatever their factors. */
static void other_counts_follow_the_cuts_of_blocks(void **state)
{
    (void)state;
    parcast_platform *platform = machine(64, 1);
    struct family flat = {0}, cube = {0};
    add(&flat, 64, 2e9, 4, 2e6, 8, 4e6);
    add(&cube, 64, 2e9, 4, 2e6, 8, 3e6);
    parcast_predictor *squares = predictor_of(&flat, NULL, 0), *cubes = predictor_of(&cube, NULL, 0);
    near(ask(squares, platform, 32).communication_s, 10e6 / 32e9, 1e-9); /* 8 x 4 */
    near(ask(squares, platform, 64).communication_s, 14e6 / 64e9, 1e-9);
    near(ask(cubes, platform, 32).communication_s, 7e6 / 32e9, 1e-9); /* 4 x 4 x 2 */
    near(ask(cubes, platform, 64).communication_s, 9e6 / 64e9, 1e-9);
    double prime = ask(squares, platform, 61).communication_s * 61e9; /* not 61 slices */
    assert_true(prime > 13e6 && prime < 17e6);
    parcast_predictor_destroy(&squares);
    parcast_predictor_destroy(&cubes);
    parcast_platform_destroy(&platform);
}

static void an_argument_that_nobody_varied_is_named(void **state)
{
    (void)state;
    struct family f = {0};
    char *target[] = {small, hundred};
    parcast_predictor *predictor = NULL;
    parcast_error error = {0};
    for (int i = 0; i < 5; i++) add(&f, 32 + 16 * i, 1e6 * i, 4, 1e6, 0, 0);
    f.basis.target = target;
    f.basis.n_target = 2;
    assert_int_equal(
        parcast_predictor_create(PARCAST_ENGINE_BOUND, NULL, 0, NULL, &f.options, &predictor, &error),
        PARCAST_DATA);
    assert_string_equal(error.text, "argument 2 is 10 in every estimate and 100 in what is to be forecast");
}

static void two_sizes_do_not_give_a_third(void **state)
{
    (void)state;
    struct family f = {0};
    char *target[] = {middle, ten};
    parcast_predictor *predictor = NULL;
    parcast_error error = {0};
    add(&f, 32, 1e6, 4, 1e6, 0, 0);
    add(&f, 64, 2e6, 4, 2e6, 0, 0);
    f.basis.target = target;
    f.basis.n_target = 2;
    assert_int_equal(
        parcast_predictor_create(PARCAST_ENGINE_BOUND, NULL, 0, NULL, &f.options, &predictor, &error),
        PARCAST_DATA);
    assert_non_null(strstr(error.text, "estimates at 2 sizes"));
}

/* The recorded run with one rank is the time on one core, and the runs are said. */
static void a_recorded_run_is_the_time_on_one_core(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 4e8, 0, 0);
    char *arguments[] = {small, ten};
    parcast_run run = {.id = 7,
                       .program = program,
                       .arguments = arguments,
                       .n_arguments = 2,
                       .n_ranks = 1,
                       .n_nodes_used = 1,
                       .complete = true,
                       .time_s = 3,
                       .compute_s = 3};
    parcast_platform *platform = machine(4, 1);
    parcast_predictor *predictor = predictor_of(&f, &run, 1);
    near(ask(predictor, platform, 4).compute_s, 3.0 / 4, 1e-12);
    const parcast_fit_report *report = parcast_predictor_report(predictor);
    assert_int_equal(report->n_runs, 1);
    assert_int_equal(report->runs[0].id, 7);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

/* Others had the core for two thirds of its time: on a quiet machine it would take one second. */
static void what_other_programs_took_does_not_count(void **state)
{
    (void)state;
    struct family f = {0};
    add(&f, 64, 2e9, 4, 4e8, 0, 0);
    char *arguments[] = {small, ten};
    parcast_rank_profile profile = {.node_ranks = 1,
                                    .node_allowed_cores = 2,
                                    .load_average = 5.7,
                                    .time_s = 3,
                                    .compute_s = 3,
                                    .thread_cpu_s = 1};
    parcast_run run = {.program = program,
                       .arguments = arguments,
                       .n_arguments = 2,
                       .n_ranks = 1,
                       .n_nodes_used = 1,
                       .complete = true,
                       .time_s = 3,
                       .compute_s = 3,
                       .ranks = &profile,
                       .n_profiles = 1};
    parcast_platform *platform = machine(4, 1);
    parcast_predictor *predictor = predictor_of(&f, &run, 1);
    near(ask(predictor, platform, 1).time_s, 1, 1e-12);
    parcast_predictor_destroy(&predictor);
    profile.load_average = 0;
    predictor = predictor_of(&f, &run, 1);
    near(ask(predictor, platform, 1).time_s, 3, 1e-12);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
}

static void what_is_no_estimate_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[]",
        "{\"schema\": \"parcast.forecast/1\"}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": 1, \"arguments\": [], \"flop\": 1, \"points\": "
        "[]}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": \"a\", \"arguments\": [1], \"flop\": 1, "
        "\"points\": []}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": \"a\", \"arguments\": [], \"flop\": -1, "
        "\"points\": []}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": \"a\", \"arguments\": [], \"flop\": 1}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": \"a\", \"arguments\": [], \"flop\": 1, "
        "\"points\": [{\"processes\": 0, \"bytes\": 1}]}",
        "{\"schema\": \"parcast.estimate/1\", \"program\": \"a\", \"arguments\": [], \"flop\": 1, "
        "\"figures\": {\"overlap_ratio\": 2}, \"points\": []}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        parcast_estimate estimate;
        parcast_error error = {0};
        assert_int_equal(parcast_estimate_parse(texts[i], "study", &estimate, &error), PARCAST_FORMAT);
        assert_string_equal(error.source, "study");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_core_a_node_gives_equations_four_and_five),
        cmocka_unit_test(ranks_of_one_node_cross_no_network),
        cmocka_unit_test(given_figures_stand_for_the_platforms),
        cmocka_unit_test(no_more_is_hidden_than_there_is_computing),
        cmocka_unit_test(the_platform_says_what_is_hidden),
        cmocka_unit_test(volumes_are_followed_to_a_large_size),
        cmocka_unit_test(other_counts_follow_squares),
        cmocka_unit_test(counts_that_send_nothing_do_not_count_for_others),
        cmocka_unit_test(words_of_real_programs_are_inside_the_interval),
        cmocka_unit_test(noise_widens_the_interval_but_not_beyond_reason),
        cmocka_unit_test(other_counts_follow_the_cuts_of_blocks),
        cmocka_unit_test(an_argument_that_nobody_varied_is_named),
        cmocka_unit_test(two_sizes_do_not_give_a_third),
        cmocka_unit_test(a_recorded_run_is_the_time_on_one_core),
        cmocka_unit_test(what_other_programs_took_does_not_count),
        cmocka_unit_test(what_is_no_estimate_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
