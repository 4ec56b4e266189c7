/*
 * One node: cores and memory by hwloc, the calibration kernel alone and on all cores, multiply-adds, the
 * triad with more and more cores, and messages through shared memory.
 */
#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "parcast/calibrate.h"
#include "platform/probe_internal.h"
#include "platform/probe_kernels.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double probe_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double probe_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double thread_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One thread per core does the same work at the same time. */
struct team;
typedef void team_work(struct team *team, int member);

struct team {
    hwloc_topology_t topology;
    int n_members;
    team_work *work;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum { TEAM_GATHERS, TEAM_WORKS, TEAM_LEAVES } state;
    pthread_barrier_t barrier;
    double *result; /* [cores] */
    size_t n_doubles;
    bool failed;
    bool emulated; /* the node is a part of this machine's time: one core stands for all of its cores */
};

struct member {
    struct team *team;
    int number;
    pthread_t thread;
};

/* Binding is a help, not a need: where it is not allowed the scheduler spreads the threads. */
void probe_bind_to_core(hwloc_topology_t topology, int number)
{
    hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)number);
    if (!core) core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)number);
    hwloc_bitmap_t one = core ? hwloc_bitmap_dup(core->cpuset) : NULL;
    if (!one) return;
    hwloc_bitmap_singlify(one);
    (void)hwloc_set_cpubind(topology, one, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(one);
}

static void *member_main(void *data)
{
    struct member *m = data;
    struct team *team = m->team;
    probe_bind_to_core(team->topology, m->number);
    pthread_mutex_lock(&team->mutex);
    while (team->state == TEAM_GATHERS) pthread_cond_wait(&team->changed, &team->mutex);
    bool works = team->state == TEAM_WORKS;
    pthread_mutex_unlock(&team->mutex);
    if (works) team->work(team, m->number);
    return NULL;
}

/* Start the members, let them work if all are there, and wait for their end. */
static parcast_status run_members(struct team *team, struct member *members, parcast_error *error)
{
    int started = 0, failed = 0;
    while (started < team->n_members && !failed) {
        members[started].team = team;
        members[started].number = started;
        failed = pthread_create(&members[started].thread, NULL, member_main, &members[started]);
        started += !failed;
    }
    pthread_mutex_lock(&team->mutex);
    team->state = failed ? TEAM_LEAVES : TEAM_WORKS;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->mutex);
    for (int i = 0; i < started; i++) pthread_join(members[i].thread, NULL);
    if (failed)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot start a thread: %s", strerror(failed));
    if (team->failed) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    return PARCAST_OK;
}

/* The work of all members at once; each leaves its result in team->result. */
static parcast_status team_run(struct team *team, team_work *work, parcast_error *error)
{
    /* NOLINTNEXTLINE(clang-analyzer-optin.taint.TaintedAlloc): find_emulated() bounds the cores */
    struct member *members = calloc((size_t)team->n_members, sizeof *members);
    if (!members) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    team->work = work;
    team->failed = false;
    team->state = TEAM_GATHERS;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->changed, NULL);
    pthread_barrier_init(&team->barrier, NULL, (unsigned)team->n_members);
    parcast_status status = run_members(team, members, error);
    pthread_barrier_destroy(&team->barrier);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->mutex);
    free(members);
    return status;
}

static void calibrate_work(struct team *team, int member)
{
    double score[3];
    pthread_barrier_wait(&team->barrier);
    for (size_t i = 0; i < 3; i++) score[i] = parcast_calibrate_core(0.05);
    team->result[member] = probe_median(score, 3);
}

static parcast_status measure_speed(struct team *team, parcast_probe_host *host, parcast_error *error)
{
    team->n_members = 1;
    parcast_status status = team_run(team, calibrate_work, error);
    if (status) return status;
    host->calibration = team->result[0];
    team->n_members = team->emulated ? 1 : host->cores;
    status = team_run(team, calibrate_work, error);
    if (status) return status;
    host->calibration_busy = probe_median(team->result, (size_t)team->n_members);
    if (host->calibration > 0 && host->calibration_busy > 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                             "this system has no clock for the CPU time of a thread");
}

