/* parcast predict as its users start it, on a study of an imaginary program and on a table of timings. */
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

#include "../forecast/synthetic.h"
#include "parcast/study.h"
#include "run_cli.h"

static const char platform_text[] =
    "schema: parcast.platform/1\n"
    "name: mixed\n"
    "nodes:\n"
    "  - {type: small, count: 4, cores: 4, speed: 1.0, price_per_hour: 0.42}\n"
    "  - {type: big, count: 4, cores: 16, speed: 1.35, price_per_hour: 1.90}\n"
    "network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s, duplex: full}\n"
    "currency: EUR\n";

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* heat.parcast: runs at 1, 2 and 4 processes; mixed.yaml. */
static int set_up(void **state)
{
    static const struct synthetic_program program = {
        .work_s = 60, .replicated_s = 0.3, .iterations = 500, .edge_bytes = 200e3};
    static const int shapes[][2] = {{1, 1}, {2, 1}, {4, 1}};
    char path[128];
    parcast_platform *platform;
    parcast_study *study;
    if (cli_folder_create(state)) return -1;
    write_file("mixed.yaml", platform_text);
    assert_int_equal(parcast_platform_parse(platform_text, strlen(platform_text), "test", &platform, NULL),
                     PARCAST_OK);
    snprintf(path, sizeof path, "%s/heat.parcast", cli_folder());
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL), PARCAST_OK);
    for (int i = 0; i < 3; i++) {
        parcast_run run = synthetic_run(&program, platform, 0, shapes[i][0], shapes[i][1], 0);
        run.started_at = strdup("2026-01-01T00:00:00Z");
        assert_int_equal(parcast_study_add_run(study, &run, NULL), PARCAST_OK);
        parcast_run_clear(&run);
    }
    parcast_study_close(&study);
    parcast_platform_destroy(&platform);
    return 0;
}

static json_t *predict(const char *arguments)
{
    struct outcome o = run_cli("predict %s --json", arguments);
    if (o.status != 0) print_error("%s\n", o.err);
    assert_int_equal(o.status, 0);
    json_error_t error;
    json_t *object = json_loads(o.out, 0, &error);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.forecast/1");
    outcome_clear(&o);
    return object;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void every_count_of_the_platform_is_forecast(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast --on mixed.yaml");
    const json_t *points = json_object_get(forecast, "points");
    assert_int_equal(json_array_size(points), 80);
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *point = json_array_get(points, i);
        assert_int_equal(number_of(point, "processes"), i + 1);
        assert_true(number_of(point, "low_s") < number_of(point, "time_s"));
        assert_true(number_of(point, "time_s") < number_of(point, "high_s"));
        assert_true(number_of(point, "cost") > 0);
        double ranks = 0;
        for (size_t g = 0; g < json_array_size(json_object_get(point, "nodes")); g++) {
            const json_t *group = json_array_get(json_object_get(point, "nodes"), g);
            ranks += number_of(group, "count") * number_of(group, "ranks");
        }
        assert_true(ranks == number_of(point, "processes"));
    }
    assert_true(number_of(json_array_get(points, 0), "speedup") == 1);
    assert_true(json_is_null(json_object_get(json_object_get(forecast, "best"), "under_deadline")));
    json_decref(forecast);
}

static void cost_is_price_times_hours_of_the_nodes_used(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast --on mixed.yaml -n 20");
    const json_t *point = json_array_get(json_object_get(forecast, "points"), 0);
    double expected = number_of(point, "time_s") / 3600 * (4 * 0.42 + 1.90);
    assert_float_equal(number_of(point, "cost") / expected, 1, 1e-12);
    json_decref(forecast);
}

static void deadline_and_budget_pick_points(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast --on mixed.yaml --deadline 10 --budget 0.011 --place spread");
    const json_t *best = json_object_get(forecast, "best");
    assert_true(number_of(json_object_get(best, "under_deadline"), "time_s") <= 10);
    assert_true(number_of(json_object_get(best, "under_budget"), "cost") <= 0.011);
    assert_string_equal(json_string_value(json_object_get(forecast, "policy")), "spread");
    json_decref(forecast);
}

