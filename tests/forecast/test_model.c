#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forecast/cluster.h"
#include "parcast/forecast.h"
#include "synthetic.h"

static const char platform_text[] =
    "schema: parcast.platform/1\n"
    "name: test\n"
    "nodes:\n"
    "  - {type: small, count: 8, cores: 4, speed: 1.0, price_per_hour: 1}\n"
    "  - {type: big, count: 4, cores: 8, speed: 1.5, price_per_hour: 4, bandwidth: 2 Gbit/s}\n"
    "network: {topology: star, latency: 40 us, bandwidth: 1 Gbit/s, duplex: full}\n"
    "shared_memory: {latency: 0.5 us, bandwidth: 8 GB/s}\n";

static const struct synthetic_program program = {
    .work_s = 60, .replicated_s = 0.3, .iterations = 500, .edge_bytes = 200e3};

struct world {
    parcast_platform *platform;
    parcast_run runs[5];
    size_t n_runs;
    parcast_predictor *predictor;
};

static int set_up(void **state)
{
    static const int shapes[5][2] = {{1, 1}, {2, 1}, {4, 1}, {4, 2}, {8, 4}};
    struct world *w = calloc(1, sizeof *w);
    assert_int_equal(parcast_platform_parse(platform_text, strlen(platform_text), "test", &w->platform, NULL),
                     PARCAST_OK);
    for (; w->n_runs < 5; w->n_runs++)
        w->runs[w->n_runs] = synthetic_run(&program, w->platform, 0, shapes[w->n_runs][0],
                                           shapes[w->n_runs][1], (int64_t)w->n_runs + 1);
    parcast_error error = {0};
    if (parcast_predictor_create(PARCAST_ENGINE_MODEL, w->runs, w->n_runs, w->platform, NULL, &w->predictor,
                                 &error))
        fail_msg("%s", error.text);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    parcast_predictor_destroy(&w->predictor);
    for (size_t i = 0; i < w->n_runs; i++) parcast_run_clear(&w->runs[i]);
    parcast_platform_destroy(&w->platform);
    free(w);
    return 0;
}

static void recorded_runs_are_reproduced(void **state)
{
    struct world *w = *state;
    const parcast_fit_report *report = parcast_predictor_report(w->predictor);
    assert_int_equal(report->n_runs, w->n_runs);
    for (size_t i = 0; i < report->n_runs; i++)
        assert_float_equal(report->runs[i].fitted_s / report->runs[i].time_s, 1, 0.03);
    assert_true(report->loo_mean_ratio < 0.05);
}

/* Simulated time of a placement, ranks block by block as the forecast places them. */
static double truth(const struct world *w, const parcast_placement *placement)
{
    size_t types[256];
    int per_node[256], n = 0;
    for (size_t g = 0; g < placement->n_groups; g++)
        for (int i = 0; i < placement->groups[g].n_nodes; i++, n++) {
            types[n] = placement->groups[g].type;
            per_node[n] = placement->groups[g].n_ranks;
        }
    return synthetic_time(&program, w->platform, n, types, per_node);
}

static void more_and_mixed_nodes_that_were_never_recorded_are_forecast(void **state)
{
    struct world *w = *state;
    static const int counts[] = {6, 12, 16, 32, 48, 64};
    double sum = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        parcast_placement *placement;
        parcast_point point;
        assert_int_equal(
            parcast_placement_create(w->platform, counts[i], PARCAST_FILL, false, &placement, NULL),
            PARCAST_OK);
        assert_int_equal(parcast_predictor_point(w->predictor, w->platform, placement, &point, NULL),
                         PARCAST_OK);
        double error = point.time_s / truth(w, placement) - 1;
        assert_true(fabs(error) < 0.25);
        assert_true(point.low_s < point.time_s && point.time_s < point.high_s);
        sum += fabs(error);
        parcast_placement_destroy(&placement);
    }
    assert_true(sum / (sizeof counts / sizeof *counts) < 0.1);
}

static void the_gradient_is_the_derivative(void **state)
{
    struct world *w = *state;
    struct observation observations[5];
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(observation_create(&w->runs[i], w->platform, NAN, &observations[i], NULL),
                         PARCAST_OK);
    struct workload workload;
    workload_fit(observations, 5, NULL, &workload);
    const double h = 1e-6;
    double theta[CLUSTER_PARAMETERS];
    srand(1);
    for (int trial = 0; trial < 20; trial++) {
        for (int p = 0; p < CLUSTER_PARAMETERS; p++) theta[p] = 2.0 * rand() / RAND_MAX - 1;
        theta[CLUSTER_WORK] += 4;
        theta[CLUSTER_NOISE] -= 3;
        const struct machine *machine = &observations[1 + trial % 4].machine;
        struct cluster_time here, up, down;
        assert_int_equal(cluster_time(&workload, theta, machine, &here, NULL), PARCAST_OK);
        for (int p = 0; p < CLUSTER_PARAMETERS; p++) {
            double saved = theta[p];
            theta[p] = saved + h;
            assert_int_equal(cluster_time(&workload, theta, machine, &up, NULL), PARCAST_OK);
            theta[p] = saved - h;
            assert_int_equal(cluster_time(&workload, theta, machine, &down, NULL), PARCAST_OK);
            theta[p] = saved;
            double difference = (up.total_s.v - down.total_s.v) / (2 * h);
            if (fabs(difference - here.total_s.d[p]) > 2e-5 * here.total_s.v)
                fail_msg("trial %d parameter %d: %.9g, difference quotient %.9g", trial, p, here.total_s.d[p],
                         difference);
        }
    }
    for (size_t i = 0; i < 5; i++) observation_clear(&observations[i]);
}

