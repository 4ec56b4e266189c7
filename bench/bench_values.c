/*
 * What it costs to trace values: CPU time of kernels compiled by `parcast cc --values` over that of clang's
 * -O2, and memory of the run time's tables beside the program's own; and of the six workloads of 100 steps
 * (the matrix product has none) all of `parcast estimate`: its runs (counting_s: as it was written, and with
 * operations of some steps counted; followed_s: with a few steps followed), reading the values (load_s), and
 * the search for 2, 4, 8 and 16 parts (search_s). Prints one JSON object; exits with 1 when one
 * misses its target.
 *
 *   bench_values [REPETITIONS [ROWS]]   of each program; default 3, the fastest counts; only rows with ROWS
 * in their names
 *
 * Peers measure other things and are not in Debian: DiscoPoP's dependence profiler reports a mean slowdown of
 * 86, DataFlowSanitizer with origins about 10.
 */
#include <fcntl.h>
#include <jansson.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kept_memory.h"
#include "parcast/valueflow.h"

/* Targets as CPU time over plain CPU time, and bytes; 0 for none. */
static const struct kernel {
    const char *label, *source, *arguments[4];
    double most_ratio, most_mb;
    bool is_estimated; /* a program of examples/sequential, run as `parcast estimate` does */
} kernels[] = {
    {"stencil 512 x 512, 40 steps", "heat2d_copyback", {"512", "40"}, 50, 0, false},
    {"stencil 512 x 512, 40 steps, arrays swapped", "heat2d_swap", {"512", "40"}, 50, 0, false},
    {"sparse matrix-vector 65536, 20 steps", "spmv_laplacian", {"256", "20"}, 60, 0, false},
    {"matrix product 256", "matmul_ijk", {"256"}, 50, 40, false},
    {"matrix product 512", "matmul_ijk", {"512"}, 50, 200, false},
    {"hydrodynamics 10^3, 5 steps", "hydro", {"10", "5"}, 150, 0, false},
    {"hydrodynamics 16^3, 5 steps", "hydro", {"16", "5"}, 150, 0, false},
    {"matrix product in all", "matmul", {"256"}, 10, 0, true},
    {"heat2d, 100 steps in all", "heat2d", {"512", "100"}, 10, 0, true},
    {"stencil3d, 100 steps in all", "stencil3d", {"64", "100"}, 10, 0, true},
    {"conjugate gradients, 100 steps in all", "cg", {"60000", "8", "4"}, 10, 0, true},
    {"k-means, 100 steps in all", "kmeans", {"20000", "8", "100"}, 10, 0, true},
    {"hydrodynamics, 100 steps in all", "hydro", {"16", "100"}, 10, 0, true},
};

struct outcome {
    double cpu_s;                                    /* in all */
    double counting_s, followed_s, load_s, search_s; /* of that the phases of an estimate */
    long peak_kb;
    uint64_t iterations, followed; /* of a program that was scaled; 0 */
};

static char folder[] = "/tmp/parcast-bench-XXXXXX";

/* `files`: what stands for the program's source. */
static bool run_shell(const char *command, const char *files, const char *program, const char *kind)
{
    char text[2048];
    snprintf(text, sizeof text, "%s %s -o %s/%s.%s -lm", command, files, folder, program, kind);
    return system(text) == 0; /* NOLINT(cert-env33-c) */
}

static bool compile(const struct kernel *kernel)
{
    char files[512];
    bool is_cxx = strcmp(kernel->source, "hydro") == 0;
    bool is_example = is_cxx || kernel->is_estimated;
    if (is_cxx)
        snprintf(files, sizeof files, "-I" EXAMPLES "/hydro " EXAMPLES "/hydro/*.cpp");
    else
        snprintf(files, sizeof files, "%s/%s.c", is_example ? EXAMPLES : KERNELS, kernel->source);
    const char *plain =
        is_cxx ? "clang++-19 -O2 -ffp-contract=off -I" INCLUDE : "clang-19 -O2 -ffp-contract=off -I" INCLUDE;
    const char *values = is_cxx       ? PARCAST " c++ --values"
                         : is_example ? PARCAST " cc --values"
                                      : PARCAST " cc --values --region kernel";
    return run_shell(plain, files, kernel->source, "plain") &&
           run_shell(values, files, kernel->source, "values");
}

static void start(const struct kernel *kernel, const char *kind, const char *values)
{
    char path[256];
    const char *argv[6] = {path};
    int null = open("/dev/null", O_WRONLY);
    snprintf(path, sizeof path, "%s/%s.%s", folder, kernel->source, kind);
    for (int i = 0; i < 4 && kernel->arguments[i]; i++) argv[i + 1] = kernel->arguments[i];
    if (null >= 0) dup2(null, STDOUT_FILENO);
    if (values) setenv("PARCAST_VALUES", values, 1);
    execv(path, (char *const *)argv);
    _exit(127);
}

static bool run_once(const struct kernel *kernel, const char *kind, const char *values,
                     struct outcome *outcome)
{
    struct rusage usage;
    int status;
    malloc_trim(0); /* what is kept here would count as the most that the child has had */
    pid_t child = fork();
    if (child == 0) start(kernel, kind, values);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status) return false;
    outcome->cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    outcome->peak_kb = usage.ru_maxrss;
    return true;
}