static void several_engines_stand_side_by_side(void **state)
{
    (void)state;
    json_t *forecast =
        predict("heat.parcast --on mixed.yaml -n 2,4 --engine model --engine paper --engine pmnf");
    assert_string_equal(json_string_value(json_object_get(forecast, "engine")), "model");
    const json_t *others = json_object_get(forecast, "others");
    assert_int_equal(json_array_size(others), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(others, 0), "engine")), "paper");
    assert_string_equal(json_string_value(json_object_get(json_array_get(others, 1), "engine")), "pmnf");
    json_decref(forecast);
}

static void what_was_measured_stands_beside_the_forecasts(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast --on mixed.yaml -n 2,4 --engine model --engine pmnf");
    const json_t *measured = json_object_get(forecast, "measured");
    assert_true(json_array_size(measured) >= 3);
    for (size_t i = 0; i < json_array_size(measured); i++) {
        const json_t *count = json_array_get(measured, i);
        assert_true(number_of(count, "processes") >= 1 && number_of(count, "time_s") > 0);
        assert_true(json_array_size(json_object_get(count, "run_ids")) >= 1);
    }
    json_decref(forecast);
}

/* No estimate in the study: the model is there all the same. Alone the bound fails. */
static void an_engine_that_the_study_has_nothing_for_is_left_out(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("predict heat.parcast --on mixed.yaml -n 2,4 --engine bound --engine model --json");
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.err, "engine bound is left out: the study holds no estimate"));
    json_t *forecast = json_loads(outcome.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(forecast, "engine")), "model");
    assert_null(json_object_get(forecast, "others"));
    json_decref(forecast);
    outcome_clear(&outcome);
    outcome = run_cli("predict heat.parcast --on mixed.yaml -n 2,4 --engine bound");
    assert_int_equal(outcome.status, 3);
    outcome_clear(&outcome);
}

static void without_a_platform_more_of_the_same_nodes_are_taken(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast");
    assert_int_equal(json_array_size(json_object_get(forecast, "points")), 8 * 4);
    json_decref(forecast);
}

static void a_table_of_timings_gets_a_wider_forecast_and_says_why(void **state)
{
    (void)state;
    write_file("times.csv", "processes,nodes,time_s\n4,1,100\n8,2,54\n16,4,31\n");
    struct outcome import = run_cli("import -s times.parcast times.csv");
    assert_int_equal(import.status, 0);
    outcome_clear(&import);
    json_t *forecast = predict("times.parcast -n 4,32");
    assert_true(json_is_true(json_object_get(json_object_get(forecast, "report"), "empirical")));
    const json_t *far = json_array_get(json_object_get(forecast, "points"), 1);
    assert_true(number_of(far, "high_s") > 1.1 * number_of(far, "time_s"));
    assert_true(json_is_null(json_object_get(far, "compute_s")));
    json_decref(forecast);
    json_decref(predict("times.parcast -n 4096")); /* far more nodes than were measured */
    json_t *elsewhere = predict("times.parcast --on mixed.yaml -n 4,32"),
           *here = predict("times.parcast -n 4,32");
    const json_t *there = json_array_get(json_object_get(elsewhere, "points"), 0);
    const json_t *same = json_array_get(json_object_get(here, "points"), 0);
    assert_true(number_of(there, "high_s") / number_of(there, "low_s") >
                2 * number_of(same, "high_s") / number_of(same, "low_s"));
    json_decref(elsewhere);
    json_decref(here);
    struct outcome table = run_cli("predict times.parcast -n 4,32");
    assert_non_null(strstr(table.out, "parcast record"));
    outcome_clear(&table);
}

static void the_table_names_engine_runs_and_error(void **state)
{
    (void)state;
    struct outcome o = run_cli("predict heat.parcast --on mixed.yaml");
    static const char *const words[] = {"turning point", "fastest",       "cheapest",     "EUR",
                                        "engine model",  "out of sample", "95 % interval"};
    assert_int_equal(o.status, 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(o.out, words[i])) fail_msg("'%s' is missing", words[i]);
    outcome_clear(&o);
}

