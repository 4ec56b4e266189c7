/*
 * How much of a replay is reading: traces of parcast and time-independent text of the same halo exchange,
 * read alone, as operations, and replayed on a star with 1 Gbit/s. CPU time, on one core; one JSON object.
 *
 *   bench_replay [RANKS [STEPS]]        default 64 ranks (a square number), 1000 steps
 *
 * Peer, for the text: SimGrid SMPI 3.32 replays 115 thousand messages/s at 64 ranks, reading included.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"
#include "parcast/replay.h"
#include "parcast/ti.h"
#include "parcast/trace_operations.h"
#include "parcast/trace_text.h"

enum { NEIGHBOURS = 4, EVENTS = 2 * NEIGHBOURS + 1, BYTES = 8192 };

static char folder[] = "/tmp/parcast-bench-XXXXXX", trace_path[64], text_path[64];

static void remove_files(void)
{
    unlink(trace_path);
    unlink(text_path);
    rmdir(folder);
}

static void check(parcast_status status, const parcast_error *error)
{
    if (!status) return;
    fprintf(stderr, "bench_replay: %s %s\n", error->text, error->hint);
    exit(1);
}

/* -------- the trace -------- */

static int32_t neighbour(int32_t rank, int width, int k)
{
    int x = rank % width, y = rank / width;
    if (k < 2)
        x = (x + (k ? 1 : width - 1)) % width;
    else
        y = (y + (k == 3 ? 1 : width - 1)) % width;
    return y * width + x;
}

static void write_step(parcast_trace_writer *writer, int32_t rank, int width, unsigned *random)
{
    static const int64_t requests[] = {0, 1, 2, 3, 4, 5, 6, 7};
    parcast_error error = {0};
    for (int k = 0; k < EVENTS; k++) {
        parcast_trace_event e;
        *random = *random * 1664525U + 1013904223U;
        parcast_trace_event_clear(&e, k < NEIGHBOURS ? PARCAST_TRACE_RECV : PARCAST_TRACE_SEND);
        e.compute = k == 0 ? 1e-3 + 1e-9 * (*random >> 16) : 1e-9 * (100 + (*random >> 28));
        e.call_s = 1e-9 * (500 + (*random >> 24));
        e.start = PARCAST_TRACE_NONBLOCKING;
        e.request = k;
        e.bytes = BYTES;
        if (k < 2 * NEIGHBOURS) {
            e.peer = neighbour(rank, width, k % NEIGHBOURS);
            e.tag = k < NEIGHBOURS ? (k ^ 1) : k - NEIGHBOURS; /* what goes left comes from the right */
        } else {
            parcast_trace_event_clear(&e, PARCAST_TRACE_WAITALL);
            e.requests = requests;
            e.n_requests = sizeof requests / sizeof requests[0];
        }
        check(parcast_trace_write(writer, rank, &e, &error), &error);
    }
}

static void write_trace(int n_ranks, int steps)
{
    const parcast_trace_meta meta = {.n_ranks = n_ranks};
    parcast_trace_writer *writer = NULL;
    parcast_error error = {0};
    unsigned random = 1;
    int width = 1;
    while (width * width < n_ranks) width++;
    check(parcast_trace_create(trace_path, &meta, &writer, &error), &error);
    for (int step = 0; step < steps; step++)
        for (int32_t rank = 0; rank < n_ranks; rank++) write_step(writer, rank, width, &random);
    check(parcast_trace_finish(&writer, NULL, &error), &error);
}

/* -------- what is measured -------- */

static parcast_trace *open_trace(void)
{
    parcast_trace *trace = NULL;
    parcast_error error = {0};
    check(parcast_trace_open(trace_path, PARCAST_TRACE_WHOLE, &trace, &error), &error);
    return trace;
}

/* Rank after rank, as no replay does: at least so long does reading take. */
static double read_events(uint64_t *n)
{
    parcast_trace *trace = open_trace();
    parcast_error error = {0};
    double begin_s = cpu_s();
    for (int32_t rank = 0; rank < parcast_trace_about(trace)->n_ranks; rank++) {
        parcast_trace_cursor *cursor = NULL;
        const parcast_trace_event *event = NULL;
        check(parcast_trace_cursor_open(trace, rank, &cursor, &error), &error);
        for (;;) {
            check(parcast_trace_next(cursor, &event, &error), &error);
            if (!event) break;
            (*n)++;
        }
        parcast_trace_cursor_close(&cursor);
    }
    parcast_trace_close(&trace);
    return cpu_s() - begin_s;
}

