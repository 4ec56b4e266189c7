/*
 * What it costs to be elastic: moves of a run between 2 and 4 ranks on this machine, from the safe point to
 * the next iteration, as a time line; and safe points, without the supervisor and with it. Prints one JSON
 * object.
 *
 *   bench_elastic [MIB [MOVES]]      256 MiB, 10 moves; ranks are more than the cores of a small machine
 *
 * All times are medians over the moves of one direction. Time line of a move:
 *
 *   stop_s   safe point -> the data can be fetched: the old ranks hold still; without overlap a checkpoint is
 *            committed
 *   wait_s   the rest of the launch or of spawning, retiring, and messages
 *   move_s   word to begin -> every rank has its part
 *   copy_s   of that, copying on the slowest rank
 *   pause_s  safe point -> next iteration: stop_s + wait_s + move_s; pause_least_s and pause_most_s beside it
 *   launch_s launching or spawning, while the program computes; where ranks are retired in memory, retiring
 *
 * Rates count each byte of the array once: copy_bytes_per_s over copy_s, data_bytes_per_s over stop_s +
 * move_s, which is everything that has to do with data. They are held against memcpy of as many bytes by two
 * threads at once, the median of five, before or after that run, whichever is faster:
 *
 *   memcpy_bytes_per_s        both sides touched before, as the arrays of ranks that wait for a restart are
 *   memcpy_fresh_bytes_per_s  to new memory, its first touch with huge pages included: what a move without
 *                             preparation would have to be held against
 *
 * Published for comparison (Raveendran, Bicer, Agrawal 2011, table II, 618 MB on EC2): 83 to 103 s a move.
 */
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure.h"

/* So many iterations take longer than a launch, and than a checkpoint behind the run. */
enum { STEPS_BETWEEN = 40 };

static const struct {
    const char *name, *mpiexec;
} mpis[] = {{"mpich", MPIEXEC_MPICH}, {"openmpi", MPIEXEC_OPENMPI}};

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
    double begin = wall_s();
    bool two = pthread_create(&thread, NULL, copy_part, &half[1]) == 0;
    copy_part(&half[0]);
    if (two)
        pthread_join(thread, NULL);
    else
        copy_part(&half[1]);
    return wall_s() - begin;
}

