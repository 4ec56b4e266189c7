/* estimate -s --on and predict --engine bound, from the program to the forecast. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

static FILE *create(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    return fopen(path, "w");
}

static int prepare(void **state)
{
    static const char platform[] = "schema: parcast.platform/1\nname: sixteen\n"
                                   "nodes:\n  - {type: n, count: 16, cores: 1, flop_rate: 1 Gflop/s}\n"
                                   "network: {topology: star, latency: 1 us, bandwidth: 1 GB/s}\n";
    if (cli_folder_create(state)) return -1;
    FILE *file = create("sixteen.yaml");
    if (!file || fputs(platform, file) < 0 || fclose(file)) return -1;
    struct outcome outcome = run_cli("cc --values --region kernel " KERNELS "/heat2d_swap.c -o heat -lm");
    int status = outcome.status;
    if (status) fputs(outcome.err, stderr);
    outcome_clear(&outcome);
    return status;
}

static json_t *object_of(struct outcome *outcome)
{
    if (outcome->status) fail_msg("%s", outcome->err);
    json_t *object = json_loads(outcome->out, 0, NULL);
    assert_non_null(object);
    outcome_clear(outcome);
    return object;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) fail_msg("'%s' is no number", key);
    return json_number_value(value);
}

static void near(double value, double expected, double ratio)
{
    if (!(fabs(value - expected) <= ratio * fabs(expected))) fail_msg("%.17g, not %.17g", value, expected);
}

/* 7 flop a point, 10 steps; 2 x 2 blocks send 2 * 10 * 64 * 2 words. */
static void the_bound_of_a_grid_is_equation_four(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("estimate --grid 2x2 --on sixteen.yaml --overlap 0.5 --json -- ./heat 64 10");
    json_t *object = object_of(&outcome), *point = json_array_get(json_object_get(object, "points"), 0);
    double flop = number(object, "flop"), bytes = number(point, "bytes");
    near(bytes, 8 * 2 * 10 * 64 * 2, 0);
    double efficiency = 1 / (1 + 1e9 * bytes / flop * 0.5 / 1e9);
    near(number(point, "efficiency_bound_ratio"), efficiency, 1e-9);
    near(number(point, "time_bound_s"), flop / 1e9 / (4 * efficiency), 1e-9);
    const json_t *bound = json_object_get(point, "bound");
    near(number(bound, "overlap_ratio"), 0.5, 0);
    near(number(bound, "network_s"), bytes / 4e9, 1e-9);
    near(number(bound, "roofline_time_s"), number(point, "time_bound_s"), 1e-9);
    json_decref(object);
}

static void without_a_platform_there_is_no_bound(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate -p 4 --json -- ./heat 32 5");
    json_t *object = object_of(&outcome), *point = json_array_get(json_object_get(object, "points"), 0);
    assert_true(json_is_null(json_object_get(point, "time_bound_s")));
    assert_true(json_is_null(json_object_get(point, "efficiency_bound_ratio")));
    json_decref(object);
}

/* Five small sizes; the forecast of a large one is the closed form, and the study keeps it. */
static void estimates_of_small_sizes_bound_a_large_one(void **state)
{
    (void)state;
    static const int sizes[] = {24, 32, 40, 48, 64};
    for (size_t i = 0; i < 5; i++) {
        struct outcome outcome = run_cli("estimate -s heat.parcast -p 4,16 --json -- ./heat %d 10", sizes[i]);
        json_decref(object_of(&outcome));
    }
    struct outcome outcome =
        run_cli("predict heat.parcast --engine bound --on sixteen.yaml -n 1,4,16 --problem "
                "'4096 10' --json");
    json_t *object = object_of(&outcome), *points = json_object_get(object, "points");
    assert_string_equal(json_string_value(json_object_get(object, "engine")), "bound");
    assert_string_equal(json_string_value(json_object_get(object, "arguments")), "4096 10");
    double n = 4096, work = 7 * n * n * 10 / 1e9;
    for (size_t i = 0; i < 3; i++) {
        const json_t *point = json_array_get(points, i);
        double side = i == 0 ? 1 : i == 1 ? 2 : 4, p = side * side;
        double most = work / p + 8 * 2 * 10 * n * 2 * (side - 1) / (p * 1e9);
        assert_true(number(point, "time_s") >= 0.999999 * work / p);
        assert_true(number(point, "time_s") <= 1.001 * most); /* not above the blocks */
        assert_true(number(point, "low_s") <= number(point, "time_s"));
        assert_true(number(point, "high_s") >= number(point, "time_s"));
        assert_true(number(point, "efficiency_ratio") <= 1.000001);
    }
    json_decref(object);
    outcome = run_cli("predict heat.parcast --engine bound --on sixteen.yaml -n 4");
    if (outcome.status) fail_msg("%s", outcome.err);
    assert_non_null(strstr(outcome.out, "estimated at that size"));
    assert_non_null(strstr(outcome.out, "time from")); /* a bound is no time to finish in */
    assert_non_null(strstr(outcome.out, "note: time on one core: work at the platform's flop_rate"));
    assert_non_null(strstr(outcome.out, "note: overlap of computing and network: none assumed"));
    outcome_clear(&outcome);
    outcome = run_cli("predict heat.parcast --engine bound --on sixteen.yaml -n 4 -v --problem '4096 10'");
    assert_non_null(strstr(outcome.out, "functions of the size of the problem n:"));
    assert_non_null(strstr(outcome.out, "the largest size, from the smaller ones: off by "));
    if (!strstr(outcome.out, " 0 + 70 * n^2")) fail_msg("%s", outcome.out);
    outcome_clear(&outcome);
}

