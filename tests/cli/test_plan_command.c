/* parcast plan as its users start it, on a table of timings and on a study with profiles. */
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

static const char platform_text[] = "schema: parcast.platform/1\n"
                                    "name: eight\n"
                                    "nodes:\n"
                                    "  - {type: small, count: 8, cores: 4, price_per_hour: 1.0}\n"
                                    "network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s}\n"
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

/* lu.parcast: the computing between synchronisations shrinks; eight.yaml; free.yaml without prices. */
static int set_up(void **state)
{
    static const struct synthetic_program program = {
        .work_s = 600, .replicated_s = 3, .iterations = 500, .edge_bytes = 200e3};
    char path[128];
    parcast_platform *platform;
    parcast_study *study;
    if (cli_folder_create(state)) return -1;
    write_file("eight.yaml", platform_text);
    write_file("free.yaml",
               "schema: parcast.platform/1\nname: free\nnodes: [{type: small, count: 8, cores: 4}]\n"
               "network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s}\n");
    assert_int_equal(parcast_platform_parse(platform_text, strlen(platform_text), "test", &platform, NULL),
                     PARCAST_OK);
    snprintf(path, sizeof path, "%s/lu.parcast", cli_folder());
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL), PARCAST_OK);
    for (int n = 1; n <= 4; n *= 2) {
        parcast_run run = synthetic_run(&program, platform, 0, n, 1, 0);
        run.started_at = strdup("2026-01-01T00:00:00Z");
        for (size_t r = 0; r < run.n_profiles; r++) {
            parcast_rank_profile *rank = &run.ranks[r];
            free(rank->windows_s);
            rank->n_windows = 33;
            rank->windows_s = calloc(33, sizeof(double));
            rank->n_syncs = 128;
            rank->syncs_per_window = 4;
            for (int k = 0; k < 32; k++) rank->windows_s[k] = rank->compute_s * pow(1 - k / 32.0, 2) / 11.17;
        }
        assert_int_equal(parcast_study_add_run(study, &run, NULL), PARCAST_OK);
        parcast_run_clear(&run);
    }
    parcast_study_close(&study);
    parcast_platform_destroy(&platform);
    return 0;
}

static json_t *plan(const char *arguments)
{
    struct outcome o = run_cli("plan lu.parcast %s --json", arguments);
    if (o.status != 0) print_error("%s\n", o.err);
    assert_int_equal(o.status, 0);
    json_t *object = json_loads(o.out, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.plan/1");
    outcome_clear(&o);
    return object;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static json_t *row(const json_t *object, size_t i)
{
    return json_array_get(json_object_get(object, "schedule"), i);
}

static void the_cheapest_count_that_meets_the_deadline_is_chosen(void **state)
{
    (void)state;
    json_t *object = plan("--on eight.yaml --deadline 90");
    assert_true(json_is_true(json_object_get(object, "met")));
    assert_int_equal(json_array_size(json_object_get(object, "schedule")), 1);
    assert_true(number_of(object, "time_s") <= 90);
    assert_true(number_of(object, "low_s") < number_of(object, "time_s"));
    assert_true(number_of(object, "high_s") > number_of(object, "time_s"));
    int nodes = (int)number_of(row(object, 0), "nodes");
    assert_true(nodes > 1 && nodes < 8);
    assert_true(fabs(number_of(object, "cost") / (number_of(object, "time_s") / 3600 * nodes) - 1) < 1e-9);
    char schedule[64];
    snprintf(schedule, sizeof schedule, "--on eight.yaml --deadline 90 --schedule 0:%d", nodes - 1);
    json_t *smaller = plan(schedule);
    assert_true(json_is_false(json_object_get(smaller, "met")));
    json_decref(smaller);
    json_decref(object);
}

static void shrinking_work_that_was_recorded_gives_nodes_back(void **state)
{
    (void)state;
    json_t *fixed = plan("--on eight.yaml --deadline 90 --iterations 1000 --state 10MB");
    json_t *elastic = plan("--on eight.yaml --deadline 90 --iterations 1000 --state 10MB --elastic");
    size_t n = json_array_size(json_object_get(elastic, "schedule"));
    assert_true(n >= 2);
    assert_true(number_of(elastic, "cost") < number_of(fixed, "cost"));
    assert_true(number_of(elastic, "time_s") <= 90);
    assert_true(number_of(elastic, "bound") <= number_of(elastic, "cost") * (1 + 1e-9));
    assert_true(number_of(row(elastic, 0), "nodes") > number_of(row(elastic, n - 1), "nodes"));
    double iterations = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(number_of(row(elastic, i), "from_iteration") == iterations);
        assert_true(number_of(row(elastic, i), "efficiency_ratio") > 0);
        iterations += number_of(row(elastic, i), "iterations");
    }
    assert_true(iterations == 1000);
    json_decref(fixed);
    json_decref(elastic);
}

static void what_cannot_be_met_is_said_with_the_nearest(void **state)
{
    (void)state;
    json_t *object = plan("--on eight.yaml --deadline 1");
    assert_true(json_is_false(json_object_get(object, "met")));
    assert_true(number_of(row(object, 0), "nodes") == 8);
    json_decref(object);
    struct outcome o = run_cli("plan lu.parcast --on eight.yaml --deadline 1");
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.out, "is NOT met"));
    assert_non_null(strstr(o.out, "the nearest takes"));
    outcome_clear(&o);
}

