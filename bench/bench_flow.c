/*
 * Speed of the replay on the flow model, as JSON: messages per CPU second.
 *
 * bench_flow                  every load
 * bench_flow LOAD             one of them, by its name
 * bench_flow trace LOAD       the load as a time-independent trace on stdout, for other simulators
 * bench_flow read FILE        a time-independent trace; the simulated time is printed for comparison
 * bench_flow --path ...       the same, and the critical path followed
 *
 * bench/replay_vs_simgrid runs these loads beside SimGrid.
 *
 * Loads run on a star with one rank a node, 1 Gbit/s and 10 us per link. "even" ranks compute equally long,
 * so that messages of a step begin and end together; "uneven" ones do not, so that every message changes
 * shares on its own. SimGrid SMPI 3.32 on the same kind of core: 115 k messages/s at 64 ranks, 5.35 k at 4096
 * (even).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "parcast/replay.h"
#include "parcast/ti.h"

enum { NEIGHBOURS = 4, OPERATIONS_PER_STEP = 2 * NEIGHBOURS + 2 };

static const struct load {
    const char *name;
    int n_ranks, steps;
    bool uneven, alltoall;
    double target; /* messages/s */
} loads[] = {
    {"halo 64 x 1000 even", 64, 1000, false, false, 1e6},
    {"halo 256 x 200 even", 256, 200, false, false, 0},
    {"halo 1024 x 50 even", 1024, 50, false, false, 0},
    {"halo 4096 x 10 even", 4096, 10, false, false, 2e5},
    {"halo 64 x 200 uneven", 64, 200, true, false, 0},
    {"halo 4096 x 2 uneven", 4096, 2, true, false, 0},
    {"all-to-all 64", 64, 1, false, true, 0},
    {"all-to-all 256", 256, 1, false, true, 0},
    {"all-to-all 1024", 1024, 1, false, true, 0},
};

static bool with_path; /* --path */

struct stream {
    const struct load *load;
    int width;
    int *position; /* [n_ranks] */
};

static void fail(const parcast_error *error)
{
    fprintf(stderr, "bench_flow: %s %s\n", error->text, error->hint);
    exit(1);
}

static int grid_width(int n)
{
    int px = 1;
    for (int d = 1; d * d <= n; d++)
        if (n % d == 0) px = d;
    return px;
}

static int neighbour(const struct stream *s, int rank, int k)
{
    int px = s->width, py = s->load->n_ranks / px, x = rank % px, y = rank / px;
    if (k == 0) return y * px + (x + 1) % px;
    if (k == 1) return y * px + (x + px - 1) % px;
    return (k == 2 ? (y + 1) % py : (y + py - 1) % py) * px + x;
}

/* Of a step: compute, 4 receives, 4 sends, wait. */
static void halo_operation(const struct stream *s, int rank, int position, parcast_operation *o)
{
    int step = position / OPERATIONS_PER_STEP, i = position % OPERATIONS_PER_STEP;
    if (i == 0) {
        o->kind = PARCAST_OPERATION_COMPUTE;
        o->flop =
            1e6 + (s->load->uneven ? (double)((unsigned)(rank * 7919 + step * 104729) % 10007) * 50 : 0);
    } else if (i <= NEIGHBOURS) {
        o->kind = PARCAST_OPERATION_IRECEIVE;
        o->peer = neighbour(s, rank, (i - 1) ^ 1);
    } else if (i <= 2 * NEIGHBOURS) {
        o->kind = PARCAST_OPERATION_ISEND;
        o->peer = neighbour(s, rank, i - 1 - NEIGHBOURS);
    } else {
        o->kind = PARCAST_OPERATION_WAITALL;
        return;
    }
    o->tag = (i - 1) % NEIGHBOURS;
    o->bytes = 10000;
    o->request = (uint32_t)(i - 1);
}

static parcast_status next(void *state, int rank, parcast_operation *o, parcast_error *error)
{
    struct stream *s = state;
    int position = s->position[rank]++;
    (void)error;
    *o = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (s->load->alltoall && position < s->load->steps)
        *o = (parcast_operation){
            .kind = PARCAST_OPERATION_COLLECTIVE, .collective = PARCAST_COLLECTIVE_ALLTOALL, .bytes = 10000};
    if (!s->load->alltoall && position < s->load->steps * OPERATIONS_PER_STEP)
        halo_operation(s, rank, position, o);
    return PARCAST_OK;
}