static void a_study_that_cannot_be_written_does_not_cost_the_result(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("-h >/dev/null; mkdir gone; \"$PARCAST\" estimate -s gone/heat.parcast "
                                     "-p 4 --json -- sh -c 'rm -rf gone; exec ./heat 32 5'");
    assert_int_equal(outcome.status, 1);
    assert_non_null(strstr(outcome.err, "gone/heat.parcast: cannot open the study"));
    json_t *object = json_loads(outcome.out, 0, NULL);
    if (!object) fail_msg("'%s'", outcome.out);
    json_decref(object);
    outcome_clear(&outcome);
}

/* Before the program runs, which may take long. */
static void check_refused_study(const char *study, int status, const char *text)
{
    struct outcome outcome = run_cli("estimate -s %s -p 4 -- sh -c 'touch ran; exec ./heat 32 5'", study);
    assert_int_equal(outcome.status, status);
    assert_non_null(strstr(outcome.err, study));
    assert_non_null(strstr(outcome.err, text));
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; test ! -e ran");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
}

static void a_study_that_cannot_be_written_is_refused_before_the_program_runs(void **state)
{
    (void)state;
    check_refused_study("nowhere/heat.parcast", 1, "cannot open the study");
    check_refused_study("heat", 3, "it is not a study of parcast");
    check_refused_study(".", 3, "is not a file, so it is no study");
    struct outcome outcome = run_cli("estimate -s unmade.parcast -p 4 -- ./no-such-program");
    assert_int_equal(outcome.status, 1);
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; test ! -e unmade.parcast");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
}

static void a_study_without_estimates_says_how_to_make_one(void **state)
{
    (void)state;
    FILE *file = create("times.csv");
    assert_non_null(file);
    fputs("processes,nodes,time_s\n1,1,10\n2,1,5.5\n4,1,3\n", file);
    fclose(file);
    struct outcome outcome = run_cli("import -s times.parcast times.csv");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    outcome = run_cli("predict times.parcast --engine bound --on sixteen.yaml");
    assert_int_equal(outcome.status, 3);
    assert_non_null(strstr(outcome.err, "the study holds no estimate"));
    assert_non_null(strstr(outcome.err, "parcast estimate -s"));
    outcome_clear(&outcome);
}

static void impossible_figures_are_refused(void **state)
{
    (void)state;
    static const char *const options[] = {"--overlap 2", "--overlap x", "--bandwidth fast", "--flop-rate 0"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct outcome outcome = run_cli("estimate %s -p 2 -- ./heat 32 5", options[i]);
        if (outcome.status != 2 && outcome.status != 3) fail_msg("%s: status %d", options[i], outcome.status);
        outcome_clear(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_of_a_grid_is_equation_four),
        cmocka_unit_test(without_a_platform_there_is_no_bound),
        cmocka_unit_test(estimates_of_small_sizes_bound_a_large_one),
        cmocka_unit_test(a_study_that_cannot_be_written_does_not_cost_the_result),
        cmocka_unit_test(a_study_that_cannot_be_written_is_refused_before_the_program_runs),
        cmocka_unit_test(a_study_without_estimates_says_how_to_make_one),
        cmocka_unit_test(impossible_figures_are_refused),
    };
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    return cmocka_run_group_tests(tests, prepare, cli_folder_remove);
}
