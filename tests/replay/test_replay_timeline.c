/* Timelines of replays: the dates of the result, in both formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "few.h"
#include "parcast/replay.h"
#include "parcast/ti.h"

static char path[] = "/tmp/parcast-replay-line-XXXXXX";

static const char star[] = "schema: parcast.platform/1\n"
                           "nodes: [{type: a, count: 4, cores: 2, flop_rate: 1e6}]\n"
                           "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6}\n";
static const char text[] =
    "0 compute 1e6\n0 send 1 7 1000\n0 sleep 0.5\n0 allreduce 100 0\n1 recv 0 7 1000\n1 compute 5e5\n"
    "1 allreduce 100 0\n";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return access(path, F_OK) == 0 && unlink(path);
}

static parcast_timeline *begin(parcast_timeline_format format, int32_t n_ranks)
{
    const parcast_timeline_layout layout = {.n_ranks = n_ranks};
    parcast_timeline *timeline = NULL;
    parcast_error error = {0};
    if (parcast_timeline_open(path, format, &layout, NULL, &timeline, &error)) fail_msg("%s", error.text);
    return timeline;
}

static parcast_timeline_info finish(parcast_timeline *timeline)
{
    parcast_timeline_info info;
    parcast_error error = {0};
    if (parcast_timeline_finish(&timeline, &info, &error)) fail_msg("%s", error.text);
    return info;
}

static parcast_timeline_info draw(const char *trace_text, parcast_timeline_format format,
                                  const parcast_loggops *loggops, parcast_replay_result **result)
{
    parcast_platform *platform = NULL;
    parcast_ti *trace = NULL;
    parcast_error error = {0};
    parcast_replay_options options = {0};
    if (parcast_platform_parse(star, strlen(star), "star", &platform, &error) ||
        parcast_ti_parse(trace_text, strlen(trace_text), "x.ti", &trace, &error))
        fail_msg("%s", error.text);
    parcast_operation_source source = parcast_ti_source(trace);
    options.timeline = begin(format, source.n_ranks);
    if (parcast_replay_run(&source, platform, NULL, loggops, &options, result, &error))
        fail_msg("%s", error.text);
    parcast_ti_destroy(&trace);
    parcast_platform_destroy(&platform);
    return finish(options.timeline);
}

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static bool is(const json_t *event, const char *name, const char *value)
{
    const char *text_value = json_string_value(json_object_get(event, name));
    return text_value && strcmp(text_value, value) == 0;
}

/* The date at which something named so, of a phase letter, ends (states) or is (arrows) on a rank; NAN:
 * nothing. */
static double date_of(const json_t *events, const char *letter, const char *name, int rank)
{
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event) if (is(event, "ph", letter) && is(event, "name", name) &&
                                             number(event, "tid") == rank) return 1e-6 *
        (number(event, "ts") + number(event, "dur"));
    return NAN;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-10)) fail_msg("%.15g is not %.15g", value, expected);
}

static void chrome_shows_the_dates_of_the_result(void **state)
{
    parcast_replay_result *result = NULL;
    (void)state;
    parcast_timeline_info info = draw(text, PARCAST_TIMELINE_CHROME, NULL, &result);
    json_t *root = json_load_file(path, 0, NULL), *events = json_object_get(root, "traceEvents");
    assert_non_null(events);
    assert_int_equal(info.n_messages, 1); /* those of the allreduce are not drawn */
    assert_int_equal(info.n_unpaired, 0);
    near(date_of(events, "X", "compute", 0), 1);
    near(date_of(events, "s", "message", 0), 1);
    near(date_of(events, "f", "message", 1), 1.003 - 1e-9); /* arrows end inside */
    near(date_of(events, "X", "recv", 1), 1.003);
    near(date_of(events, "X", "compute", 1), 1.503);
    near(date_of(events, "X", "allreduce", 0), result->ranks[0].end_s);
    assert_true(isnan(date_of(events, "X", "send", 0))); /* it takes no time */
    json_decref(root);
    parcast_replay_result_destroy(&result);
}

/* Long enough that lines are written before the end; dates must ascend all the same. */
static char *long_text(int rounds)
{
    char *long_one = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&long_one, &size);
    assert_non_null(out);
    for (int i = 0; i < rounds; i++)
        for (int r = 0; r < 4; r++)
            fprintf(out, "%d compute %d\n%d irecv %d 0 2000\n%d send %d 0 2000\n%d waitall\n%s", r,
                    100 * (1 + (i * 7 + r * 3) % 11), r, (r + 3) % 4, r, (r + 1) % 4, r,
                    i % 50 == 0 && r == 3 ? "0 barrier\n1 barrier\n2 barrier\n3 barrier\n" : "");
    assert_int_equal(fclose(out), 0);
    return long_one;
}

