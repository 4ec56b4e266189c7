/*
 * Two processes that hand flags and chunks to each other through a shared mapping: what an MPI does inside a
 * node, without its overhead. A chunk is copied in by one and out by the other.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/probe_internal.h"

enum {
    LINE = 64,
    CHUNK = 64 * 1024,
    SLOTS = 4,
    BATCHES = 31,
    TRIPS = 200,   /* round trips of a batch */
    TRANSFERS = 9, /* measured transfers */
    CHUNKS = 128   /* of one transfer: 8 MiB */
};

/* Each flag has a cache line of its own. */
struct line {
    _Alignas(LINE) atomic_uint value;
};

struct shared {
    struct line ping, pong, produced, consumed;
    unsigned char slots[SLOTS][CHUNK], source[CHUNK], target[CHUNK];
    hwloc_topology_t topology; /* the peer is bound to the second core, the measuring side to the first */
};

/* Spin shortly, then let others run: the peer may wait for this very core. */
static void wait_for(atomic_uint *flag, unsigned value)
{
    for (unsigned spins = 0; (int)(atomic_load_explicit(flag, memory_order_acquire) - value) < 0; spins++)
        if (spins > 5000) (void)sched_yield();
}

static void echo(struct shared *s)
{
    probe_bind_to_core(s->topology, 1);
    for (unsigned i = 1; i <= BATCHES * TRIPS; i++) {
        wait_for(&s->ping.value, i);
        atomic_store_explicit(&s->pong.value, i, memory_order_release);
    }
    for (unsigned i = 1; i <= TRANSFERS * CHUNKS; i++) {
        wait_for(&s->produced.value, i);
        memcpy(s->target, s->slots[i % SLOTS], CHUNK);
        atomic_store_explicit(&s->consumed.value, i, memory_order_release);
    }
}

static double measure_latency(struct shared *s)
{
    double one_way_s[BATCHES];
    unsigned turn = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start_s = probe_now_s();
        for (int i = 0; i < TRIPS; i++) {
            turn++;
            atomic_store_explicit(&s->ping.value, turn, memory_order_release);
            wait_for(&s->pong.value, turn);
        }
        one_way_s[batch] = (probe_now_s() - start_s) / (2.0 * TRIPS);
    }
    return probe_median(one_way_s, BATCHES);
}

static double measure_bandwidth(struct shared *s)
{
    double bytes_per_s[TRANSFERS];
    unsigned chunk = 0;
    for (int transfer = 0; transfer < TRANSFERS; transfer++) {
        double start_s = probe_now_s();
        for (int i = 0; i < CHUNKS; i++) {
            chunk++;
            if (chunk > SLOTS) wait_for(&s->consumed.value, chunk - SLOTS);
            memcpy(s->slots[chunk % SLOTS], s->source, CHUNK);
            atomic_store_explicit(&s->produced.value, chunk, memory_order_release);
        }
        wait_for(&s->consumed.value, chunk);
        bytes_per_s[transfer] = (double)CHUNKS * CHUNK / (probe_now_s() - start_s);
    }
    return probe_median(bytes_per_s, TRANSFERS);
}

static void *echo_thread(void *data)
{
    echo(data);
    return NULL;
}

static parcast_status measure_with_thread(struct shared *s, double *latency_s, double *bandwidth,
                                          parcast_error *error)
{
    pthread_t thread;
    int failed = pthread_create(&thread, NULL, echo_thread, s);
    if (failed)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot start a thread: %s", strerror(failed));
    *latency_s = measure_latency(s);
    *bandwidth = measure_bandwidth(s);
    pthread_join(thread, NULL);
    return PARCAST_OK;
}

static parcast_status measure_with_process(struct shared *s, double *latency_s, double *bandwidth,
                                           parcast_error *error)
{
    pid_t child = fork();
    if (child < 0)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot start a process: %s", strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        echo(s);
        _exit(0);
    }
    *latency_s = measure_latency(s);
    *bandwidth = measure_bandwidth(s);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return PARCAST_OK;
}

parcast_status probe_shared_memory(hwloc_topology_t topology, bool processes, double *latency_s,
                                   double *bandwidth_bytes_per_s, parcast_error *error)
{
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    memset(s->source, 1, sizeof s->source);
    s->topology = topology;
    probe_bind_to_core(topology, 0);
    parcast_status status = processes ? measure_with_process(s, latency_s, bandwidth_bytes_per_s, error)
                                      : measure_with_thread(s, latency_s, bandwidth_bytes_per_s, error);
    munmap(s, sizeof *s);
    return status;
}