static void wrong_use_and_bad_input_have_their_status(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
        int status;
    } cases[] = {
        {"", "no study given", 2},
        {"heat.parcast heat.parcast", "one study", 2},
        {"heat.parcast --frobnicate", "unknown option", 2},
        {"heat.parcast --place here", "fill or spread", 2},
        {"heat.parcast --engine magic", "magic", 2},
        {"heat.parcast --on mixed.yaml -n 81", "80", 3},
        {"heat.parcast --on mixed.yaml -n 0", "no list of counts", 2},
        {"heat.parcast --on mixed.yaml --deadline soon", "soon", 2},
        {"heat.parcast --on mixed.yaml --budget lots", "lots", 2},
        {"heat.parcast --on missing.yaml", "missing.yaml", 1},
        {"missing.parcast", "missing.parcast", 1},
        {"mixed.yaml", "mixed.yaml", 3},
        {"heat.parcast --runs 99", "99", 1},
        {"heat.parcast -n 1-1000000", "at most 100000", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome o = run_cli("predict %s", cases[i].arguments);
        if (o.status != cases[i].status || !strstr(o.err, cases[i].message))
            fail_msg("predict %s: status %d, %s", cases[i].arguments, o.status, o.err);
        assert_string_equal(o.out, "");
        outcome_clear(&o);
    }
}

static void validate_forecasts_what_it_has_not_seen(void **state)
{
    (void)state;
    struct outcome o = run_cli("validate heat.parcast --on mixed.yaml --fit 1,2 --json");
    assert_int_equal(o.status, 0);
    json_t *object = json_loads(o.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.validate/1");
    const json_t *points = json_object_get(object, "points");
    assert_int_equal(json_array_size(points), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *point = json_array_get(points, i);
        assert_true(json_is_true(json_object_get(point, "held_out")) == (number_of(point, "processes") == 4));
        assert_true(fabs(number_of(point, "predicted_s") / number_of(point, "measured_s") - 1 -
                         number_of(point, "error_ratio")) < 1e-9);
    }
    assert_true(fabs(number_of(object, "mape_ratio") -
                     fabs(number_of(json_array_get(points, 2), "error_ratio"))) < 1e-12);
    json_decref(object);
    outcome_clear(&o);
}

static void validate_fits_on_chosen_runs(void **state)
{
    (void)state;
    struct outcome all = run_cli("validate heat.parcast --on mixed.yaml --fit 1,2 --json");
    json_t *object = json_loads(all.out, 0, NULL);
    const json_t *points = json_object_get(object, "points");
    long long ids[2];
    for (size_t i = 0; i < 2; i++)
        ids[i] = json_integer_value(json_array_get(json_object_get(json_array_get(points, i), "run_ids"), 0));
    outcome_clear(&all);
    json_decref(object);
    struct outcome o =
        run_cli("validate heat.parcast --on mixed.yaml --recorded-on mixed.yaml --fit-runs %lld,%lld "
                "--json",
                ids[0], ids[1]);
    assert_int_equal(o.status, 0);
    object = json_loads(o.out, 0, NULL);
    points = json_object_get(object, "points");
    assert_int_equal(json_array_size(points), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(json_is_true(json_object_get(json_array_get(points, i), "held_out")) == (i == 2));
    json_decref(object);
    outcome_clear(&o);
    static const struct {
        const char *options;
        int status;
    } cases[] = {{"--fit-runs 4711", 3},
                 {"--fit 1 --fit-runs 1", 2},
                 {"--fit-runs x", 2},
                 {"--recorded-on missing.yaml", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o = run_cli("validate heat.parcast --on mixed.yaml %s", cases[i].options);
        assert_int_equal(o.status, cases[i].status);
        outcome_clear(&o);
    }
}

static void validate_fails_above_the_error_that_was_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *limit;
        int status;
    } cases[] = {{"90%", 0}, {"0.9", 0}, {"0", 4}, {"much", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome o = run_cli("validate heat.parcast --on mixed.yaml --fail-above %s", cases[i].limit);
        assert_int_equal(o.status, cases[i].status);
        outcome_clear(&o);
    }
    struct outcome o = run_cli("validate heat.parcast --fit 64");
    assert_int_equal(o.status, 3);
    outcome_clear(&o);
}

static void times_on_a_smooth_curve_still_get_an_interval(void **state)
{
    (void)state;
    write_file("smooth.csv", "processes,time_s\n1,100\n2,52\n4,28\n8,16\n");
    struct outcome import = run_cli("import -s smooth.parcast smooth.csv");
    assert_int_equal(import.status, 0);
    outcome_clear(&import);
    json_t *forecast = predict("smooth.parcast --engine pmnf -n 8,1024");
    for (size_t i = 0; i < 2; i++) {
        const json_t *point = json_array_get(json_object_get(forecast, "points"), i);
        assert_true(number_of(point, "low_s") < 0.98 * number_of(point, "time_s"));
        assert_true(number_of(point, "high_s") > 1.02 * number_of(point, "time_s"));
    }
    json_decref(forecast);
}

static void weak_and_strong_scaling_are_not_fitted_together(void **state)
{
    (void)state;
    write_file("both.csv", "processes,time_s\n1,100\n2,52\n4,28\n");
    static const char *const imports[] = {"import -s both.parcast both.csv",
                                          "import -s both.parcast --weak both.csv"};
    for (size_t i = 0; i < 2; i++) {
        struct outcome import = run_cli("%s", imports[i]);
        assert_int_equal(import.status, 0);
        outcome_clear(&import);
    }
    struct outcome o = run_cli("predict both.parcast -n 8");
    assert_int_equal(o.status, 3);
    assert_non_null(strstr(o.err, "run 4 is of weak scaling and run 1 is not"));
    outcome_clear(&o);
    o = run_cli("predict both.parcast -n 8 --runs 1,2,3");
    assert_int_equal(o.status, 0);
    outcome_clear(&o);
}

static void a_misspelt_command_is_guessed_and_help_names_one(void **state)
{
    (void)state;
    struct outcome o = run_cli("predcit heat.parcast");
    assert_int_equal(o.status, 2);
    assert_non_null(strstr(o.err, "did you mean 'parcast predict'?"));
    outcome_clear(&o);
    o = run_cli("frobnicate");
    assert_int_equal(o.status, 2);
    assert_non_null(strstr(o.err, "commands:"));
    outcome_clear(&o);
    o = run_cli("help predict");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "usage: parcast predict STUDY"));
    outcome_clear(&o);
}

