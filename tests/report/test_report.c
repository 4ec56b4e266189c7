/* What stands in the page, whatever the study holds. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"
#include "report/human.h"

static const int three_sizes[] = {1, 2, 4};

static void assert_has(const char *html, const char *text)
{
    if (!strstr(html, text)) fail_msg("the page does not say: %s", text);
}

static void assert_lacks(const char *html, const char *text)
{
    if (strstr(html, text)) fail_msg("the page says: %s", text);
}

/* The page without the chart libraries, which are no text of ours; free() it. */
static char *own_part(const char *html)
{
    const char *end = strstr(html, "<script>");
    assert_non_null(end);
    return strndup(html, (size_t)(end - html));
}

/* Data of the charts; json_decref() it. */
static json_t *data_of(const char *html)
{
    static const char start[] = "<script type=\"application/json\" id=\"parcast-data\">";
    const char *begin = strstr(html, start), *end = begin ? strstr(begin, "</script>") : NULL;
    if (!begin || !end) return NULL;
    begin += sizeof start - 1;
    return json_loadb(begin, (size_t)(end - begin), 0, NULL);
}

static char *page_of(struct fixture *fixture)
{
    char *html = fixture_page(fixture), *own = own_part(html);
    free(html);
    fixture_free(fixture);
    return own;
}

static void the_answer_comes_first_as_a_sentence(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_file(&fixture, "report_model.json");
    char *html = page_of(&fixture);
    assert_has(html, "<p class=\"headline\"><strong>18\u00a0processes on 5\u00a0nodes (4 \u00d7 small + 1 "
                     "\u00d7 big)</strong> finish in "
                     "<strong>9.41\u00a0s</strong> <span class=\"interval\">(");
    assert_has(html, "More than 18 processes do not pay");
    assert_has(html, "The cheapest is 4\u00a0processes on 1\u00a0node");
    assert_has(html, "runs that were left out of the fit were missed by 3.6\u00a0% on average");
    assert_true(strstr(html, "class=\"headline\"") < strstr(html, "data-chart=\"time\""));
    free(html);
}

static void the_page_names_nothing_to_load(void **state)
{
    (void)state;
    static const char *const loads[] = {"src=",    "url(", "@import", "<link",
                                        "<iframe", "<img", "<base",   "http-equiv=\"refresh"};
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_file(&fixture, "report_model.json");
    char *html = page_of(&fixture);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) assert_lacks(html, loads[i]);
    assert_has(html, "default-src 'none'");
    for (const char *link = strstr(html, "href="); link; link = strstr(link + 1, "href="))
        assert_int_equal(link[6], '#');
    free(html);
}

static void a_hostile_name_is_text_everywhere(void **state)
{
    (void)state;
    static const char name[] = "</script><img src=x onerror=alert(1)>\"'&<!--\xE2\x80\xA8\xFF\x01";
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_text(
        &fixture,
        "{\"engine\":\"</script><img src=x onerror=alert(2)>\",\"platform\":\"<b>&\",\"currency\":\"<i>\","
        "\"points\":[{\"processes\":2,\"nodes\":[{\"type\":\"<u>\",\"count\":1,\"ranks\":2}],\"time_s\":3,"
        "\"limit\":\"<s>\",\"cost\":1}],\"notes\":[\"<script>alert(3)</"
        "script>\"],\"report\":{\"notes\":[\"<q>\"]}}");
    fixture_rename(&fixture, name);
    char *whole = fixture_page(&fixture), *html = own_part(whole);
    json_t *data = data_of(whole);
    assert_non_null(data);
    static const char *const tags[] = {"<img", "<b>", "<i>", "<u>", "<s>", "<q>", "<script>", "<!--"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) assert_lacks(html, tags[i]);
    assert_has(
        html,
        "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;!--\xE2\x80\xA8\uFFFD\uFFFD");
    const char *json = strstr(html, "id=\"parcast-data\">");
    assert_non_null(json);
    assert_null(strstr(json, "\xE2\x80\xA8"));
    const json_t *points = json_object_get(json_object_get(data, "datasets"), "points");
    assert_string_equal(json_string_value(json_object_get(json_array_get(points, 0), "series")),
                        "</script><img src=x onerror=alert(2)>");
    json_decref(data);
    free(html);
    free(whole);
    fixture_free(&fixture);
}

static void a_study_without_a_forecast_says_how_to_get_one(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    char *html = page_of(&fixture);
    assert_has(html, "No forecast has been made yet.");
    assert_has(html, "took 21.2\u00a0s with 4 processes");
    assert_has(html, "parcast predict lmp.parcast --on PLATFORM");
    assert_has(html, "data-chart=\"time\"");
    assert_lacks(html, "data-chart=\"cost\"");
    assert_lacks(html, "name=\"over\"");
    free(html);
}

