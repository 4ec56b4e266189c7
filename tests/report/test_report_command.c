/* parcast report as its users start it: from a study to a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../cli/run_cli.h"
#include "fixture.h"

static parcast_study *open_study(const char *name)
{
    char path[128];
    parcast_study *study = NULL;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_WRITE, &study, NULL), PARCAST_OK);
    return study;
}

/* lj.parcast: an older problem of one run, then one with runs at 1, 2 and 4 ranks and two forecasts. */
static int set_up(void **state)
{
    struct fixture older, fixture;
    if (cli_folder_create(state)) return -1;
    parcast_study *study = open_study("lj.parcast");
    fixture_record(&older, (const int[]){1}, 1);
    fixture_rename(&older, "another program");
    assert_int_equal(parcast_study_add_run(study, &older.runs[0], NULL), PARCAST_OK);
    fixture_record(&fixture, (const int[]){1, 2, 4}, 3);
    fixture_forecast_file(&fixture, "report_pmnf.json");
    fixture_forecast_file(&fixture, "report_model.json");
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(parcast_study_add_run(study, &fixture.runs[i], NULL), PARCAST_OK);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(parcast_study_add_result(study, fixture.runs[0].problem_id, "parcast.forecast/1",
                                                  fixture.forecasts[i], NULL),
                         PARCAST_OK);
    parcast_study_close(&study);
    fixture_free(&older);
    fixture_free(&fixture);
    return 0;
}

static void the_page_of_a_study_goes_to_standard_output_or_a_file(void **state)
{
    (void)state;
    struct outcome page = run_cli("report -o - lj.parcast"), file = run_cli("report lj.parcast"),
                   same = run_cli("--version");
    assert_int_equal(page.status, 0);
    assert_non_null(strstr(page.out, "<strong>18\u00a0processes on 5\u00a0nodes"));
    assert_non_null(strstr(page.out, "<h1>lmp -in in.lj</h1>"));
    assert_non_null(strstr(page.out, "Study <code>lj.parcast</code> \u00b7 3 measured runs"));
    assert_non_null(strstr(page.out, "The study also holds 1 other variant"));
    assert_non_null(strstr(page.out, "MPI_Sendrecv"));
    assert_null(strstr(page.out, "another program"));
    assert_string_equal(page.err, "");
    assert_int_equal(file.status, 0);
    assert_non_null(strstr(file.err, "report.html ("));
    outcome_clear(&same);
    same = run_cli("report lj.parcast -q -o '%s/report.html' --json", cli_folder());
    assert_int_equal(same.status, 0);
    json_t *json = json_loads(same.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "parcast.report/1");
    assert_true(json_integer_value(json_object_get(json, "bytes")) > 800000);
    json_decref(json);
    outcome_clear(&page);
    outcome_clear(&file);
    outcome_clear(&same);
}

static void an_empty_study_has_a_page(void **state)
{
    (void)state;
    parcast_study *study = open_study("empty.parcast");
    parcast_study_close(&study);
    struct outcome page = run_cli("report -o - empty.parcast");
    assert_int_equal(page.status, 0);
    assert_non_null(strstr(page.out, "The study holds no run."));
    outcome_clear(&page);
}

/* Estimates have no runs: what was forecast last is what the page is about, and a bound is no time to finish
 * in. */
static void a_study_without_runs_shows_its_bound(void **state)
{
    (void)state;
    static const char forecast[] =
        "{\"schema\":\"parcast.forecast/1\",\"engine\":\"bound\",\"program\":\"./heat\",\"arguments\":\"%s\","
        "\"platform\":\"small\",\"points\":[{\"processes\":4,\"nodes\":[{\"type\":\"n\",\"count\":4,"
        "\"ranks\":1}],"
        "\"time_s\":%s,\"low_s\":1,\"high_s\":2,\"speedup\":3,\"efficiency_ratio\":0.75}],\"best\":{"
        "\"fastest\":"
        "{\"processes\":4,\"nodes\":4,\"time_s\":%s,\"cost\":null}},\"report\":{\"loo_mean_ratio\":0.01,"
        "\"loo_worst_ratio\":0.02,\"extrapolation_ratio\":0.03}}";
    static const char *const sizes[][2] = {{"64", "9.25"}, {"2048", "1.5"}};
    static char program[] = "./heat";
    parcast_study *study = open_study("bound.parcast");
    for (size_t i = 0; i < 2; i++) {
        char text[1024], size[16];
        char *const arguments[] = {size};
        int64_t problem;
        snprintf(size, sizeof size, "%s", sizes[i][0]);
        snprintf(text, sizeof text, forecast, sizes[i][0], sizes[i][1], sizes[i][1]);
        assert_int_equal(parcast_study_problem(study, program, arguments, 1, &problem, NULL), PARCAST_OK);
        assert_int_equal(parcast_study_add_result(study, problem, "parcast.forecast/1", text, NULL),
                         PARCAST_OK);
    }
    parcast_study_close(&study);
    struct outcome page = run_cli("report -o - bound.parcast");
    assert_int_equal(page.status, 0);
    assert_non_null(strstr(page.out, "<h1>./heat 2048</h1>"));
    assert_non_null(strstr(page.out, "</strong> take at least "));
    assert_non_null(strstr(page.out, "Each size was left out of the fit in turn"));
    assert_non_null(strstr(page.out, "The largest size, forecast from the smaller ones"));
    assert_null(strstr(page.out, "9.25"));
    outcome_clear(&page);
}

static void what_goes_wrong_has_its_exit_status(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        int status;
        const char *says;
    } cases[] = {
        {"report", 2, "no study given"},
        {"report lj.parcast lj.parcast", 2, "one study at a time"},
        {"report --json -o - lj.parcast", 2, "both want standard output"},
        {"report missing.parcast", 1, "missing.parcast"},
        {"report -o no/such/folder/page.html lj.parcast", 1, "no/such/folder/page.html"},
        {"report -o /dev/full lj.parcast", 1, "No space left on device"},
        {"report -o - lj.parcast >/dev/full 2>said; s=$?; f() { cat said >&2; return $s; }; f", 1,
         "No space left on device"},
    };
    struct outcome outcome = run_cli("solve -h | head -c 300 >text.parcast");
    outcome_clear(&outcome);
    outcome = run_cli("report text.parcast");
    assert_int_equal(outcome.status, 3);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome = run_cli("%s", cases[i].arguments);
        assert_int_equal(outcome.status, cases[i].status);
        if (!strstr(outcome.err, cases[i].says)) fail_msg("%s: %s", cases[i].arguments, outcome.err);
        outcome_clear(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_of_a_study_goes_to_standard_output_or_a_file),
        cmocka_unit_test(an_empty_study_has_a_page),
        cmocka_unit_test(a_study_without_runs_shows_its_bound),
        cmocka_unit_test(what_goes_wrong_has_its_exit_status),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
