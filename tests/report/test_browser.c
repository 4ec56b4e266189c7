/*
 * The page as a browser sees it: headless Chromium opens it and the marks of every chart are counted in the
 * document that results. Skipped where Chromium is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

static char directory[] = "/tmp/parcast-report-XXXXXX";
static const char *browser;

/* The status of a command of our own. */
static int shell(const char *command)
{
    return system(command); // NOLINT(cert-env33-c,bugprone-command-processor)
}

static char *read_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file) abort();
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

static void write_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    parcast_error error;
    if (parcast_report_write(path, text, strlen(text), &error) != PARCAST_OK) fail_msg("%s", error.text);
}

/* The document after its scripts ran, and in messages and network what the browser logged; free() all three.
 */
static char *open_page(const char *html, char **messages, char **network)
{
    char command[2048];
    write_file("page.html", html);
    snprintf(command, sizeof command,
             "timeout 120 %s --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
             "--disable-background-networking "
             "--disable-component-update --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' "
             "--disable-extensions --disable-default-apps "
             "--disable-dev-shm-usage "
             "--user-data-dir=%s/profile --log-net-log=%s/net.json --enable-logging=stderr "
             "--virtual-time-budget=20000 "
             "--window-size=1280,2400 --dump-dom file://%s/page.html >%s/dom 2>%s/messages",
             browser, directory, directory, directory, directory, directory);
    int status = shell(command);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("the browser failed with status %d", status);
    *messages = read_file("messages");
    *network = read_file("net.json");
    return read_file("dom");
}

static size_t count(const char *text, const char *end, const char *what)
{
    size_t n = 0;
    for (const char *found = strstr(text, what); found && found < end; found = strstr(found + 1, what)) n++;
    return n;
}

/* Marks of a layer of a chart, SIZE_MAX without the chart: paths and texts in the group that Vega names after
 * it. */
static size_t marks(const char *document, const char *chart, const char *layer)
{
    char start[128], group[128];
    snprintf(start, sizeof start, "data-chart=\"%s\"", chart);
    const char *place = strstr(document, start);
    if (!place) return SIZE_MAX;
    const char *end = strstr(place, "</figure>");
    snprintf(group, sizeof group, "role-mark %s_marks", layer);
    const char *begin = strstr(place, group);
    if (!begin || begin > end) return 0;
    const char *close = strstr(begin, "</g>");
    return count(begin, close, "<path") + count(begin, close, "<text");
}

static void assert_marks(const char *document, const char *chart, const char *layer, size_t expected)
{
    size_t found = marks(document, chart, layer);
    if (found != expected)
        fail_msg("chart '%s' has %zu marks in layer '%s', expected %zu", chart, found, layer, expected);
}

/* Requests over the network that the page made; those of the browser itself have no origin as initiator. */
static const char *page_request(const char *network)
{
    for (const char *line = network; line && *line; line = strchr(line + 1, '\n')) {
        const char *end = strchr(line + 1, '\n'), *url = strstr(line, "\"url\":\"http"),
                   *initiator = strstr(line, "\"initiator\":\"");
        if (url && initiator && end && url < end && initiator < end &&
            strncmp(initiator + 13, "not an origin", 13) != 0)
            return url;
    }
    return NULL;
}

static void assert_quiet(const char *messages, const char *network)
{
    const char *console = strstr(messages, "CONSOLE");
    if (console) fail_msg("the browser's console says: %.300s", console);
    const char *request = page_request(network);
    if (request) fail_msg("the page made a request: %.200s", request);
}

static void a_page_that_loads_something_would_be_noticed(void **state)
{
    (void)state;
    if (!browser) skip();
    char *messages, *network,
        *document =
            open_page("<!DOCTYPE html><img src=\"http://example.invalid/x.png\">", &messages, &network);
    assert_non_null(page_request(network));
    free(document);
    free(messages);
    free(network);
}

