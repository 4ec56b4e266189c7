#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/scaling.h"

struct forecast {
    double time_s, low_s, high_s;
};

static parcast_scaling_timings *fit(const parcast_scaling_timing *points, size_t n, bool weak)
{
    parcast_scaling_timings *model = NULL;
    parcast_error error = {0};
    if (parcast_scaling_fit_timings(points, n, weak, &model, &error)) fail_msg("%s", error.text);
    return model;
}

static struct forecast at(const parcast_scaling_timings *model, int processes, int nodes)
{
    struct forecast forecast = {0};
    assert_int_equal(parcast_scaling_predict(model, processes, nodes, &forecast.time_s, &forecast.low_s,
                                             &forecast.high_s, NULL),
                     PARCAST_OK);
    assert_true(forecast.low_s > 0 && forecast.low_s <= forecast.time_s);
    assert_true(forecast.time_s <= forecast.high_s && isfinite(forecast.high_s));
    return forecast;
}

static struct forecast forecast_of(const parcast_scaling_timing *points, size_t n, bool weak, int processes)
{
    parcast_scaling_timings *model = fit(points, n, weak);
    struct forecast forecast = at(model, processes, 0);
    parcast_scaling_timings_destroy(&model);
    return forecast;
}

static void serial_and_growing_parts_are_extrapolated(void **state)
{
    (void)state;
    static const struct {
        double serial, logarithm, linear;
    } programs[] = {{0, 0, 0}, {2, 0, 0}, {0, 0.5, 0}, {1, 0.2, 0}, {10, 0, 0}};
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        parcast_scaling_timing points[6];
        double target = 0;
        for (int i = 0; i < 8; i++) {
            double p = 4 * exp2(i);
            double time =
                1000 / p + programs[k].serial + programs[k].logarithm * log2(p) + programs[k].linear * p;
            if (i < 6) points[i] = (parcast_scaling_timing){.processes = (int)p, .time_s = time};
            target = time;
        }
        struct forecast forecast = forecast_of(points, 6, false, 512);
        assert_float_equal(forecast.time_s / target, 1, 0.16);
        assert_true(forecast.low_s < target && target < forecast.high_s);
    }
}

static void intervals_grow_with_the_distance_and_shrink_with_runs(void **state)
{
    (void)state;
    parcast_scaling_timing points[] = {{8, 1, 100, 0}, {16, 2, 53, 0}, {32, 4, 29, 0}, {64, 8, 17, 0}};
    parcast_scaling_timings *model = fit(points, 4, false);
    double last = 0;
    for (int p = 64; p <= 65536; p *= 2) {
        struct forecast forecast = at(model, p, 0);
        assert_true(forecast.high_s / forecast.low_s > last);
        last = forecast.high_s / forecast.low_s;
    }
    parcast_scaling_timings_destroy(&model);
    struct forecast few = forecast_of(points, 1, false, 256), more = forecast_of(points, 4, false, 256);
    assert_true(few.high_s / few.low_s > 2 * more.high_s / more.low_s);
}

static void superlinear_speedup_is_not_extrapolated(void **state)
{
    (void)state;
    parcast_scaling_timing points[] = {{1, 1, 1000, 0}, {2, 2, 420, 0}, {4, 4, 180, 0}, {8, 8, 75, 0}};
    assert_true(forecast_of(points, 4, false, 64).time_s > 0.8 * 75.0 / 8);
}

static void another_time_unit_or_order_changes_nothing(void **state)
{
    (void)state;
    parcast_scaling_timing points[] = {{8, 1, 100, 0}, {16, 2, 53, 0}, {32, 4, 29, 0}, {32, 4, 31, 0}};
    parcast_scaling_timing other[] = {{32, 4, 31e3, 0}, {16, 2, 53e3, 0}, {32, 4, 29e3, 0}, {8, 1, 100e3, 0}};
    struct forecast a = forecast_of(points, 4, false, 128), b = forecast_of(other, 4, false, 128);
    assert_float_equal(b.time_s / a.time_s, 1000, 1e-3);
    assert_float_equal(b.low_s / a.low_s, 1000, 1e-3);
    assert_float_equal(b.high_s / a.high_s, 1000, 1e-3);
}

static void a_weight_counts_like_repetitions(void **state)
{
    (void)state;
    parcast_scaling_timing light[] = {{8, 0, 100, 0}, {16, 0, 60, 0}, {32, 0, 29, 0}};
    parcast_scaling_timing heavy[] = {{8, 0, 100, 0}, {16, 0, 60, 0.01}, {32, 0, 29, 0}};
    parcast_scaling_timings *with = fit(light, 3, false), *without = fit(heavy, 3, false);
    double trusted = fabs(log(at(with, 16, 0).time_s / 60)),
           doubted = fabs(log(at(without, 16, 0).time_s / 60));
    assert_true(trusted < doubted);
    parcast_scaling_timings_destroy(&with);
    parcast_scaling_timings_destroy(&without);
}

static void scattered_repetitions_widen_the_interval(void **state)
{
    (void)state;
    parcast_scaling_timing calm[] = {
        {4, 0, 100, 0}, {4, 0, 101, 0}, {8, 0, 52, 0}, {8, 0, 51, 0}, {16, 0, 28, 0}};
    parcast_scaling_timing wild[] = {
        {4, 0, 70, 0}, {4, 0, 145, 0}, {8, 0, 37, 0}, {8, 0, 72, 0}, {16, 0, 28, 0}};
    struct forecast a = forecast_of(calm, 5, false, 32), b = forecast_of(wild, 5, false, 32);
    assert_true(b.high_s / b.low_s > 1.5 * (a.high_s / a.low_s));
}

