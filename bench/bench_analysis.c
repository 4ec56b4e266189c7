/*
 * What it takes to find the least words of a large graph of values: reading it, all candidates and their
 * exact count, for 2, 4, ... 64 parts on one core. The graphs have a million words, each read by ten others
 * in each of a hundred steps: a plane, a block, and a mesh whose points are numbered at random, where no
 * blocks help. Prints one JSON object; exits with 1 when one takes more than a minute.
 *
 *   bench_analysis [WORDS [KIND]]     default 1000000; only the kind with this number (0, 1, 2)
 *
 * There is no peer: partitioners (METIS, KaHyPar) do not count what is sent once and added up on the way.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kept_memory.h"
#include "parcast/threads.h"
#include "parcast/valueflow.h"
#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/tables/tree.h"

enum { READERS = 10, STEPS = 100, MOST_PARTS = 64 };
static const double target_s = 60;

#define BLOCK_READERS                                                                                        \
    {                                                                                                        \
        {-1, 0, 0}, {1, 0, 0},   {0, -1, 0}, {0, 1, 0},   {0, 0, -1},                                        \
        {0, 0, 1},  {-1, -1, 0}, {1, 1, 0},  {0, -1, -1}, {0, 1, 1},                                         \
    }

static const struct kind {
    const char *label;
    int dimensions;
    bool is_shuffled;
    int reader[READERS][3]; /* distances of those that read a point */
} kinds[] = {
    {"stencil in 2 dimensions",
     2,
     false,
     {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}, {0, -2}, {0, 2}}},
    {"stencil in 3 dimensions", 3, false, BLOCK_READERS},
    {"irregular matrix: a mesh in 3 dimensions, numbered at random", 3, true, BLOCK_READERS},
};

/* ---- the file of such a run ---- */

struct graph {
    uint32_t side, n, *number; /* of a point in the order of the mesh; vertices are from 1 */
    uint32_t *slots;
    struct vf_dump_net *nets;
    struct vf_dump_work *work;
    uint64_t n_slots;
};

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * n >> 32);
}

static void number_points(struct graph *g, bool is_shuffled)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < g->n; i++) g->number[i] = i;
    for (uint32_t i = g->n; is_shuffled && i-- > 1;) {
        uint32_t j = random_below(&state, i + 1), other = g->number[i];
        g->number[i] = g->number[j];
        g->number[j] = other;
    }
}

/* The point at a distance; g->n beyond the border. */
static uint32_t neighbour(const struct graph *g, const struct kind *kind, uint32_t point, const int *distance)
{
    int64_t at[3] = {0}, side = g->side, other = 0;
    for (int d = kind->dimensions; d-- > 0; point /= g->side) at[d] = point % g->side;
    for (int d = 0; d < kind->dimensions; d++) {
        at[d] += distance[d];
        if (at[d] < 0 || at[d] >= side) return g->n;
        other = other * side + at[d];
    }
    return (uint32_t)other;
}

/* The set of readers is a way of states of its own, so that none is found to be like another. */
static void add_point(struct graph *g, const struct kind *kind, uint32_t point)
{
    uint64_t head = g->n_slots++;
    g->slots[head] = vf_tree_mark(VF_TREE_ROOT);
    for (int r = 0; r < READERS; r++) {
        uint32_t reader = neighbour(g, kind, point, kind->reader[r]);
        if (reader != g->n) g->slots[g->n_slots++] = g->number[reader] + 1;
    }
    uint32_t last = (uint32_t)g->n_slots - 1;
    g->slots[g->n_slots++] = VF_TREE_NO_WAY;
    g->nets[point] = (struct vf_dump_net){g->number[point] + 1, last > head ? last : 0, STEPS};
    g->work[point] = (struct vf_dump_work){point + 1, 0, (double)READERS * STEPS};
}

static void write_array(FILE *out, const void *records, uint64_t n, size_t size, bool *fine)
{
    *fine = *fine && fwrite(records, size, n, out) == n;
}

static bool write_graph(const struct graph *g, const char *path)
{
    static const char name[8] = "u";
    const struct vf_dump_object objects[2] = {{0},
                                              {.context = 1,
                                               .bytes = (uint64_t)g->n * 8,
                                               .kind = 2,
                                               .words[VF_WORD_SIZES - 1] = {1, g->n + 1},
                                               .name_length = 1}};
    const struct vf_dump_chain none = {0};
    const uint32_t zero[1] = {0};
    struct vf_dump_header header = {.version = VF_DUMP_VERSION,
                                    .complete = VF_DUMP_COMPLETE,
                                    .flop = (uint64_t)g->n * READERS * STEPS,
                                    .values = (uint64_t)g->n * STEPS,
                                    .entries = 1,
                                    .n_objects = 2,
                                    .name_bytes = sizeof name,
                                    .n_vertices = (uint64_t)g->n + 2,
                                    .n_work = g->n,
                                    .n_nets = g->n,
                                    .n_states = g->n_slots,
                                    .n_steps = 1,
                                    .n_chains = 1};
    FILE *out = fopen(path, "wb");
    bool fine = out;
    if (!out) return false;
    memcpy(header.magic, VF_DUMP_MAGIC, sizeof header.magic);
    write_array(out, &header, 1, sizeof header, &fine);
    write_array(out, objects, 2, sizeof *objects, &fine);
    write_array(out, name, 1, sizeof name, &fine);
    write_array(out, g->work, g->n, sizeof *g->work, &fine);
    write_array(out, g->nets, g->n, sizeof *g->nets, &fine);
    write_array(out, g->slots, g->n_slots, sizeof *g->slots, &fine);
    write_array(out, zero, 1, sizeof *zero, &fine);
    write_array(out, &none, 1, sizeof none, &fine);
    return fclose(out) == 0 && fine;
}