static void every_chart_draws_every_point(void **state)
{
    (void)state;
    if (!browser) skip();
    struct fixture fixture;
    fixture_record(&fixture, (const int[]){1, 2, 4}, 3);
    fixture_forecast_file(&fixture, "report_pmnf.json");
    fixture_forecast_file(&fixture, "report_model.json");
    char *html = fixture_page(&fixture), *messages, *network,
         *document = open_page(html, &messages, &network);
    static const char *const charts[] = {"time", "efficiency", "speedup", "cost"};
    for (size_t i = 0; i < 4; i++) {
        assert_marks(document, charts[i], "forecast", 128);
        assert_marks(document, charts[i], "chosen", 1);
        if (i < 3) assert_marks(document, charts[i], "measured", 3);
    }
    assert_marks(document, "speedup", "ideal", 1);
    assert_marks(document, "ranks", "parts", 16);
    assert_marks(document, "matrix", "cells", 12);
    assert_int_equal(count(document, strchr(document, '\0'), "data-drawn=\"yes\""), 6);
    assert_quiet(messages, network);
    free(html);
    free(document);
    free(messages);
    free(network);
    fixture_free(&fixture);
}

/* The page with one text replaced by another of it; free() it. */
static char *with(const char *html, const char *old, const char *new)
{
    const char *found = strstr(html, old);
    size_t size = strlen(html) + strlen(new) + 1;
    char *result = malloc(size);
    if (!found || !result) abort();
    snprintf(result, size, "%.*s%s%s", (int)(found - html), html, new, found + strlen(old));
    return result;
}

static void over_nodes_the_fastest_count_of_each_is_drawn(void **state)
{
    (void)state;
    if (!browser) skip();
    struct fixture fixture;
    fixture_record(&fixture, (const int[]){1, 2, 4}, 3);
    fixture_forecast_file(&fixture, "report_model.json");
    char *html = fixture_page(&fixture);
    char *unchecked = with(html, "value=\"processes\" checked", "value=\"processes\"");
    char *nodes = with(unchecked, "value=\"nodes\"", "value=\"nodes\" checked");
    char *messages, *network, *document = open_page(nodes, &messages, &network);
    assert_marks(document, "time", "forecast", 7); /* 64 processes take 4 small nodes and 3 big ones */
    assert_marks(document, "cost", "forecast", 7);
    assert_marks(document, "time", "measured", 3);
    assert_quiet(messages, network);
    free(html);
    free(unchecked);
    free(nodes);
    free(document);
    free(messages);
    free(network);
    fixture_free(&fixture);
}

static void a_hostile_name_runs_no_script_and_breaks_no_chart(void **state)
{
    (void)state;
    if (!browser) skip();
    struct fixture fixture;
    fixture_record(&fixture, (const int[]){1, 2, 4}, 3);
    fixture_forecast_text(
        &fixture,
        "{\"engine\":\"</script><img src=x onerror=alert(2)>\",\"platform\":\"<b>&\",\"currency\":\"<i>\","
        "\"points\":[{\"processes\":1,\"time_s\":80},{\"processes\":8,\"time_s\":9}]}");
    fixture_rename(&fixture,
                   "</script><img src=http://example.invalid/x onerror=alert(1)>\"'&<!--\xE2\x80\xA8\xFF");
    char *html = fixture_page(&fixture);
    char *messages, *network, *document = open_page(html, &messages, &network);
    assert_marks(document, "time", "forecast", 2);
    assert_marks(document, "time", "measured", 3);
    assert_marks(document, "ranks", "parts", 16);
    assert_null(strstr(document, "<img src=\"http://example.invalid")); /* as the browser writes an element */
    assert_null(strstr(document, "<img src=\"x"));
    assert_quiet(messages, network);
    free(html);
    free(document);
    free(messages);
    free(network);
    fixture_free(&fixture);
}

static void measured_runs_alone_are_drawn(void **state)
{
    (void)state;
    if (!browser) skip();
    struct fixture fixture;
    fixture_record(&fixture, NULL, 0);
    fixture_import(&fixture, 16, 100);
    fixture_import(&fixture, 32, 55);
    char *html = fixture_page(&fixture);
    char *messages, *network, *document = open_page(html, &messages, &network);
    assert_marks(document, "time", "measured", 2);
    assert_marks(document, "time", "forecast", 0);
    assert_quiet(messages, network);
    free(html);
    free(document);
    free(messages);
    free(network);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_that_loads_something_would_be_noticed),
        cmocka_unit_test(every_chart_draws_every_point),
        cmocka_unit_test(over_nodes_the_fastest_count_of_each_is_drawn),
        cmocka_unit_test(a_hostile_name_runs_no_script_and_breaks_no_chart),
        cmocka_unit_test(measured_runs_alone_are_drawn),
    };
    browser = shell("command -v chromium >/dev/null 2>&1") == 0 ? "chromium" : NULL;
    if (!mkdtemp(directory)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return shell(command) != 0 || failed;
}
