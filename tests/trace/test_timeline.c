/* Timelines of events whose dates somebody else gives, as a simulator does. */
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

#include "parcast/timeline.h"

static char trace_path[] = "/tmp/parcast-line-XXXXXX", line_path[] = "/tmp/parcast-drawn-XXXXXX";
static parcast_trace *trace;

static void ok(parcast_status status, const parcast_error *error)
{
    if (status) fail_msg("%s: %s", error->source, error->text);
}

/* A trace in flop: it has ranks and nodes, but no dates of its own. */
static int make_trace(void **state)
{
    static const char *const nodes[] = {"a \"quoted\" node", "b"};
    static const parcast_trace_rank ranks[] = {
        {.unit_s = 1}, {.node = 1, .unit_s = 1}, {.node = 1, .unit_s = 1}};
    const parcast_trace_meta meta = {
        .unit = PARCAST_TRACE_FLOP, .n_ranks = 3, .ranks = ranks, .n_nodes = 2, .nodes = nodes};
    parcast_trace_writer *writer = NULL;
    parcast_error error = {0};
    (void)state;
    int one = mkstemp(trace_path), two = mkstemp(line_path);
    if (one < 0 || two < 0 || close(one) || close(two)) return -1;
    if (parcast_trace_create(trace_path, &meta, &writer, &error)) return -1;
    if (parcast_trace_finish(&writer, NULL, &error)) return -1;
    return parcast_trace_open(trace_path, PARCAST_TRACE_WHOLE, &trace, &error) != PARCAST_OK;
}

static int remove_trace(void **state)
{
    (void)state;
    parcast_trace_close(&trace);
    return unlink(trace_path) || unlink(line_path);
}

static parcast_timeline *begin(parcast_timeline_format format, const parcast_timeline_options *options)
{
    parcast_timeline *timeline = NULL;
    parcast_error error = {0};
    ok(parcast_timeline_create(line_path, format, trace, options, &timeline, &error), &error);
    return timeline;
}

static void observe(parcast_timeline *timeline, int32_t rank, const parcast_trace_event *event,
                    double start_s, double end_s)
{
    parcast_error error = {0};
    ok(parcast_timeline_event(timeline, rank, event, start_s, end_s, &error), &error);
}

/* Rank 1 is observed whole before rank 0, as a simulator may do it: 100 messages from rank 0 to rank 1,
 * received by requests. */
static void exchange(parcast_timeline *timeline)
{
    parcast_trace_event e;
    const int64_t request = 0;
    for (int i = 0; i < 100; i++) {
        parcast_trace_event_clear(&e, PARCAST_TRACE_RECV);
        e.start = PARCAST_TRACE_NONBLOCKING;
        e.peer = i % 2 ? PARCAST_TRACE_ANY : 0;
        e.tag = 7;
        e.matched_tag = 7;
        e.request = 0;
        observe(timeline, 1, &e, i, i + 0.125);
        parcast_trace_event_clear(&e, PARCAST_TRACE_WAIT);
        e.requests = &request;
        e.n_requests = 1;
        observe(timeline, 1, &e, i + 0.5, i + 0.75);
    }
    for (int i = 0; i < 100; i++) {
        parcast_trace_event_clear(&e, PARCAST_TRACE_SEND);
        e.peer = 1;
        e.tag = 7;
        e.bytes = 1000 + i;
        observe(timeline, 0, &e, i + 0.25, i + 0.375);
    }
}