static void flop_work(struct team *team, int member)
{
    enum { PIECES = 21, TURNS = 100000 };
    double rate[PIECES], sum;
    volatile double keep = 0;
    for (size_t i = 0; i < PIECES; i++) {
        double start_s = thread_cpu_s(), flop = kernel_multiply_add(TURNS, &sum);
        rate[i] = flop / (thread_cpu_s() - start_s);
        keep = keep + sum;
    }
    team->result[member] = probe_median(rate, PIECES);
}

/* Arrays of this member; each member writes its own first, so that they lie in its memory. */
static double *touch(struct team *team, size_t n)
{
    double *arrays =
        mmap(NULL, 3 * n * sizeof *arrays, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arrays == MAP_FAILED) {
        team->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < 3 * n; i++) arrays[i] = 1.0;
    return arrays;
}

/* Best of nine, as the STREAM benchmark does: other programs only ever take bandwidth away. */
static void triad_work(struct team *team, int member)
{
    enum { REPETITIONS = 9 };
    size_t n = team->n_doubles / 3 / (size_t)team->n_members;
    double *a = touch(team, n), best = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        pthread_barrier_wait(&team->barrier);
        double start_s = probe_now_s();
        if (a) kernel_triad(a, a + n, a + 2 * n, 3.0, n);
        pthread_barrier_wait(&team->barrier);
        double rate = 24.0 * (double)n * team->n_members / (probe_now_s() - start_s);
        if (rate > best) best = rate;
    }
    team->result[member] = best;
    if (a) munmap(a, 3 * n * sizeof *a);
}

static double last_level_cache_bytes(hwloc_topology_t topology)
{
    double bytes = 0;
    int depth = hwloc_get_type_depth(topology, HWLOC_OBJ_L3CACHE);
    if (depth < 0) depth = hwloc_get_type_depth(topology, HWLOC_OBJ_L2CACHE);
    if (depth < 0) return 32e6;
    for (hwloc_obj_t cache = NULL; (cache = hwloc_get_next_obj_by_depth(topology, depth, cache));)
        bytes += (double)cache->attr->cache.size;
    return bytes;
}

/* Four times the caches, but no more than 384 MB or a quarter of the memory. */
static double triad_bytes(hwloc_topology_t topology, double memory_bytes)
{
    double bytes = fmax(4 * last_level_cache_bytes(topology), 48e6);
    return fmin(bytes, fmin(384e6, memory_bytes / 4));
}

/* 1, 2, 3, 4, 6, 8, 12, ... and all cores. */
static int next_count(int n, int cores)
{
    int next = n < 4 ? n + 1 : (n & (n - 1)) ? n / 3 * 4 : n / 2 * 3;
    return n < cores && next > cores ? cores : next;
}

static parcast_status measure_memory(struct team *team, parcast_probe_host *host, parcast_error *error)
{
    team->n_doubles = (size_t)(triad_bytes(team->topology, host->memory_bytes) / sizeof(double));
    int cores = team->emulated ? 1 : host->cores;
    host->n_memory = 0;
    for (int n = 1; n <= cores && host->n_memory < PARCAST_PROBE_POINTS; n = next_count(n, cores)) {
        team->n_members = n;
        parcast_status status = team_run(team, triad_work, error);
        if (status) return status;
        host->memory_cores[host->n_memory] = n;
        host->memory_bytes_per_s[host->n_memory++] = probe_median(team->result, (size_t)n);
    }
    if (cores == host->cores) return PARCAST_OK;
    /* Each of them has the memory for itself while it runs. */
    host->memory_cores[1] = host->cores;
    host->memory_bytes_per_s[1] = host->cores * host->memory_bytes_per_s[0];
    host->n_memory = 2;
    return PARCAST_OK;
}