static parcast_platform *star(int n_ranks)
{
    char text[512];
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nnodes: [{type: a, count: %d, cores: 1, flop_rate: 1e9}]\n"
             "network: {topology: star, link_latency: 1e-5, bandwidth: 1.25e8, envelope: 16, eager_below: 0, "
             "detached_below: 65536}\n",
             n_ranks);
    if (parcast_platform_parse(text, strlen(text), "star", &platform, &error)) fail(&error);
    return platform;
}

static void run(const char *name, const parcast_operation_source *source, double read_s, double target,
                const char *end)
{
    parcast_replay_options options = {.collectives = "naive", .critical_path = with_path};
    parcast_error error = {0};
    parcast_replay_result *result = NULL;
    parcast_platform *platform = star(source->n_ranks);
    double begin = cpu_s();
    if (parcast_replay_run(source, platform, NULL, NULL, &options, &result, &error)) fail(&error);
    double took = cpu_s() - begin, per_s = (double)result->n_messages / took;
    printf("    {\"load\": \"%s\", \"messages\": %llu, \"simulated_s\": %.9f, \"read_s\": %.4f, \"cpu_s\": "
           "%.4f, "
           "\"messages_per_s\": %.0f, "
           "\"target_messages_per_s\": %.0f, \"met\": %s, \"peak_memory_bytes\": %llu}%s\n",
           name, (unsigned long long)result->n_messages, result->time_s, read_s, took, per_s, target,
           per_s >= target ? "true" : "false", (unsigned long long)result->peak_memory_bytes, end);
    parcast_replay_result_destroy(&result);
    parcast_platform_destroy(&platform);
}

static parcast_operation_source source_of(struct stream *s, const struct load *load)
{
    *s = (struct stream){load, grid_width(load->n_ranks), calloc((size_t)load->n_ranks, sizeof(int))};
    if (!s->position) exit(1);
    return (parcast_operation_source){.state = s, .n_ranks = load->n_ranks, .name = load->name, .next = next};
}

static void print_operation(int rank, const parcast_operation *o)
{
    if (o->kind == PARCAST_OPERATION_COMPUTE)
        printf("%d compute %.0f\n", rank, o->flop);
    else if (o->kind == PARCAST_OPERATION_WAITALL)
        printf("%d waitall\n", rank);
    else if (o->kind == PARCAST_OPERATION_COLLECTIVE)
        printf("%d alltoall %lld %lld\n", rank, (long long)o->bytes, (long long)o->bytes);
    else
        printf("%d %s %d %d %lld\n", rank, o->kind == PARCAST_OPERATION_ISEND ? "isend" : "irecv", o->peer,
               o->tag, (long long)o->bytes);
}

static void print_trace(const struct load *load)
{
    struct stream s;
    parcast_operation_source source = source_of(&s, load);
    for (int r = 0; r < load->n_ranks; r++) {
        parcast_operation o;
        printf("%d init\n", r);
        for (next(source.state, r, &o, NULL); o.kind != PARCAST_OPERATION_END;
             next(source.state, r, &o, NULL))
            print_operation(r, &o);
        printf("%d finalize\n", r);
    }
    free(s.position);
}

static void run_load(const struct load *load, const char *end)
{
    struct stream s;
    parcast_operation_source source = source_of(&s, load);
    run(load->name, &source, 0, load->target, end);
    free(s.position);
}

static void run_file(const char *path)
{
    parcast_ti *trace = NULL;
    parcast_error error = {0};
    double begin = cpu_s();
    if (parcast_ti_load(path, &trace, &error)) fail(&error);
    parcast_operation_source source = parcast_ti_source(trace);
    run(path, &source, cpu_s() - begin, 0, "");
    parcast_ti_destroy(&trace);
}

int main(int argc, char **argv)
{
    size_t n = sizeof loads / sizeof loads[0];
    with_path = argc > 1 && strcmp(argv[1], "--path") == 0;
    argc -= with_path;
    argv += with_path;
    bool trace = argc == 3 && strcmp(argv[1], "trace") == 0, file = argc == 3 && strcmp(argv[1], "read") == 0;
    if (argc > 3 || (argc == 3 && !trace && !file)) {
        fprintf(stderr, "usage: bench_flow [--path] [LOAD | trace LOAD | read FILE]\n");
        return 2;
    }
    if (!trace)
        printf("{\"schema\": \"parcast.bench/1\", \"what\": \"replay on the flow model\", \"runs\": [\n");
    if (file) run_file(argv[2]);
    for (size_t i = 0; i < n && !file; i++) {
        if (argc > 1 && strcmp(argv[argc - 1], loads[i].name) != 0) continue;
        if (trace)
            print_trace(&loads[i]);
        else
            run_load(&loads[i], argc == 1 && i + 1 < n ? "," : "");
    }
    if (!trace) printf("]}\n");
    return 0;
}