static parcast_timeline_info finish(parcast_timeline *timeline)
{
    parcast_timeline_info info;
    parcast_error error = {0};
    ok(parcast_timeline_finish(&timeline, &info, &error), &error);
    assert_null(timeline);
    return info;
}

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void chrome_has_states_arrows_and_counters_at_their_dates(void **state)
{
    (void)state;
    size_t i, n_arrows = 0, n_compute = 0;
    json_t *event;
    parcast_error error = {0};
    parcast_timeline *timeline = begin(PARCAST_TIMELINE_CHROME, NULL);
    exchange(timeline);
    ok(parcast_timeline_value(timeline, "link 1", 2.5, 0.75, &error), &error);
    parcast_timeline_info info = finish(timeline);
    assert_int_equal(info.n_messages, 100);
    assert_int_equal(info.n_unpaired, 0);
    json_t *root = json_load_file(line_path, 0, NULL), *events = json_object_get(root, "traceEvents");
    assert_non_null(root);
    double sent[128] = {0};
    json_array_foreach(events, i, event)
    {
        const char *phase = json_string_value(json_object_get(event, "ph"));
        const json_t *arguments = json_object_get(event, "args");
        if (phase[0] == 's') sent[(int)number(arguments, "bytes") - 1000] = number(event, "ts");
        n_arrows += phase[0] == 'f';
        n_compute +=
            phase[0] == 'X' && strcmp(json_string_value(json_object_get(event, "name")), "compute") == 0;
        if (phase[0] == 'C') assert_true(number(arguments, "value") == 0.75 && number(event, "ts") == 2.5e6);
    }
    for (int k = 0; k < 100; k++) assert_true(fabs(sent[k] - 1e6 * (k + 0.25)) < 1e-3);
    assert_int_equal(n_arrows, 100);
    assert_int_equal(n_compute, 100 + 199); /* before each send; between the calls of rank 1 */
    json_decref(root);
}

static void paje_is_in_the_order_of_dates_whatever_the_order_of_events(void **state)
{
    (void)state;
    char line[512];
    double last = 0, date;
    int kind, n_lines = 0, depth = 0;
    parcast_error error = {0};
    parcast_timeline *timeline = begin(PARCAST_TIMELINE_PAJE, NULL);
    ok(parcast_timeline_end_rank(timeline, 2, &error), &error); /* it does nothing */
    ok(parcast_timeline_value(timeline, "link 1", 2.5, 0.75, &error), &error);
    exchange(timeline);
    finish(timeline);
    FILE *file = fopen(line_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '%' || sscanf(line, "%d", &kind) != 1 || kind < 4) continue;
        assert_int_equal(sscanf(line, "%d %lf", &kind, &date), 2);
        if (date < last) fail_msg("%s is too late", line);
        last = date;
        n_lines++;
        depth += kind == 6 ? 1 : kind == 7 ? -1 : 0;
        assert_in_range(depth, 0, 2);
    }
    fclose(file);
    assert_int_equal(depth, 0);
    assert_true(n_lines > 1000);
}

static void options_leave_out_and_count(void **state)
{
    (void)state;
    static const bool only[] = {false, true, false};
    const parcast_timeline_options some = {.from_s = 10, .to_s = 20, .least_s = 0.2, .ranks = only};
    parcast_timeline *timeline = begin(PARCAST_TIMELINE_CHROME, &some);
    exchange(timeline);
    parcast_timeline_info info = finish(timeline);
    assert_int_equal(info.n_messages, 0); /* their senders are not drawn */
    assert_true(info.n_states > 20 && info.n_states < 40);
    assert_int_equal(info.n_states + info.n_left_out, 200 + 199);
}

static void dates_that_cannot_be_are_refused(void **state)
{
    (void)state;
    parcast_trace_event e;
    parcast_error error = {0};
    parcast_timeline *timeline = begin(PARCAST_TIMELINE_CHROME, NULL);
    parcast_trace_event_clear(&e, PARCAST_TRACE_BARRIER);
    assert_int_equal(parcast_timeline_event(timeline, 0, &e, 2, 1, &error), PARCAST_INVALID);
    assert_int_equal(parcast_timeline_event(timeline, 0, &e, NAN, 1, &error), PARCAST_INVALID);
    assert_int_equal(parcast_timeline_event(timeline, 3, &e, 1, 2, &error), PARCAST_INVALID);
    parcast_timeline_discard(&timeline);
    assert_int_not_equal(access(line_path, F_OK), 0);
    assert_int_equal(parcast_timeline_of_trace(trace, line_path, PARCAST_TIMELINE_PAJE, NULL, NULL, &error),
                     PARCAST_DATA);
    finish(begin(PARCAST_TIMELINE_CHROME, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chrome_has_states_arrows_and_counters_at_their_dates),
        cmocka_unit_test(paje_is_in_the_order_of_dates_whatever_the_order_of_events),
        cmocka_unit_test(options_leave_out_and_count),
        cmocka_unit_test(dates_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, make_trace, remove_trace);
}