enum { MOST_CORES = 1 << 16 };

/* A node that is emulated on a larger machine: hwloc tells about the machine, who emulates about the node. */
static parcast_status find_emulated(struct team *team, parcast_probe_host *host, parcast_error *error)
{

    const char *text = getenv("PARCAST_NODE_CORES");
    if (!text || !*text) return PARCAST_OK;
    char *end;
    long cores = strtol(text, &end, 10);
    if (*end || cores < 1 || cores > MOST_CORES)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "PARCAST_NODE_CORES is '%s', not a number of cores", text);
    team->emulated = true;
    host->cores = (int)cores;
    host->sockets = 1;
    return PARCAST_OK;
}

static parcast_status describe(hwloc_topology_t topology, parcast_probe_host *host, parcast_error *error)
{
    double load[1];
    int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    int units = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    int sockets = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    if (cores < 1) cores = units;
    if (cores < 1)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "hwloc finds no core on this machine");
    host->ranks = 1;
    host->dilation_ratio = 1;
    host->cores = cores;
    host->sockets = sockets > 0 && cores % sockets == 0 ? sockets : 1;
    host->memory_bytes = (double)hwloc_get_root_obj(topology)->total_memory;
    if (host->memory_bytes <= 0)
        host->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    host->load_ratio = getloadavg(load, 1) == 1 ? load[0] / cores : 0;
    if (gethostname(host->name, sizeof host->name - 1) != 0) snprintf(host->name, sizeof host->name, "node");
    host->name[sizeof host->name - 1] = '\0';
    return PARCAST_OK;
}

static parcast_status measure_all(struct team *team, bool processes, parcast_probe_progress *progress,
                                  void *data, parcast_probe_host *host, parcast_error *error)
{
    if (progress) progress("speed of the cores", data);
    parcast_status status = measure_speed(team, host, error);
    if (status) return status;
    team->n_members = 1;
    status = team_run(team, flop_work, error);
    if (status) return status;
    host->flop_rate_flop_per_s = team->result[0];
    if (progress) progress("memory bandwidth", data);
    status = measure_memory(team, host, error);
    if (status) return status;
    if (progress) progress("shared memory", data);
    return probe_shared_memory(team->topology, processes, &host->shared_latency_s,
                               &host->shared_bandwidth_bytes_per_s, error);
}

parcast_status parcast_probe_node(bool processes, parcast_probe_progress *progress, void *data,
                                  parcast_probe_host *host, parcast_error *error)
{
    struct team team = {0};
    parcast_probe_host result = {0};
    if (hwloc_topology_init(&team.topology) != 0 || hwloc_topology_load(team.topology) != 0)
        return parcast_error_set(error, PARCAST_IO, NULL, 0,
                                 "hwloc cannot read the topology of this machine");
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    bool restore = bound && hwloc_get_cpubind(team.topology, bound, HWLOC_CPUBIND_THREAD) == 0;
    (void)hwloc_set_cpubind(team.topology, hwloc_topology_get_allowed_cpuset(team.topology),
                            HWLOC_CPUBIND_THREAD);
    parcast_status status = describe(team.topology, &result, error);
    if (!status) status = find_emulated(&team, &result, error);
    /* NOLINTNEXTLINE(clang-analyzer-optin.taint.TaintedAlloc): find_emulated() bounds the cores */
    if (!status) team.result = calloc((size_t)result.cores, sizeof *team.result);
    if (!status && !team.result) status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) status = measure_all(&team, processes, progress, data, &result, error);
    if (restore) (void)hwloc_set_cpubind(team.topology, bound, HWLOC_CPUBIND_THREAD);
    free(team.result);
    hwloc_bitmap_free(bound);
    hwloc_topology_destroy(team.topology);
    if (!status) *host = result;
    return status;
}