/* Round robin over the ranks, one operation each. */
static double drain(const parcast_operation_source *source)
{
    parcast_error error = {0};
    double begin_s = cpu_s();
    for (int left = source->n_ranks; left > 0;) {
        left = source->n_ranks;
        for (int rank = 0; rank < source->n_ranks; rank++) {
            parcast_operation o;
            check(source->next(source->state, rank, &o, &error), &error);
            left -= o.kind == PARCAST_OPERATION_END;
        }
    }
    return cpu_s() - begin_s;
}

static double replay(const parcast_operation_source *source, double *simulated_s)
{
    char text[256];
    parcast_platform *platform = NULL;
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    int length =
        snprintf(text, sizeof text,
                 "schema: parcast.platform/1\nnodes: [{type: a, count: %d, cores: 1, flop_rate: 1 Gflop/s}]\n"
                 "network: {topology: star, link_latency: 10 us, bandwidth: 1 Gbit/s}\n",
                 source->n_ranks);
    check(parcast_platform_parse(text, (size_t)length, "star", &platform, &error), &error);
    double begin_s = cpu_s();
    check(parcast_replay_run(source, platform, NULL, NULL, NULL, &result, &error), &error);
    double took_s = cpu_s() - begin_s;
    *simulated_s = result->time_s;
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
    return took_s;
}

static void print(const char *format, double n, double open_s, double read_s, double operations_s,
                  double replay_s, double simulated_s, const char *end)
{
    printf("  {\"format\": \"%s\", \"open_ns_per_event\": %.1f, \"read_ns_per_event\": %.1f, "
           "\"operations_ns_per_event\": %.1f, \"replay_ns_per_event\": %.1f, \"messages_per_s\": %.0f, "
           "\"reading_ratio\": %.3f, \"simulated_s\": %.9g}%s\n",
           format, 1e9 * open_s / n, 1e9 * read_s / n, 1e9 * operations_s / n, 1e9 * replay_s / n,
           n / EVENTS * NEIGHBOURS / (open_s + replay_s), (open_s + operations_s) / (open_s + replay_s),
           simulated_s, end);
}

static uint64_t measure_trace(void)
{
    parcast_trace_operations *operations = NULL;
    parcast_error error = {0};
    uint64_t n = 0;
    double simulated_s, read_s = read_events(&n);
    parcast_trace *trace = open_trace();
    check(parcast_trace_operations_create(trace, NULL, 0, &operations, &error), &error);
    parcast_operation_source source = parcast_trace_operations_source(operations);
    double operations_s = drain(&source);
    source = parcast_trace_operations_source(operations);
    double replay_s = replay(&source, &simulated_s);
    print("parcast", (double)n, 0, read_s, operations_s, replay_s, simulated_s, ",");
    parcast_trace_operations_destroy(&operations);
    parcast_trace_close(&trace);
    return n;
}

static void measure_text(uint64_t n)
{
    parcast_trace *trace = open_trace();
    parcast_ti *ti = NULL;
    parcast_trace_losses losses = NULL;
    parcast_error error = {0};
    double simulated_s;
    check(parcast_trace_to_ti(trace, text_path, 1e9, &losses, &error), &error);
    free(losses);
    parcast_trace_close(&trace);
    double begin_s = cpu_s();
    check(parcast_ti_load(text_path, &ti, &error), &error);
    double open_s = cpu_s() - begin_s;
    parcast_operation_source source = parcast_ti_source(ti);
    double operations_s = drain(&source);
    source = parcast_ti_source(ti);
    double replay_s = replay(&source, &simulated_s);
    print("time-independent text", (double)n, open_s, 0, operations_s, replay_s, simulated_s, "");
    parcast_ti_destroy(&ti);
}

int main(int argc, char **argv)
{
    int n_ranks = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 1000;
    int width = 1;
    while (width * width < n_ranks) width++;
    if (argc > 3 || n_ranks < 9 || width * width != n_ranks || steps < 1) {
        fprintf(stderr, "usage: bench_replay [RANKS [STEPS]]   (RANKS: 9, 16, 25, ...)\n");
        return 2;
    }
    if (!mkdtemp(folder)) return 1;
    snprintf(trace_path, sizeof trace_path, "%s/halo.trace", folder);
    snprintf(text_path, sizeof text_path, "%s/halo.ti", folder);
    atexit(remove_files);
    write_trace(n_ranks, steps);
    printf(
        "{\"schema\": \"parcast.bench/1\", \"what\": \"reading in replays\", \"ranks\": %d, \"steps\": %d, "
        "\"runs\": [\n",
        n_ranks, steps);
    measure_text(measure_trace());
    printf("]}\n");
    return 0;
}