static bool make_file(const struct kind *kind, double words, const char *path)
{
    struct graph g = {.side = (uint32_t)lround(pow(words, 1.0 / kind->dimensions)), .n_slots = 1};
    g.n = kind->dimensions == 2 ? g.side * g.side : g.side * g.side * g.side;
    uint64_t most = (uint64_t)g.n * (READERS + 2) + 1;
    g.number = malloc(g.n * sizeof *g.number);
    g.slots = calloc(most, sizeof *g.slots);
    g.nets = malloc(g.n * sizeof *g.nets);
    g.work = malloc(g.n * sizeof *g.work);
    bool fine = g.number && g.slots && g.nets && g.work;
    if (fine) number_points(&g, kind->is_shuffled);
    for (uint32_t i = 0; fine && i < g.n; i++) add_point(&g, kind, i);
    fine = fine && write_graph(&g, path);
    free(g.number);
    free(g.slots);
    free(g.nets);
    free(g.work);
    return fine;
}

/* ---- its analysis ---- */

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool search(const parcast_values *values, json_t *points)
{
    parcast_error error = {0};
    for (size_t p = 2; p <= MOST_PARTS; p *= 2) {
        parcast_flow flow = {0}, block = {0};
        double begin_s = cpu_s();
        if (parcast_values_minimum(values, p, NULL, &flow, &block, &error)) {
            fprintf(stderr, "bench_analysis: %s\n", error.text);
            return false;
        }
        json_array_append_new(points,
                              json_pack("{s:I, s:I, s:I, s:s, s:f}", "p", (json_int_t)p, "words",
                                        (json_int_t)flow.words, "words_block", (json_int_t)block.words,
                                        "decomposition", flow.decomposition, "cpu_s", cpu_s() - begin_s));
        parcast_flow_clear(&flow);
        parcast_flow_clear(&block);
    }
    return true;
}

/* NULL when it fails. */
static json_t *measure(const struct kind *kind, double words, const char *path, bool *met)
{
    parcast_values *values = NULL;
    parcast_values_summary summary;
    parcast_error error = {0};
    if (!make_file(kind, words, path)) {
        fprintf(stderr, "bench_analysis: cannot write '%s'\n", path);
        return NULL;
    }
    double begin_s = cpu_s();
    if (parcast_values_load(path, &values, &error)) {
        fprintf(stderr, "bench_analysis: %s\n", error.text);
        return NULL;
    }
    double load_s = cpu_s() - begin_s;
    json_t *points = json_array();
    parcast_values_summarise(values, &summary);
    bool found = search(values, points);
    parcast_values_destroy(&values);
    double all_s = cpu_s() - begin_s;
    *met = *met && found && all_s <= target_s;
    json_t *row = json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:b, s:o}", "graph", kind->label, "vertices",
                            (json_int_t)summary.vertices, "pins", (json_int_t)summary.edges, "load_s", load_s,
                            "cpu_s", all_s, "target_s", target_s, "met", all_s <= target_s, "points", points);
    if (found) return row;
    json_decref(row);
    return NULL;
}

int main(int argc, char **argv)
{
    double words = argc > 1 ? strtod(argv[1], NULL) : 1e6;
    size_t only = argc > 2 ? strtoul(argv[2], NULL, 10) : SIZE_MAX, n = sizeof kinds / sizeof *kinds;
    char path[] = "/tmp/parcast-bench-XXXXXX";
    kept_memory_begin(argv); /* as `estimate` does */
    parcast_threads_limit(1);
    int file = mkstemp(path);
    bool met = true, fine = file >= 0;
    json_t *rows = json_array();
    if (!(words >= 1000 && words <= 1e8)) {
        fprintf(stderr, "usage: bench_analysis [WORDS [KIND]]   (1000 to 100000000 words)\n");
        return 2;
    }
    if (file >= 0) close(file);
    for (size_t i = 0; fine && i < n; i++) {
        if (only < n && i != only) continue;
        json_t *row = measure(&kinds[i], words, path, &met);
        fine = row;
        if (row) json_array_append_new(rows, row);
    }
    if (file >= 0) unlink(path);
    json_t *result = json_pack("{s:s, s:o}", "benchmark", "analysis", "graphs", rows);
    json_dumpf(result, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(4));
    putchar('\n');
    json_decref(result);
    return fine && met ? 0 : 1;
}