static void slower_links_and_cores_never_help(void **state)
{
    struct world *w = *state;
    static const char *const worse[][2] = {{"bandwidth: 1 Gbit/s", "bandwidth: 1 Mbit/s"},
                                           {"latency: 40 us", "latency: 900us"}};
    parcast_placement *placement;
    parcast_point before;
    assert_int_equal(parcast_placement_create(w->platform, 24, PARCAST_FILL, false, &placement, NULL),
                     PARCAST_OK);
    assert_int_equal(parcast_predictor_point(w->predictor, w->platform, placement, &before, NULL),
                     PARCAST_OK);
    for (size_t i = 0; i < 2; i++) {
        char text[sizeof platform_text + 32];
        const char *at = strstr(platform_text, worse[i][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - platform_text), platform_text, worse[i][1],
                 at + strlen(worse[i][0]));
        parcast_platform *slow;
        parcast_point after;
        assert_int_equal(parcast_platform_parse(text, strlen(text), "slow", &slow, NULL), PARCAST_OK);
        assert_int_equal(parcast_predictor_point(w->predictor, slow, placement, &after, NULL), PARCAST_OK);
        assert_true(after.time_s > before.time_s);
        parcast_platform_destroy(&slow);
    }
    parcast_placement_destroy(&placement);
}

static void a_forecast_finds_turning_point_deadline_and_budget(void **state)
{
    struct world *w = *state;
    parcast_forecast *f;
    parcast_forecast_options options = {.policy = PARCAST_FILL, .deadline_s = 20, .budget = 0.02};
    assert_int_equal(parcast_forecast_create(w->predictor, w->platform, &options, &f, NULL), PARCAST_OK);
    assert_int_equal(f->n_points, parcast_platform_cores(w->platform));
    const parcast_point *fastest = &f->points[f->best.fastest], *turning = &f->points[f->best.turning_point];
    assert_true(turning->processes <= fastest->processes && turning->time_s <= 1.05 * fastest->time_s);
    assert_true(f->best.under_deadline >= 0 && f->points[f->best.under_deadline].time_s <= 20);
    assert_true(f->best.under_budget >= 0 && f->points[f->best.under_budget].cost <= 0.02);
    for (size_t i = 0; i < f->n_points; i++) {
        assert_true(f->points[i].time_s >= fastest->time_s);
        if (f->points[i].time_s <= 20)
            assert_true(f->points[i].cost >= f->points[f->best.under_deadline].cost);
    }
    assert_float_equal(f->points[0].speedup, 1, 1e-12);
    assert_float_equal(f->points[0].efficiency_ratio, 1, 1e-12);
    char *json = parcast_forecast_json(f, w->platform);
    assert_non_null(strstr(json, "\"parcast.forecast/1\""));
    free(json);
    parcast_forecast_destroy(&f);
}

static void what_one_node_cannot_see_is_said(void **state)
{
    struct world *w = *state;
    parcast_predictor *predictor;
    assert_int_equal(
        parcast_predictor_create(PARCAST_ENGINE_MODEL, w->runs, 3, w->platform, NULL, &predictor, NULL),
        PARCAST_OK);
    const parcast_fit_report *report = parcast_predictor_report(predictor);
    bool network = false, said = false;
    for (size_t i = 0; i < report->n_parameters; i++)
        if (strcmp(report->parameters[i].name, "network factor") == 0)
            network = report->parameters[i].prior_only;
    for (size_t i = 0; i < report->n_notes; i++) said = said || strstr(report->notes[i], "two nodes");
    assert_true(network && said);
    parcast_predictor_destroy(&predictor);
}

static void the_published_model_fits_too(void **state)
{
    struct world *w = *state;
    for (int reading = 0; reading < 2; reading++) {
        parcast_fit_options options = {.paper_reading_total = reading == 1};
        parcast_predictor *predictor;
        assert_int_equal(parcast_predictor_create(PARCAST_ENGINE_PAPER, w->runs, w->n_runs, w->platform,
                                                  &options, &predictor, NULL),
                         PARCAST_OK);
        const parcast_fit_report *report = parcast_predictor_report(predictor);
        assert_int_equal(report->n_runs, 5);
        assert_true(isfinite(report->loo_mean_ratio));
        parcast_predictor_destroy(&predictor);
    }
}

static void expected_maximum_of_equal_normals_is_known(void **state)
{
    (void)state;
    double mu = 10, sigma = 2, count = 1, d_mu, d_sigma;
    assert_float_equal(expected_maximum(1, &mu, &sigma, &count, &d_mu, &d_sigma), 10, 1e-3);
    assert_float_equal(d_mu, 1, 1e-3);
    count = 2; /* 1/sqrt(pi) */
    assert_float_equal(expected_maximum(1, &mu, &sigma, &count, &d_mu, &d_sigma), 10 + 2 * 0.5641896, 2e-3);
    count = 10; /* tables of order statistics: 1.53875 */
    assert_float_equal(expected_maximum(1, &mu, &sigma, &count, &d_mu, &d_sigma), 10 + 2 * 1.53875, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_maximum_of_equal_normals_is_known),
        cmocka_unit_test_setup_teardown(recorded_runs_are_reproduced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_and_mixed_nodes_that_were_never_recorded_are_forecast, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_gradient_is_the_derivative, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slower_links_and_cores_never_help, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_forecast_finds_turning_point_deadline_and_budget, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_one_node_cannot_see_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_published_model_fits_too, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
