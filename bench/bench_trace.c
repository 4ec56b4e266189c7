/*
 * Size and speed of traces: bytes an event of the example programs as `parcast record --trace` keeps them,
 * and what it costs to write and to read an event through the library. eztrace records the same programs
 * where it is installed. Prints one JSON object.
 *
 *   bench_trace [EVENTS]        written and read through the library; default 2 million
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parcast/trace.h"

enum { LIMIT_BYTES = 4, RANKS = 4 };

static const struct {
    const char *name, *arguments;
} programs[] = {{"stencil3d", "24 4000"}, {"cg", "4000 8 200"}, {"sort", "2000 3000"}};

static const struct {
    const char *name, *mpiexec;
} mpis[] = {{"mpich", MPIEXEC_MPICH}, {"openmpi", MPIEXEC_OPENMPI}};

static char directory[] = "/tmp/parcast-bench-XXXXXX";

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* What a command prints as JSON; NULL when it fails. */
static json_t *json_of(const char *command)
{
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    if (!pipe) return NULL;
    json_t *json = json_loadf(pipe, JSON_DISABLE_EOF_CHECK, NULL);
    if (pclose(pipe) == 0) return json;
    json_decref(json);
    return NULL;
}

static double bytes_of_eztrace(size_t mpi, size_t program)
{
    char command[1024], answer[64] = "";
    snprintf(command, sizeof command,
             "cd %s && rm -rf ez && env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout "
             "300 %s -n 2 "
             "eztrace -o ez -t %s " EXAMPLES "/%s.%s %s >/dev/null 2>&1; du -sb ez | cut -f 1",
             directory, mpis[mpi].mpiexec, mpis[mpi].name, programs[program].name, mpis[mpi].name,
             programs[program].arguments);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    if (!pipe) return 0;
    bool read = fgets(answer, sizeof answer, pipe) != NULL;
    pclose(pipe);
    return read ? strtod(answer, NULL) : 0;
}

static json_t *measure_program(size_t mpi, size_t program, bool eztrace)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && rm -f s.* && timeout 300 " PARCAST
             " record -q --json --trace -s s.parcast -n 2 -- " EXAMPLES "/%s.%s %s 2>/dev/null",
             directory, programs[program].name, mpis[mpi].name, programs[program].arguments);
    json_t *study = json_of(command);
    json_t *trace = json_object_get(json_array_get(json_object_get(study, "runs"), 0), "trace");
    double bytes = (double)json_integer_value(json_object_get(trace, "bytes"));
    double events = (double)json_integer_value(json_object_get(trace, "n_events"));
    json_decref(study);
    if (!(events > 0)) return NULL;
    json_t *result = json_pack("{s:s, s:s, s:f, s:f, s:b}", "mpi", mpis[mpi].name, "program",
                               programs[program].name, "events", events, "bytes_per_event", bytes / events,
                               "within_4_bytes", bytes <= LIMIT_BYTES * events);
    if (eztrace)
        json_object_set_new(result, "eztrace_bytes_per_event",
                            json_real(bytes_of_eztrace(mpi, program) / events));
    return result;
}

/* Rounds of a halo exchange with times that vary. */
static parcast_status write_halo(parcast_trace_writer *writer, long n_events, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    const int64_t requests[] = {0, 1, 2, 3};
    unsigned random = 1;
    for (long i = 0; i < n_events && !status; i++) {
        parcast_trace_event e;
        int k = (int)(i / RANKS % 5);
        parcast_trace_event_clear(&e, k < 2   ? PARCAST_TRACE_RECV
                                      : k < 4 ? PARCAST_TRACE_SEND
                                              : PARCAST_TRACE_WAITALL);
        random = random * 1664525U + 1013904223U;
        e.compute = k == 4 ? 1e-3 + 1e-9 * (random >> 16) : 1e-9 * (100 + (random >> 28));
        e.call_s = 1e-9 * (500 + (random >> 24));
        if (k == 4) {
            e.requests = requests;
            e.n_requests = 4;
        } else {
            e.start = PARCAST_TRACE_NONBLOCKING;
            e.peer = (int32_t)(i + k) % RANKS;
            e.request = k;
            e.bytes = 8192;
        }
        status = parcast_trace_write(writer, (int32_t)(i % RANKS), &e, error);
    }
    return status;
}

static parcast_status read_all(const char *path, uint64_t *n, parcast_error *error)
{
    parcast_trace *trace = NULL;
    parcast_status status = parcast_trace_open(path, PARCAST_TRACE_WHOLE, &trace, error);
    for (int32_t rank = 0; rank < RANKS && !status; rank++) {
        parcast_trace_cursor *cursor = NULL;
        const parcast_trace_event *event = NULL;
        status = parcast_trace_cursor_open(trace, rank, &cursor, error);
        while (!status && !(status = parcast_trace_next(cursor, &event, error)) && event) (*n)++;
        parcast_trace_cursor_close(&cursor);
    }
    parcast_trace_close(&trace);
    return status;
}

static json_t *measure_library(long n_events)
{
    char path[64];
    parcast_trace_writer *writer = NULL;
    const parcast_trace_meta meta = {.n_ranks = RANKS};
    parcast_error error = {0};
    uint64_t n = 0;
    snprintf(path, sizeof path, "%s/halo.trace", directory);
    double start_ns = cpu_ns();
    parcast_status status = parcast_trace_create(path, &meta, &writer, &error);
    if (!status) status = write_halo(writer, n_events, &error);
    if (!status) status = parcast_trace_finish(&writer, NULL, &error);
    double written_ns = cpu_ns();
    if (!status) status = read_all(path, &n, &error);
    double read_ns = cpu_ns();
    parcast_trace_discard(&writer);
    if (status || n != (uint64_t)n_events) {
        fprintf(stderr, "bench_trace: %s\n", status ? error.text : "events are missing");
        return NULL;
    }
    return json_pack("{s:I, s:f, s:f}", "events", (json_int_t)n, "write_ns_per_event",
                     (written_ns - start_ns) / (double)n, "read_ns_per_event",
                     (read_ns - written_ns) / (double)n);
}

int main(int argc, char **argv)
{
    long n_events = argc > 1 ? strtol(argv[1], NULL, 10) : 2000000;
    bool eztrace = system("command -v eztrace >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c) */
    if (n_events < 1 || !mkdtemp(directory)) return 1;
    json_t *list = json_array(), *library = measure_library(n_events);
    int failed = library == NULL;
    for (size_t mpi = 0; mpi < sizeof mpis / sizeof mpis[0]; mpi++) {
        if (strstr(mpis[mpi].mpiexec, "NOTFOUND")) continue;
        for (size_t program = 0; program < sizeof programs / sizeof programs[0]; program++) {
            json_t *result = measure_program(mpi, program, eztrace);
            if (result)
                json_array_append_new(list, result);
            else
                fprintf(stderr, "bench_trace: %s.%s failed\n", programs[program].name, mpis[mpi].name),
                    failed = 1;
        }
    }
    if (!eztrace) fprintf(stderr, "bench_trace: no eztrace to compare with (Debian: eztrace)\n");
    json_t *all = json_pack("{s:s, s:o*, s:o}", "benchmark", "trace", "library", library, "programs", list);
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(all);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command) != 0 || failed; /* NOLINT(cert-env33-c) */
}
