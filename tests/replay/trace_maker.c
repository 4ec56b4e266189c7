#include "trace_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static parcast_trace_writer *writer;

static void ok(parcast_status status, const parcast_error *error)
{
    if (status) fail_msg("%s: %s", error->source, error->text);
}

void maker_begin_about(const parcast_trace_meta *about)
{
    parcast_error error = {0};
    strcpy(path, "/tmp/parcast-replay-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    ok(parcast_trace_create(path, about, &writer, &error), &error);
}

void maker_begin(int32_t n_ranks, const parcast_trace_comm *comms, size_t n_comms)
{
    const parcast_trace_meta about = {.n_ranks = n_ranks, .comms = comms, .n_comms = n_comms};
    maker_begin_about(&about);
}

void maker_put(int32_t rank, const parcast_trace_event *event)
{
    parcast_error error = {0};
    ok(parcast_trace_write(writer, rank, event, &error), &error);
}

parcast_trace_event maker_event(parcast_trace_op op, double compute_s)
{
    parcast_trace_event event;
    parcast_trace_event_clear(&event, op);
    event.compute = compute_s;
    return event;
}

parcast_trace_event maker_message(parcast_trace_op op, int32_t peer, int32_t tag, int64_t bytes)
{
    parcast_trace_event event = maker_event(op, 0);
    event.peer = peer;
    event.tag = tag;
    event.bytes = bytes;
    return event;
}

static parcast_trace *finish(parcast_trace_mode mode)
{
    parcast_trace *trace = NULL;
    parcast_error error = {0};
    ok(parcast_trace_finish(&writer, NULL, &error), &error);
    ok(parcast_trace_open(path, mode, &trace, &error), &error);
    unlink(path);
    return trace;
}

parcast_trace *maker_finish(void)
{
    return finish(PARCAST_TRACE_WHOLE);
}

parcast_trace *maker_finish_cut(void)
{
    return finish(PARCAST_TRACE_UP_TO_CUT);
}

parcast_platform *maker_platform(void)
{
    static const char text[] =
        "schema: parcast.platform/1\nnodes: [{type: a, count: 8, cores: 2, flop_rate: 1e6}]\n"
        "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6, eager_below: 100, detached_below: "
        "10000}\n";
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    ok(parcast_platform_parse(text, sizeof text - 1, "star", &platform, &error), &error);
    return platform;
}

parcast_status maker_replay(parcast_trace *trace, const double *node_speed, size_t n_nodes,
                            parcast_replay_result **result, parcast_error *error)
{
    parcast_platform *platform = maker_platform();
    parcast_trace_operations *operations = NULL;
    parcast_status status = parcast_trace_operations_create(trace, node_speed, n_nodes, &operations, error);
    if (!status) {
        parcast_operation_source source = parcast_trace_operations_source(operations);
        status = parcast_replay_run(&source, platform, NULL, NULL, NULL, result, error);
    }
    parcast_trace_operations_destroy(&operations);
    parcast_trace_close(&trace);
    parcast_platform_destroy(&platform);
    return status;
}

void maker_expect_ends(parcast_trace *trace, const double *end_s, int n_ranks)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    ok(maker_replay(trace, NULL, 0, &result, &error), &error);
    assert_int_equal(result->n_ranks, n_ranks);
    for (int r = 0; r < n_ranks; r++) assert_float_equal(result->ranks[r].end_s, end_s[r], 1e-9);
    parcast_replay_result_destroy(&result);
}

void maker_expect_failure(parcast_trace *trace, parcast_status status, const char *words)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    assert_int_equal(maker_replay(trace, NULL, 0, &result, &error), status);
    assert_null(result);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}