static char *reserve(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* 0 without memory. */
static double memcpy_bytes_per_s(size_t bytes, bool fresh)
{
    char *from = reserve(bytes), *to = reserve(bytes);
    double times[5] = {0};
    for (size_t i = 0; i < 5 && from && to; i++) {
        if (i == 0) memset(from, 1, bytes);
        if (i == 0 && !fresh) memset(to, 2, bytes);
        times[i] = time_of_copy(to, from, bytes);
        if (!fresh) continue;
        munmap(to, bytes);
        to = reserve(bytes);
    }
    if (from) munmap(from, bytes);
    if (to) munmap(to, bytes);
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

struct rates {
    double warm, fresh;
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The better of before and after what is held against it: what else runs on the machine must not make us look
 * good. */
static void measure_memcpy(size_t bytes, struct rates *rates)
{
    rates->warm = larger(rates->warm, memcpy_bytes_per_s(bytes, false));
    rates->fresh = larger(rates->fresh, memcpy_bytes_per_s(bytes, true));
}

static double value(const json_t *event, const char *key)
{
    return json_number_value(json_object_get(event, key));
}

static double wait_of(const json_t *event)
{
    return value(event, "pause_s") - value(event, "stop_s") - value(event, "move_s");
}

static double middle(const json_t *events, const char *key, int from)
{
    double values[64];
    size_t n = 0, i;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (json_integer_value(json_object_get(event, "from_nodes")) != from || n == 64) continue;
        values[n++] = strcmp(key, "wait_s") == 0 ? wait_of(event) : value(event, key);
    }
    return n ? median(values, n) : 0;
}

/* The least, or the longest, pause of a direction. */
static double extreme_pause(const json_t *events, int from, bool longest)
{
    double found = NAN;
    size_t i;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (json_integer_value(json_object_get(event, "from_nodes")) != from) continue;
        double pause = value(event, "pause_s");
        if (isnan(found) || (longest ? pause > found : pause < found)) found = pause;
    }
    return found;
}

static json_t *direction(const json_t *events, int from, double bytes, const struct rates *rates)
{
    static const char *const keys[] = {"stop_s", "wait_s", "move_s", "copy_s", "pause_s", "launch_s"};
    double copy = bytes / middle(events, "copy_s", from),
           data = bytes / (middle(events, "stop_s", from) + middle(events, "move_s", from));
    json_t *all = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_object_set_new(all, keys[i], json_real(middle(events, keys[i], from)));
    json_object_set_new(all, "pause_least_s", json_real(extreme_pause(events, from, false)));
    json_object_set_new(all, "pause_most_s", json_real(extreme_pause(events, from, true)));
    json_object_set_new(all, "copy_bytes_per_s", json_real(copy));
    json_object_set_new(all, "data_bytes_per_s", json_real(data));
    json_object_set_new(all, "copy_to_memcpy_ratio", json_real(copy / rates->warm));
    json_object_set_new(all, "data_to_memcpy_ratio", json_real(data / rates->warm));
    json_object_set_new(all, "copy_to_fresh_memcpy_ratio", json_real(copy / rates->fresh));
    return all;
}

static void tell(size_t mpi, const char *how, const json_t *events)
{
    size_t i;
    const json_t *event;
    fprintf(stderr, "%s %s: phases of each move, when they begin, in milliseconds\n", mpis[mpi].name,
            how[0] ? how : "--engine restart");
    json_array_foreach(events, i, event)
    {
        double stop = 1e3 * value(event, "stop_s"), wait = 1e3 * wait_of(event),
               move = 1e3 * value(event, "move_s");
        fprintf(stderr,
                "  %lld -> %lld ranks: 0 stop | %.1f wait | %.1f move (copy %.1f) | %.1f next iteration\n",
                json_integer_value(json_object_get(event, "from_nodes")),
                json_integer_value(json_object_get(event, "to_nodes")), stop, stop + wait,
                1e3 * value(event, "copy_s"), stop + wait + move);
    }
}

/* Null where moves are not made so. */
static json_t *moves(size_t mpi, long mib, long n, const char *how)
{
    const size_t bytes = (size_t)mib << 20;
    struct rates rates = {0, 0};
    char command[4096];
    measure_memcpy(bytes, &rates);
    int length = snprintf(command, sizeof command, PARCAST " run -q --json %s --schedule 0:2", how);
    for (long i = 1; i <= n && length < 3000; i++)
        length += snprintf(command + length, sizeof command - (size_t)length, ",%ld:%d", i * STEPS_BETWEEN,
                           i % 2 ? 4 : 2);
    snprintf(command + length, sizeof command - (size_t)length, " -- %s.%s %ld %ld", PROGRAM, mpis[mpi].name,
             mib, (n + 1) * STEPS_BETWEEN);
    json_t *run = run_json(command);
    if (!run) return json_null();
    const json_t *events = json_object_get(run, "events");
    measure_memcpy(bytes, &rates);
    tell(mpi, how, events);
    json_t *result = json_null();
    if (json_is_true(json_object_get(json_array_get(events, 0), "in_memory")) ==
        (strstr(how, "memory") != NULL))
        result = json_pack("{sf sf so so sI}", "memcpy_bytes_per_s", rates.warm, "memcpy_fresh_bytes_per_s",
                           rates.fresh, "from_2_to_4", direction(events, 2, (double)bytes, &rates),
                           "from_4_to_2", direction(events, 4, (double)bytes, &rates), "moves",
                           (json_int_t)json_array_size(events));
    json_decref(run);
    return result;
}

/* -------- safe points -------- */

/* Median of three: nanoseconds of a safe point, and its part of the time. */
static void point(const char *launch, double *ns, double *ratio)
{
    double each[3] = {0}, part[3] = {0};
    for (int i = 0; i < 3; i++) {
        char command[2048];
        snprintf(command, sizeof command, "%s 2>/dev/null", launch);
        FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
        if (!pipe) continue;
        if (fscanf(pipe, "%lf %lf", &each[i], &part[i]) != 2) each[i] = part[i] = -1;
        pclose(pipe);
    }
    *ns = median(each, 3);
    *ratio = median(part, 3);
}

static json_t *points(size_t mpi)
{
    static const char *const what[] = {"points 20000000", "idle 2000 1000"};
    static const char *const how[] = {"", "", "", "--engine memory "};
    double ns[4], ratio[4];
    for (int i = 0; i < 4; i++) {
        char launch[1024];
        if (i < 2)
            snprintf(launch, sizeof launch, "%s -n %d %s.%s %s", mpis[mpi].mpiexec, i + 1, PROGRAM,
                     mpis[mpi].name, what[i]);
        else
            snprintf(launch, sizeof launch, PARCAST " run -q --nodes 2 %s-- %s.%s %s", how[i], PROGRAM,
                     mpis[mpi].name, what[1]);
        point(launch, &ns[i], &ratio[i]);
    }
    return json_pack("{sf sf sf sf sf sf}", "alone_ns", ns[0], "alone_between_work_ns", ns[1],
                     "supervised_between_work_ns", ns[2], "supervised_share_of_1ms_iterations_ratio",
                     ratio[2], "memory_between_work_ns", ns[3], "memory_share_of_1ms_iterations_ratio",
                     ratio[3]);
}

static json_t *everything(size_t mpi, long mib, long n)
{
    json_t *all = json_object();
    json_object_set_new(all, "restart", moves(mpi, mib, n, ""));
    json_object_set_new(all, "memory", moves(mpi, mib, n, "--engine memory"));
    json_object_set_new(all, "restart_without_overlap", moves(mpi, mib, n, "--no-overlap"));
    json_object_set_new(all, "safe_point", points(mpi));
    return all;
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
    json_t *all = json_pack("{ss sI}", "schema", "parcast.bench-elastic/3", "bytes", (json_int_t)mib << 20);
    for (size_t i = 0; i < sizeof mpis / sizeof mpis[0]; i++) {
        if (!mpis[i].mpiexec[0] || strstr(mpis[i].mpiexec, "NOTFOUND"))
            fprintf(stderr, "bench_elastic: %s is not installed\n", mpis[i].name);
        else
            json_object_set_new(all, mpis[i].name, everything(i, mib, n));
    }
    json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(5));
    putchar('\n');
    json_decref(all);
    return 0;
}
