/*
 * What it costs to be elastic: moves of a run between 2 and 4 ranks on this machine, from the safe point to
 * the next iteration, beside the rate of memcpy in the same run; and safe points, without the supervisor and
 * with it. Prints one JSON object.
 *
 *   bench_elastic [MIB [MOVES]]      256 MiB, 10 moves; ranks are more than the cores of a small machine
 *
 * Published for comparison (Raveendran, Bicer, Agrawal 2011, table II, 618 MB on EC2): 83 to 103 s a move.
 */
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS_BETWEEN = 6 };

static const struct {
    const char *name, *mpiexec;
} mpis[] = {{"mpich", MPIEXEC_MPICH}, {"openmpi", MPIEXEC_OPENMPI}};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t n)
{
    if (n == 0) return 0;
    qsort(values, n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* -------- memcpy by two threads, as two cores do it at best -------- */

struct copy {
    char *to, *from;
    size_t bytes;
};

static void *copy_part(void *context)
{
    const struct copy *copy = context;
    memcpy(copy->to, copy->from, copy->bytes);
    return NULL;
}

static double time_of_copy(char *to, char *from, size_t bytes)
{
    pthread_t thread;
    struct copy half[2] = {{to, from, bytes / 2}, {to + bytes / 2, from + bytes / 2, bytes - bytes / 2}};
    double begin = now_s();
    bool two = pthread_create(&thread, NULL, copy_part, &half[1]) == 0;
    copy_part(&half[0]);
    if (two)
        pthread_join(thread, NULL);
    else
        copy_part(&half[1]);
    return now_s() - begin;
}

static double memcpy_bytes_per_s(size_t bytes)
{
    char *from = malloc(bytes), *to = malloc(bytes);
    double times[5] = {0};
    if (from && to) {
        memset(from, 1, bytes);
        memset(to, 2, bytes);
        for (size_t i = 0; i < 5; i++) times[i] = time_of_copy(to, from, bytes);
    }
    free(from);
    free(to);
    double middle = median(times, 5);
    return middle > 0 ? (double)bytes / middle : 0;
}

/* -------- moves -------- */

static json_t *run_json(const char *command)
{
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    if (!pipe) return NULL;
    json_t *json = json_loadf(pipe, JSON_DISABLE_EOF_CHECK, NULL);
    if (pclose(pipe) == 0) return json;
    json_decref(json);
    return NULL;
}

static double middle(const json_t *events, const char *key, int from)
{
    double values[64];
    size_t n = 0, i;
    const json_t *event;
    json_array_foreach(events, i,
                       event) if (json_integer_value(json_object_get(event, "from_nodes")) == from && n < 64)
        values[n++] = json_real_value(json_object_get(event, key));
    return median(values, n);
}

static json_t *direction(const json_t *events, int from, double bytes, double memcpy_rate)
{
    double pause = middle(events, "pause_s", from), stop = middle(events, "stop_s", from),
           move = middle(events, "move_s", from);
    return json_pack("{sf sf sf sf sf sf sf}", "pause_s", pause, "stop_s", stop, "move_s", move, "launch_s",
                     middle(events, "launch_s", from), "save_bytes_per_s", bytes / stop, "fetch_bytes_per_s",
                     bytes / move, "both_to_memcpy_ratio", 2 * bytes / (stop + move) / memcpy_rate);
}

static json_t *moves(size_t mpi, long mib, long n, const char *how, double memcpy_rate)
{
    char command[4096];
    int length = snprintf(command, sizeof command, PARCAST " run -q --json %s --schedule 0:2", how);
    for (long i = 1; i <= n && length < 3000; i++)
        length += snprintf(command + length, sizeof command - (size_t)length, ",%ld:%d", i * STEPS_BETWEEN,
                           i % 2 ? 4 : 2);
    snprintf(command + length, sizeof command - (size_t)length, " -- %s.%s %ld %ld", PROGRAM, mpis[mpi].name,
             mib, (n + 1) * STEPS_BETWEEN);
    json_t *run = run_json(command);
    if (!run) return json_null();
    const json_t *events = json_object_get(run, "events");
    double bytes = (double)mib * 1048576;
    json_t *result =
        json_pack("{so so sI}", "from_2_to_4", direction(events, 2, bytes, memcpy_rate), "from_4_to_2",
                  direction(events, 4, bytes, memcpy_rate), "moves", (json_int_t)json_array_size(events));
    json_decref(run);
    return result;
}

/* -------- safe points -------- */

static json_t *points(size_t mpi)
{
    static const char *const commands[] = {"%s -n 1 %s.%s points 20000000", "%s -n 2 %s.%s idle 3000 1000"};
    double ns[3] = {0}, ratio[3] = {0};
    for (int i = 0; i < 3; i++) {
        char command[2048], launch[1024];
        snprintf(launch, sizeof launch, i < 2 ? commands[i] : "%s%s.%s idle 3000 1000",
                 i < 2 ? mpis[mpi].mpiexec : PARCAST " run -q --nodes 2 -- ", PROGRAM, mpis[mpi].name);
        snprintf(command, sizeof command, "%s 2>/dev/null", launch);
        FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
        if (!pipe) continue;
        if (fscanf(pipe, "%lf %lf", &ns[i], &ratio[i]) != 2) ns[i] = -1;
        pclose(pipe);
    }
    return json_pack("{sf sf sf sf}", "alone_ns", ns[0], "alone_between_work_ns", ns[1],
                     "supervised_between_work_ns", ns[2], "supervised_share_of_1ms_iterations_ratio",
                     ratio[2]);
}

int main(int argc, char **argv)
{
    long mib = argc > 1 ? atol(argv[1]) : 256, n = argc > 2 ? atol(argv[2]) : 10;
    if (mib < 1 || n < 1 || n > 60) {
        fprintf(stderr, "usage: bench_elastic [MIB [MOVES]]   (at most 60 moves)\n");
        return 2;
    }
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    double rate = memcpy_bytes_per_s((size_t)mib << 20);
    json_t *all = json_pack("{ss sI sf}", "schema", "parcast.bench-elastic/1", "bytes", (json_int_t)mib << 20,
                            "memcpy_bytes_per_s", rate);
    for (size_t i = 0; i < sizeof mpis / sizeof mpis[0]; i++) {
        if (!mpis[i].mpiexec[0] || strstr(mpis[i].mpiexec, "NOTFOUND")) {
            fprintf(stderr, "bench_elastic: %s is not installed\n", mpis[i].name);
            continue;
        }
        json_object_set_new(all, mpis[i].name,
                            json_pack("{so so so so}", "restart", moves(i, mib, n, "", rate), "memory",
                                      moves(i, mib, n, "--engine memory", rate), "restart_without_overlap",
                                      moves(i, mib, n, "--no-overlap", rate), "safe_point", points(i)));
    }
    json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(5));
    putchar('\n');
    json_decref(all);
    return 0;
}