static void runs_that_do_not_scale_are_flagged_and_still_forecast(void **state)
{
    (void)state;
    parcast_scaling_timing bad[] = {{1, 1, 0.3, 0}, {2, 2, 0.545, 0}, {4, 4, 0.51, 0}, {8, 4, 0.83, 0}};
    parcast_scaling_timing good[] = {{1, 1, 0.3, 0}, {2, 2, 0.2, 0}, {4, 4, 0.31, 0}};
    parcast_scaling_timings *model = fit(bad, 4, false), *other = fit(good, 3, false),
                            *weak = fit(bad, 4, true);
    assert_true(parcast_scaling_timings_describe(model).does_not_scale);
    assert_false(parcast_scaling_timings_describe(other).does_not_scale);
    assert_false(parcast_scaling_timings_describe(weak).does_not_scale);
    assert_true(at(model, 16, 4).time_s > 0.5);
    parcast_scaling_timings_destroy(&model);
    parcast_scaling_timings_destroy(&other);
    parcast_scaling_timings_destroy(&weak);
}

static void weak_scaling_grows_slowly(void **state)
{
    (void)state;
    parcast_scaling_timing points[] = {
        {32, 1, 1.25, 0}, {64, 2, 1.28, 0}, {128, 4, 1.34, 0}, {256, 8, 1.36, 0}};
    struct forecast forecast = forecast_of(points, 4, true, 4096);
    assert_true(forecast.time_s > 1.36 && forecast.time_s < 1.9);
}

/* The same 64 processes on half the nodes are slower: memory is shared by twice as many. */
static void fuller_nodes_are_slower_when_the_runs_say_so(void **state)
{
    (void)state;
    parcast_scaling_timing points[] = {{16, 1, 130, 0}, {16, 2, 100, 0}, {32, 2, 66, 0},
                                       {32, 4, 52, 0},  {64, 4, 35, 0},  {64, 8, 27, 0}};
    parcast_scaling_timings *model = fit(points, 6, false);
    double full = at(model, 128, 8).time_s, half = at(model, 128, 16).time_s;
    assert_true(full > 1.15 * half && full < 1.45 * half);
    parcast_scaling_timings_destroy(&model);
}

static void intervals_hold_the_truth_about_as_often_as_they_say(void **state)
{
    (void)state;
    enum { TRIALS = 300 };
    uint64_t seed = 5;
    int inside = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        parcast_scaling_timing points[5];
        double u[9];
        for (int i = 0; i < 9; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            u[i] = (double)(seed >> 11) / 9007199254740992.0;
        }
        double serial = 0.2 * pow(50, u[7]), logarithm = 0.02 * pow(50, u[8]), measured = 0;
        for (int i = 0; i < 7; i++) { /* four times the largest fitted count */
            double p = 8 * exp2(i);
            measured = (800 / p + serial + logarithm * log2(p)) * (0.93 + 0.14 * u[i]);
            if (i < 5) points[i] = (parcast_scaling_timing){.processes = (int)p, .time_s = measured};
        }
        struct forecast forecast = forecast_of(points, 5, false, 512);
        inside += forecast.low_s <= measured && measured <= forecast.high_s;
    }
    assert_true(inside >= 0.93 * TRIALS);
}

static void bad_timings_are_refused(void **state)
{
    (void)state;
    static const parcast_scaling_timing bad[] = {{0, 0, 1, 0},  {4, 5, 1, 0},       {4, -1, 1, 0},
                                                 {4, 1, 0, 0},  {4, 1, -1, 0},      {4, 1, NAN, 0},
                                                 {4, 1, 1, -1}, {4, 1, INFINITY, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        parcast_scaling_timings *model = NULL;
        parcast_error error = {0};
        assert_int_equal(parcast_scaling_fit_timings(&bad[i], 1, false, &model, &error), PARCAST_DATA);
        assert_null(model);
        assert_true(error.text[0] != '\0');
    }
    parcast_scaling_timings *model = NULL;
    assert_int_equal(parcast_scaling_fit_timings(NULL, 0, false, &model, NULL), PARCAST_DATA);
    model = fit(&(parcast_scaling_timing){4, 1, 10, 0}, 1, false);
    double time_s = 7;
    assert_int_equal(parcast_scaling_predict(model, 0, 0, &time_s, NULL, NULL, NULL), PARCAST_INVALID);
    assert_int_equal(parcast_scaling_predict(model, 2, 3, &time_s, NULL, NULL, NULL), PARCAST_INVALID);
    assert_true(time_s == 7);
    parcast_scaling_timings_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_and_growing_parts_are_extrapolated),
        cmocka_unit_test(intervals_grow_with_the_distance_and_shrink_with_runs),
        cmocka_unit_test(superlinear_speedup_is_not_extrapolated),
        cmocka_unit_test(another_time_unit_or_order_changes_nothing),
        cmocka_unit_test(a_weight_counts_like_repetitions),
        cmocka_unit_test(scattered_repetitions_widen_the_interval),
        cmocka_unit_test(runs_that_do_not_scale_are_flagged_and_still_forecast),
        cmocka_unit_test(weak_scaling_grows_slowly),
        cmocka_unit_test(fuller_nodes_are_slower_when_the_runs_say_so),
        cmocka_unit_test(intervals_hold_the_truth_about_as_often_as_they_say),
        cmocka_unit_test(bad_timings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
