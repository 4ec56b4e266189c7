/*
 * Cost of recording: time that the preload library adds to a call, and memory that it adds to a rank.
 *
 * Runs record_calls once plain, once under the library, once under the library with a trace and, where it is
 * installed for the MPI, once under eztrace, one after the other in the same minute; repeats this and keeps
 * the least time of each kind. Prints one JSON object.
 *
 *   bench_record [ROUNDS [REPETITIONS]]        default 3 rounds of 300 repetitions of 2000 calls
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KINDS = 32, LIMIT_NS = 40, LIMIT_TRACE_NS = 60, LIMIT_BYTES = 16 << 20 };
enum tool { PLAIN, PARCAST, TRACED, EZTRACE, N_TOOLS };

static const struct {
    const char *name, *mpiexec, *eztrace;
} mpis[] = {{"mpich", MPIEXEC_MPICH, "mpich"}, {"openmpi", MPIEXEC_OPENMPI, "openmpi"}};

/* Least over the rounds: ns of a call by kind, or kB of memory. */
struct results {
    char names[MOST_KINDS][32];
    double least[MOST_KINDS];
    size_t n;
};

static void add(struct results *r, const char *name, double value)
{
    size_t i = 0;
    while (i < r->n && strcmp(r->names[i], name) != 0) i++;
    if (i == MOST_KINDS) return;
    if (i == r->n) {
        snprintf(r->names[i], sizeof r->names[i], "%s", name);
        r->least[i] = value;
        r->n++;
    }
    if (value < r->least[i]) r->least[i] = value;
}

static double value_of(const struct results *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->names[i], name) == 0) return r->least[i];
    return -1;
}

/* false: the tool is not there or failed; what it printed is not used. */
static bool run(size_t mpi, enum tool tool, const char *directory, const char *repetitions, struct results *r)
{
    char before[512] = "", between[128] = "", command[2048], name[32];
    double value;
    if (tool == PARCAST || tool == TRACED)
        snprintf(before, sizeof before, "PARCAST_RECORD_DIR=%s PARCAST_RECORD_TRACE=%s LD_PRELOAD=" PRELOAD,
                 directory, tool == TRACED ? "1" : "");
    if (tool == EZTRACE)
        snprintf(between, sizeof between, "eztrace -o %s/eztrace -t %s", directory, mpis[mpi].eztrace);
    snprintf(command, sizeof command,
             "cd %s && env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 %s timeout 300 %s -n 1 "
             "%s " PROGRAM ".%s %s 2>/dev/null",
             directory, before, mpis[mpi].mpiexec, between, mpis[mpi].name, repetitions);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    if (!pipe) return false;
    struct results once = {.n = 0};
    char line[256];
    while (fgets(line, sizeof line, pipe))
        if (sscanf(line, "%31s %lf", name, &value) == 2) add(&once, name, value);
    if (pclose(pipe) != 0 || value_of(&once, "memory_kb") < 0) return false;
    for (size_t i = 0; i < once.n; i++) add(r, once.names[i], once.least[i]);
    return true;
}

static bool has_eztrace(void)
{
    return system("command -v eztrace >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c) */
}

/* What the trace adds holds the statistics, too: they are kept in any case. */
static json_t *compare(const struct results *tools, const bool *there, double *worst_ns,
                       double *worst_trace_ns)
{
    json_t *kinds = json_array();
    for (size_t i = 0; i < tools[PLAIN].n; i++) {
        const char *name = tools[PLAIN].names[i];
        if (strcmp(name, "memory_kb") == 0) continue;
        double plain_ns = tools[PLAIN].least[i], added_ns = value_of(&tools[PARCAST], name) - plain_ns;
        double traced_ns = value_of(&tools[TRACED], name) - plain_ns;
        json_t *kind = json_pack("{s:s, s:f, s:f, s:f}", "call", name, "plain_ns", plain_ns,
                                 "parcast_added_ns", added_ns, "parcast_trace_added_ns", traced_ns);
        if (there[EZTRACE])
            json_object_set_new(kind, "eztrace_added_ns",
                                json_real(value_of(&tools[EZTRACE], name) - plain_ns));
        if (added_ns > *worst_ns) *worst_ns = added_ns;
        if (traced_ns > *worst_trace_ns) *worst_trace_ns = traced_ns;
        json_array_append_new(kinds, kind);
    }
    return kinds;
}

static json_t *measure(size_t mpi, int rounds, const char *repetitions, const char *directory)
{
    struct results tools[N_TOOLS] = {{.n = 0}};
    bool there[N_TOOLS] = {true, true, true, has_eztrace()};
    for (int round = 0; round < rounds; round++)
        for (int tool = PLAIN; tool < N_TOOLS; tool++)
            if (there[tool]) there[tool] = run(mpi, (enum tool)tool, directory, repetitions, &tools[tool]);
    if (!there[PLAIN] || !there[PARCAST] || !there[TRACED]) return NULL;
    double worst_ns = 0, worst_trace_ns = 0;
    json_t *kinds = compare(tools, there, &worst_ns, &worst_trace_ns);
    double memory_bytes =
        1024 * (value_of(&tools[PARCAST], "memory_kb") - value_of(&tools[PLAIN], "memory_kb"));
    double trace_memory_bytes =
        1024 * (value_of(&tools[TRACED], "memory_kb") - value_of(&tools[PLAIN], "memory_kb"));
    return json_pack(
        "{s:s, s:o, s:f, s:b, s:f, s:b, s:f, s:f, s:b, s:b}", "mpi", mpis[mpi].name, "calls", kinds,
        "worst_added_ns", worst_ns, "within_40_ns", worst_ns <= LIMIT_NS, "worst_trace_added_ns",
        worst_trace_ns, "trace_within_60_ns", worst_trace_ns <= LIMIT_TRACE_NS, "added_memory_bytes",
        memory_bytes, "trace_added_memory_bytes", trace_memory_bytes, "within_16_mb",
        memory_bytes < LIMIT_BYTES && trace_memory_bytes < LIMIT_BYTES, "eztrace", there[EZTRACE]);
}

static void remove_directory(const char *directory)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    int status = system(command); /* NOLINT(cert-env33-c) */
    if (status != 0) fprintf(stderr, "bench_record: cannot remove '%s'\n", directory);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 3, failed = 0;
    const char *repetitions = argc > 2 ? argv[2] : "300";
    char directory[] = "/tmp/parcast-bench-XXXXXX";
    double load = -1;
    if (rounds < 1 || !mkdtemp(directory) || getloadavg(&load, 1) != 1) return 1;
    json_t *list = json_array();
    for (size_t mpi = 0; mpi < sizeof mpis / sizeof mpis[0]; mpi++) {
        if (strstr(mpis[mpi].mpiexec, "NOTFOUND")) continue;
        json_t *result = measure(mpi, rounds, repetitions, directory);
        if (result)
            json_array_append_new(list, result);
        else
            fprintf(stderr, "bench_record: record_calls.%s failed\n", mpis[mpi].name), failed = 1;
    }
    json_t *all = json_pack("{s:s, s:f, s:o}", "benchmark", "record", "load_average", load, "mpis", list);
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(all);
    remove_directory(directory);
    return failed;
}
