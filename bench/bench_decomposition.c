/*
 * Time to find the least words of a program: reading the graph, and the portfolio of decompositions for each
 * number of parts, with the distance of the least words from those of the known blocks. The kernels are those
 * of the tests. Prints one JSON object.
 *
 *   bench_decomposition [PARTS]        largest number of parts; default 16
 *
 * There is no peer to run: CommAnalyzer has published no program.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kept_memory.h"
#include "parcast/valueflow.h"

/* Words of the reference blocks for px x py parts; see tests/data/valueflow_cases.json. */
static double heat(double n, double steps, double px, double py)
{
    return 2 * steps * n * (px + py - 2);
}
static double product(double n, double steps, double px, double py)
{
    (void)steps;
    return n * n * (px + py - 2);
}

static const struct {
    const char *kernel;
    int size, steps;
    double (*words)(double, double, double, double);
} cases[] = {
    {"heat2d_swap", 128, 10, heat}, {"heat2d_swap", 512, 4, heat},   {"spmv_laplacian", 128, 10, heat},
    {"matmul_ijk", 64, 1, product}, {"matmul_ijk", 192, 1, product},
};

static double wall_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static parcast_values *follow(const char *folder, size_t i, parcast_error *error)
{
    char program[256], size[16], steps[16], command[1024];
    parcast_values *values = NULL;
    parcast_values_run run;
    parcast_values_options options = {.to_stderr = true, .whole = true};
    snprintf(program, sizeof program, "%s/%s", folder, cases[i].kernel);
    snprintf(size, sizeof size, "%d", cases[i].size);
    snprintf(steps, sizeof steps, "%d", cases[i].steps);
    snprintf(command, sizeof command, PARCAST " cc --values --region kernel " KERNELS "/%s.c -o %s -lm",
             cases[i].kernel, program);
    if (system(command)) { /* NOLINT(cert-env33-c) */
        parcast_error_set(error, PARCAST_DATA, cases[i].kernel, 0, "does not compile");
        return NULL;
    }
    char *const argv[] = {program, size, steps, NULL};
    return parcast_values_trace(argv, &options, &values, &run, error) ? NULL : values;
}

/* p = side x side parts. */
static json_t *measure(const parcast_values *values, size_t i, int side, parcast_error *error)
{
    parcast_flow flow, block;
    double begin_s = wall_s();
    if (parcast_values_minimum(values, (size_t)side * (size_t)side, NULL, &flow, &block, error)) return NULL;
    double time_s = wall_s() - begin_s, reference = cases[i].words(cases[i].size, cases[i].steps, side, side);
    json_t *result =
        json_pack("{s:i, s:f, s:f, s:s}", "parts", side * side, "time_s", time_s, "words_over_blocks_ratio",
                  (double)flow.words / reference, "decomposition", flow.decomposition);
    parcast_flow_clear(&flow);
    parcast_flow_clear(&block);
    return result;
}

static json_t *bench(const char *folder, size_t i, int parts, parcast_error *error)
{
    parcast_values *values = follow(folder, i, error);
    if (!values) return NULL;
    parcast_values_summary summary;
    parcast_values_summarise(values, &summary);
    json_t *points = json_array(), *point = NULL;
    for (int side = 2; side * side <= parts && (side == 2 || point); side *= 2)
        if ((point = measure(values, i, side, error))) json_array_append_new(points, point);
    parcast_values_destroy(&values);
    return json_pack("{s:s, s:i, s:I, s:I, s:o}", "kernel", cases[i].kernel, "size", cases[i].size,
                     "vertices", (json_int_t)summary.vertices, "pins", (json_int_t)summary.edges, "points",
                     points);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/parcast-bench-XXXXXX", command[64];
    int parts = argc > 1 ? atoi(argv[1]) : 16, status = 0;
    json_t *results = json_array();
    parcast_error error = {0};
    kept_memory_begin(argv); /* as `estimate` does */
    if (parts < 4 || parts > 1024 || !mkdtemp(folder)) {
        fputs("usage: bench_decomposition [PARTS]   (4 to 1024)\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && !error.code; i++) {
        json_t *result = bench(folder, i, parts, &error);
        if (result) json_array_append_new(results, result);
    }
    if (error.code) {
        fprintf(stderr, "bench_decomposition: %s: %s\n", error.source, error.text);
        status = 1;
    }
    json_t *object = json_pack("{s:s, s:o}", "schema", "parcast.bench/1", "cases", results);
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) status = 1; /* NOLINT(cert-env33-c) */
    return status;
}