static void an_empty_study_is_a_page_too(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, NULL, 0);
    char *html = page_of(&fixture);
    assert_has(html, "No run of this program is complete either.");
    assert_has(html, "The study holds no run.");
    assert_lacks(html, "data-chart=");
    free(html);
}

static void imported_runs_have_no_ranks_and_the_page_says_so(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, NULL, 0);
    fixture_import(&fixture, 16, 100);
    fixture_import(&fixture, 32, 55);
    char *html = page_of(&fixture);
    assert_has(html, "No run of this study was recorded rank by rank.");
    assert_has(html, "imported");
    assert_has(html, "data-chart=\"time\"");
    assert_lacks(html, "data-chart=\"speedup\"");
    assert_lacks(html, "data-chart=\"ranks\"");
    free(html);
}

static void runs_without_messages_have_no_matrix(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, (const int[]){1}, 1);
    char *html = page_of(&fixture);
    assert_has(html, "The recorded ranks sent no point-to-point messages.");
    assert_lacks(html, "data-chart=\"matrix\"");
    free(html);
}

static void a_forecast_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "", "{", "[]", "{\"points\":[]}", "{\"points\":[{\"processes\":1}]}", "{\"points\":{\"a\":1}}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct fixture fixture;
        fixture_record(&fixture, three_sizes, 3);
        fixture_forecast_text(&fixture, broken[i]);
        char *html = page_of(&fixture);
        assert_has(html, "1 stored forecast could not be read and is left out.");
        assert_has(html, "No forecast has been made yet.");
        free(html);
    }
}

static void members_that_a_forecast_lacks_are_left_out(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, NULL, 0);
    fixture_forecast_text(&fixture,
                          "{\"points\":[{\"processes\":8,\"time_s\":2.5},{\"processes\":\"x\"},7]}");
    char *html = page_of(&fixture);
    assert_has(html, "<strong>8\u00a0processes</strong> finish in <strong>2.50\u00a0s</strong>.");
    assert_has(html, "This forecast says nothing about its fit.");
    assert_has(html, "No cost: the platform has no");
    assert_lacks(html, "nan");
    free(html);
}

static void the_latest_forecast_of_each_engine_is_drawn_and_the_best_engine_answers(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_text(
        &fixture, "{\"engine\":\"model\",\"platform\":\"p\",\"points\":[{\"processes\":1,\"time_s\":111}]}");
    fixture_forecast_text(
        &fixture, "{\"engine\":\"model\",\"platform\":\"p\",\"points\":[{\"processes\":1,\"time_s\":22}]}");
    fixture_forecast_text(
        &fixture, "{\"engine\":\"pmnf\",\"platform\":\"p\",\"points\":[{\"processes\":1,\"time_s\":33}]}");
    char *whole = fixture_page(&fixture);
    json_t *data = data_of(whole);
    const json_t *points = json_object_get(json_object_get(data, "datasets"), "points");
    assert_int_equal(json_array_size(points), 2);
    assert_has(whole, "finishes in <strong>22.0\u00a0s</strong>");
    assert_lacks(whole, "111\u00a0s");
    json_decref(data);
    free(whole);
    fixture_free(&fixture);
}

static void an_interval_that_says_nothing_is_called_wide_and_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_text(
        &fixture,
        "{\"engine\":\"pmnf\",\"points\":[{\"processes\":1,\"time_s\":80,\"low_s\":1e-20,\"high_s\":1e20},"
        "{\"processes\":16,\"time_s\":8,\"low_s\":1e-20,\"high_s\":1e20}],"
        "\"best\":{\"turning_point\":{\"processes\":16}},\"advice\":[{\"processes\":8,\"nodes\":2}]}");
    char *whole = fixture_page(&fixture);
    assert_has(whole, "The interval is wide</strong>: the runs say little about 16 processes. A measured run "
                      "of 8\u00a0processes on "
                      "2\u00a0nodes would narrow it most.");
    assert_has(whole, "cut at its edge");
    json_t *data = data_of(whole),
           *layer = json_array_get(
               json_object_get(json_object_get(json_object_get(data, "charts"), "time"), "layer"), 1);
    const json_t *domain = json_object_get(
        json_object_get(json_object_get(json_object_get(layer, "encoding"), "y"), "scale"), "domain");
    assert_float_equal(json_number_value(json_array_get(domain, 0)), 4, 1e-3);
    assert_float_equal(json_number_value(json_array_get(domain, 1)), 160, 1e-3);
    json_decref(data);
    free(whole);
    fixture_free(&fixture);
}