static void the_plan_is_kept_in_the_study(void **state)
{
    (void)state;
    char path[128], *json;
    int64_t problem;
    parcast_study *study;
    json_decref(plan("--on eight.yaml --budget 0.3"));
    snprintf(path, sizeof path, "%s/lu.parcast", cli_folder());
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_READ, &study, NULL), PARCAST_OK);
    assert_int_equal(parcast_study_latest_problem(study, &problem, NULL), PARCAST_OK);
    assert_int_equal(parcast_study_latest_result(study, problem, "parcast.plan/1", &json, NULL), PARCAST_OK);
    assert_non_null(strstr(json, "\"budget\": 0.2999999"));
    free(json);
    parcast_study_close(&study);
}

static void the_nodes_to_choose_from_can_be_narrowed(void **state)
{
    (void)state;
    json_t *object = plan("--on eight.yaml --deadline 1 --nodes 2-3 --ranks-per-node 2");
    assert_true(number_of(row(object, 0), "nodes") == 3);
    assert_true(number_of(row(object, 0), "processes") == 6);
    json_decref(object);
}

static void wrong_usage_and_impossible_wishes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *says;
        int status;
    } cases[] = {{"lu.parcast --on eight.yaml", "needs --deadline", 2},
                 {"--deadline 5", "no study given", 2},
                 {"lu.parcast --on eight.yaml --budget much", "no amount", 2},
                 {"lu.parcast --on eight.yaml --deadline 5 --nodes 3-2", "range of nodes", 2},
                 {"lu.parcast --on eight.yaml --deadline 5 --nodes 9-12", "has 8 nodes", 2},
                 {"lu.parcast --on eight.yaml --deadline 5 --ranks-per-node 5", "4 cores", 2},
                 {"lu.parcast --on eight.yaml --schedule 0:4,,5:2", "--schedule", 2},
                 {"lu.parcast --on eight.yaml --schedule 0:9", "no size", 2},
                 {"lu.parcast --on eight.yaml --schedule 5:2", "begin with 0", 2},
                 {"lu.parcast --on free.yaml --budget 5", "price_per_hour", 2},
                 {"lu.parcast --on eight.yaml --deadline 5 --iterations -3", "from 1", 2},
                 {"none.parcast --deadline 5", "none.parcast", 1},
                 {"lu.parcast --on none.yaml --deadline 5", "none.yaml", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome o = run_cli("plan %s", cases[i].arguments);
        if (o.status != cases[i].status || !strstr(o.err, cases[i].says))
            fail_msg("plan %s: status %d, %s", cases[i].arguments, o.status, o.err);
        assert_string_equal(o.out, "");
        outcome_clear(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_count_that_meets_the_deadline_is_chosen),
        cmocka_unit_test(shrinking_work_that_was_recorded_gives_nodes_back),
        cmocka_unit_test(what_cannot_be_met_is_said_with_the_nearest),
        cmocka_unit_test(the_plan_is_kept_in_the_study),
        cmocka_unit_test(the_nodes_to_choose_from_can_be_narrowed),
        cmocka_unit_test(wrong_usage_and_impossible_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