static bool run_fastest(const struct kernel *kernel, const char *kind, const char *values, int repetitions,
                        struct outcome *best)
{
    for (int i = 0; i < repetitions; i++) {
        struct outcome one;
        if (!run_once(kernel, kind, values, &one)) return false;
        if (i == 0 || one.cpu_s < best->cpu_s) *best = one;
    }
    return true;
}

static bool summarise(const char *path, parcast_values_summary *summary)
{
    parcast_values *graph = NULL;
    if (parcast_values_load(path, &graph, NULL)) return false;
    parcast_values_summarise(graph, summary);
    parcast_values_destroy(&graph);
    return true;
}

static double own_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool search(const parcast_values *graph)
{
    bool found = true;
    for (size_t p = 2; found && p <= 16; p *= 2) {
        parcast_flow flow = {0}, block = {0};
        found = !parcast_values_minimum(graph, p, NULL, &flow, &block, NULL);
        parcast_flow_clear(&flow);
        parcast_flow_clear(&block);
    }
    return found;
}

static bool run_estimate(const struct kernel *kernel, struct outcome *outcome,
                         parcast_values_summary *summary)
{
    char path[256];
    const char *argv[6] = {path};
    const parcast_values_options options = {.to_stderr = true};
    parcast_values_run run;
    parcast_values *graph = NULL;
    snprintf(path, sizeof path, "%s/%s.values", folder, kernel->source);
    for (int i = 0; i < 4 && kernel->arguments[i]; i++) argv[i + 1] = kernel->arguments[i];
    double begin_s = own_cpu_s();
    *outcome = (struct outcome){0};
    if (parcast_values_trace((char *const *)argv, &options, &graph, &run, NULL)) return false;
    parcast_values_summarise(graph, summary);
    double loaded_s = own_cpu_s();
    bool found = search(graph);
    parcast_values_destroy(&graph);
    double end_s = own_cpu_s();
    *outcome = (struct outcome){.cpu_s = run.runs_s + end_s - begin_s,
                                .counting_s = run.counting_s,
                                .followed_s = run.runs_s - run.counting_s,
                                .load_s = loaded_s - begin_s,
                                .search_s = end_s - loaded_s,
                                .iterations = run.iterations,
                                .followed = run.followed};
    return found;
}

static bool run_followed(const struct kernel *kernel, int repetitions, struct outcome *traced,
                         parcast_values_summary *summary)
{
    char values[256];
    if (kernel->is_estimated) return run_estimate(kernel, traced, summary);
    snprintf(values, sizeof values, "%s/values", folder);
    return run_fastest(kernel, "values", values, repetitions, traced) && summarise(values, summary);
}

/* NULL when the kernel cannot be compiled or run. */
static json_t *measure(const struct kernel *kernel, int repetitions, bool *met)
{
    struct outcome plain = {0}, traced = {0};
    parcast_values_summary summary;
    if (!compile(kernel) || !run_fastest(kernel, "plain", NULL, repetitions, &plain) ||
        !run_followed(kernel, repetitions, &traced, &summary))
        return NULL;
    double ratio = traced.cpu_s / plain.cpu_s,
           mb = traced.peak_kb ? (double)(traced.peak_kb - plain.peak_kb) / 1024 : 0;
    bool fine = (kernel->most_ratio <= 0 || ratio <= kernel->most_ratio) &&
                (kernel->most_mb <= 0 || mb <= kernel->most_mb);
    *met = *met && fine;
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:b}",
                     "kernel", kernel->label, "plain_s", plain.cpu_s, "traced_s", traced.cpu_s, "counting_s",
                     traced.counting_s, "followed_s", traced.followed_s, "load_s", traced.load_s, "search_s",
                     traced.search_s, "iterations", (json_int_t)traced.iterations, "followed",
                     (json_int_t)traced.followed, "ratio", ratio, "target_ratio", kernel->most_ratio,
                     "memory_mb", mb, "target_mb", kernel->most_mb, "values", (json_int_t)summary.values,
                     "edges", (json_int_t)summary.edges, "met", fine);
}

int main(int argc, char **argv)
{
    int repetitions = argc > 1 ? atoi(argv[1]) : 3;
    bool met = true;
    kept_memory_begin(argv); /* as `estimate` does */
    json_t *rows = json_array();
    if (repetitions < 1 || !mkdtemp(folder)) return 1;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (argc > 2 && !strstr(kernels[i].label, argv[2])) continue;
        json_t *row = measure(&kernels[i], repetitions, &met);
        if (!row) {
            fprintf(stderr, "bench_values: '%s' cannot be compiled or run (Debian: clang-19 llvm-19-dev)\n",
                    kernels[i].source);
            return 1;
        }
        json_array_append_new(rows, row);
    }
    json_t *result = json_pack("{s:s, s:o}", "benchmark", "values", "kernels", rows);
    json_dumpf(result, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(4));
    putchar('\n');
    json_decref(result);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && met ? 0 : 1; /* NOLINT(cert-env33-c) */
}