static void a_deadline_that_nothing_meets_is_said(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_text(
        &fixture, "{\"engine\":\"model\",\"deadline_s\":5,\"points\":[{\"processes\":4,\"time_s\":9}],"
                  "\"best\":{\"fastest\":{\"processes\":4},\"under_deadline\":null}}");
    char *html = page_of(&fixture);
    assert_has(html, "Nothing finishes within 5.00\u00a0s on this platform.");
    free(html);
}

static void many_ranks_are_drawn_in_groups(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, (const int[]){200}, 1);
    char *whole = fixture_page(&fixture);
    json_t *data = data_of(whole), *sets = json_object_get(data, "datasets");
    assert_has(whole, "A bar is the mean of 4 neighbouring ranks.");
    double bytes = 0;
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(sets, "matrix"), i, cell) bytes +=
        json_number_value(json_object_get(cell, "bytes"));
    assert_float_equal(bytes, 200 * (64e6 + 40e6), 1);
    assert_int_equal(json_array_size(json_object_get(sets, "ranks")), 3 * 50);
    json_decref(data);
    free(whole);
    fixture_free(&fixture);
}

static void the_same_content_gives_the_same_bytes(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_record(&fixture, three_sizes, 3);
    fixture_forecast_file(&fixture, "report_model.json");
    char *one = fixture_page(&fixture), *two = fixture_page(&fixture);
    assert_string_equal(one, two);
    free(one);
    free(two);
    fixture_free(&fixture);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    char directory[] = "/tmp/parcast-report-XXXXXX", path[64], text[16] = "";
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/page", directory);
    parcast_error error;
    assert_int_equal(parcast_report_write(path, "old", 3, &error), PARCAST_OK);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    char big[1000] = {0};
    parcast_status status = parcast_report_write(path, big, sizeof big, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, PARCAST_IO);
    assert_non_null(strstr(error.text, "cannot write"));
    FILE *file = fopen(path, "r");
    if (!file) abort();
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "old");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0); /* nothing else was left in it */
    assert_int_equal(parcast_report_write("/dev/full", "text", 4, &error), PARCAST_IO);
    assert_int_equal(parcast_report_write("/nowhere/page", "text", 4, &error), PARCAST_IO);
}

static void quantities_read_well(void **state)
{
    (void)state;
    struct human b;
    assert_string_equal(human_time(&b, 0), "0\u00a0s");
    assert_string_equal(human_time(&b, 0.00123), "1.23\u00a0ms");
    assert_string_equal(human_time(&b, 9.996), "10.0\u00a0s");
    assert_string_equal(human_time(&b, 59.97), "60.0\u00a0s");
    assert_string_equal(human_time(&b, 245), "4\u00a0min 05\u00a0s");
    assert_string_equal(human_time(&b, 7800), "2\u00a0h 10\u00a0min");
    assert_string_equal(human_time(&b, 4 * 86400.0), "4.00\u00a0days");
    assert_string_equal(human_interval(&b, 11, 13.94), "11.0\u201313.9\u00a0s");
    assert_string_equal(human_interval(&b, 0.001, 13.94), "1.00\u00a0ms to 13.9\u00a0s");
    assert_string_equal(human_time(&b, 1e20), "1.00e+20\u00a0s");
    assert_string_equal(human_interval(&b, 50, 130), "50.0\u00a0s to 2\u00a0min 10\u00a0s");
    assert_string_equal(human_bytes(&b, 999), "999\u00a0B");
    assert_string_equal(human_bytes(&b, 64e6), "64.0\u00a0MB");
    assert_string_equal(human_cost(&b, 0.00936, "USD"), "0.0094\u00a0USD");
    assert_string_equal(human_cost(&b, 12.345, "EUR"), "12.35\u00a0EUR");
    assert_string_equal(human_percent(&b, 0.0461), "4.6\u00a0%");
    assert_string_equal(human_count(&b, 123456), "123456");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_comes_first_as_a_sentence),
        cmocka_unit_test(the_page_names_nothing_to_load),
        cmocka_unit_test(a_hostile_name_is_text_everywhere),
        cmocka_unit_test(a_study_without_a_forecast_says_how_to_get_one),
        cmocka_unit_test(an_empty_study_is_a_page_too),
        cmocka_unit_test(imported_runs_have_no_ranks_and_the_page_says_so),
        cmocka_unit_test(runs_without_messages_have_no_matrix),
        cmocka_unit_test(a_forecast_that_cannot_be_read_is_named),
        cmocka_unit_test(members_that_a_forecast_lacks_are_left_out),
        cmocka_unit_test(the_latest_forecast_of_each_engine_is_drawn_and_the_best_engine_answers),
        cmocka_unit_test(an_interval_that_says_nothing_is_called_wide_and_cut),
        cmocka_unit_test(a_deadline_that_nothing_meets_is_said),
        cmocka_unit_test(many_ranks_are_drawn_in_groups),
        cmocka_unit_test(the_same_content_gives_the_same_bytes),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(quantities_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