static void expect_ascending(uint64_t n_messages)
{
    char line[256];
    double before = 0;
    uint64_t n_starts = 0, n_ends = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        int what;
        double date;
        if (line[0] == '%' || sscanf(line, "%d %lf", &what, &date) != 2 || what < 4) continue;
        if (date < before) fail_msg("%s comes after %.9f", line, before);
        before = date;
        n_starts += what == 8;
        n_ends += what == 9;
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(n_starts, n_messages);
    assert_int_equal(n_ends, n_messages);
}

static void paje_ascends_on_both_networks(void **state)
{
    const int n_rounds = few_or_all(200, 2000), n_messages = 4 * n_rounds;
    const parcast_loggops loggops = {
        .L_s = 2e-5, .o_s = 1e-5, .g_s = 1e-5, .G_s_per_byte = 1e-9, .S_bytes = 1000};
    char *long_one = long_text(n_rounds);
    (void)state;
    for (int i = 0; i < 2; i++) {
        parcast_replay_result *result = NULL;
        parcast_timeline_info info = draw(long_one, PARCAST_TIMELINE_PAJE, i ? &loggops : NULL, &result);
        assert_int_equal(info.n_messages, n_messages);
        assert_int_equal(info.n_unpaired, 0);
        expect_ascending((uint64_t)n_messages);
        parcast_replay_result_destroy(&result);
    }
    free(long_one);
}

static void goal_programs_are_drawn_on_one_cpu(void **state)
{
    const char *program = "num_ranks 2\nrank 0 {\na: calc 1000\nb: send 101b to 1\nb requires a\n}\n"
                          "rank 1 {\na: recv 101b from 0\nb: calc 500\nb requires a\n}\n";
    const char *two_cpus = "num_ranks 1\nrank 0 {\ncalc 5 cpu 1\n}\n";
    const parcast_loggops loggops = {
        .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .S_bytes = 1000};
    parcast_replay_options options = {0};
    parcast_goal *goal = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(parcast_goal_parse(program, strlen(program), "x", &goal, &error), PARCAST_OK);
    options.timeline = begin(PARCAST_TIMELINE_CHROME, 2);
    assert_int_equal(parcast_replay_goal_with(goal, &loggops, &options, &result, &error), PARCAST_OK);
    parcast_timeline_info info = finish(options.timeline);
    assert_int_equal(info.n_states, 3);
    assert_int_equal(info.n_messages, 1);
    json_t *root = json_load_file(path, 0, NULL), *events = json_object_get(root, "traceEvents");
    near(date_of(events, "X", "compute", 0), 1e-6);
    near(date_of(events, "X", "send", 0), 2.5e-6);
    near(date_of(events, "f", "message", 1), 7.099e-6);
    near(date_of(events, "X", "compute", 1), 7.6e-6);
    json_decref(root);
    parcast_goal_destroy(&goal);
    parcast_replay_result_destroy(&result);
    assert_int_equal(parcast_goal_parse(two_cpus, strlen(two_cpus), "x", &goal, &error), PARCAST_OK);
    options.timeline = begin(PARCAST_TIMELINE_CHROME, 1);
    assert_int_equal(parcast_replay_goal_with(goal, &loggops, &options, &result, &error),
                     PARCAST_UNSUPPORTED);
    parcast_timeline_discard(&options.timeline);
    parcast_goal_destroy(&goal);
    assert_int_not_equal(access(path, F_OK), 0); /* what was given up is removed */
}

static void ranks_and_dates_that_cannot_be_are_refused(void **state)
{
    parcast_timeline *timeline = begin(PARCAST_TIMELINE_CHROME, 2);
    const parcast_timeline_end end = {0, 2, 0, 0, 1};
    parcast_error error = {0};
    (void)state;
    assert_int_equal(parcast_timeline_state(timeline, 2, "send", 0, 1, &error), PARCAST_INVALID);
    assert_int_equal(parcast_timeline_state(timeline, 0, "send", 2, 1, &error), PARCAST_INVALID);
    assert_int_equal(parcast_timeline_message(timeline, &end, false, 0, &error), PARCAST_INVALID);
    assert_int_equal(parcast_timeline_state(timeline, 1, NULL, 1, 2, &error), PARCAST_OK);
    assert_int_equal(finish(timeline).n_states, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chrome_shows_the_dates_of_the_result),
        cmocka_unit_test(paje_ascends_on_both_networks),
        cmocka_unit_test(ranks_and_dates_that_cannot_be_are_refused),
        cmocka_unit_test(goal_programs_are_drawn_on_one_cpu),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
