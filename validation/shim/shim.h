/**
 * The shim of an emulated node: a preload library that makes one rank as slow as its node is to be, and that
 * keeps waiting ranks from taking the cores that the others compute on.
 *
 *     program -> dilate.c -> (recorder of parcast) -> MPI library -> polite.c, delay.c -> kernel
 *
 * It uses no mpi.h: calls are forwarded as words, as the recorder does, and with its table of functions. Set
 * up by environment variables, which validation/cluster sets for every node:
 *
 *     CLUSTER_SPEED        speed of the node against this machine, 0 < speed <= 1; without it the shim is
 * inert CLUSTER_SLEEP        1: computing that a program declares (below) is slept, not done
 *     CLUSTER_LATENCY_NS   added to every message to another node
 *     CLUSTER_REPORT_DIR   folder for a line about every rank: how late it was
 */
#ifndef PARCAST_CLUSTER_SHIM_H
#define PARCAST_CLUSTER_SHIM_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

/* What the thread is in, as far as waiting goes. */
enum shim_state {
    OUTSIDE, /* not in MPI, or not the thread that initialised it */
    PASSING, /* in a call that returns by itself */
    WAITING, /* in a call that other ranks may keep waiting */
};

extern _Thread_local enum shim_state shim_state
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** Settings, read when the library is loaded. */
struct shim_settings {
    double speed; /* 0: inert */
    bool sleeps;
    int64_t latency_ns;
    const char *report; /* folder or NULL */
};
extern struct shim_settings shim_settings __attribute__((visibility("hidden")));

static inline int64_t shim_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/** Sleep until a time of the monotonic clock. */
void shim_sleep_until(int64_t due_ns);

/** Has the delayed line of a socket no room? (delay.c) */
bool delay_is_full(int file) __attribute__((visibility("hidden")));
/** File descriptor that is readable once a full line has room again; -1: there are no delays. */
int delay_room(void) __attribute__((visibility("hidden")));

/**
 * For programs that can do without their computing: the next gap between two MPI calls counts as cpu_s
 * seconds of this machine's CPU, whatever it really takes.
 *
 * @return true: done, the time will be slept; false: this is not a run with sleeps, compute
 */
__attribute__((visibility("default"))) bool parcast_cluster_compute(double cpu_s);

#endif