static void more_processes_than_cores_are_forecast_when_asked(void **state)
{
    (void)state;
    json_t *forecast = predict("heat.parcast --on mixed.yaml -n 80,160 --oversubscribe");
    const json_t *points = json_object_get(forecast, "points");
    assert_true(number_of(json_array_get(points, 1), "time_s") >
                0.9 * number_of(json_array_get(points, 0), "time_s"));
    json_decref(forecast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_of_the_platform_is_forecast),
        cmocka_unit_test(cost_is_price_times_hours_of_the_nodes_used),
        cmocka_unit_test(deadline_and_budget_pick_points),
        cmocka_unit_test(several_engines_stand_side_by_side),
        cmocka_unit_test(what_was_measured_stands_beside_the_forecasts),
        cmocka_unit_test(an_engine_that_the_study_has_nothing_for_is_left_out),
        cmocka_unit_test(without_a_platform_more_of_the_same_nodes_are_taken),
        cmocka_unit_test(a_table_of_timings_gets_a_wider_forecast_and_says_why),
        cmocka_unit_test(the_table_names_engine_runs_and_error),
        cmocka_unit_test(wrong_use_and_bad_input_have_their_status),
        cmocka_unit_test(a_misspelt_command_is_guessed_and_help_names_one),
        cmocka_unit_test(validate_forecasts_what_it_has_not_seen),
        cmocka_unit_test(validate_fits_on_chosen_runs),
        cmocka_unit_test(validate_fails_above_the_error_that_was_asked_for),
        cmocka_unit_test(times_on_a_smooth_curve_still_get_an_interval),
        cmocka_unit_test(weak_and_strong_scaling_are_not_fitted_together),
        cmocka_unit_test(more_processes_than_cores_are_forecast_when_asked),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
