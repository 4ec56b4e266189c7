/**
 * A resize in memory that is prepared while the program computes: ranks are spawned and join the others in a
 * communicator of their own, and memory for the arrays of the new size is made and touched. What is left for
 * the safe point is the copy. A thread does it, which needs MPI_THREAD_MULTIPLE to spawn; without that
 * `elastic_ahead_finish` does it, and the program waits.
 */
#ifndef PARCAST_ELASTIC_AHEAD_H
#define PARCAST_ELASTIC_AHEAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "elastic/mpi/internal.h"

typedef struct elastic_ahead {
    const parcast_elastic *e;
    parcast_elastic next; /* what it becomes: communicators, ranks, weights; its items are its own */
    MPI_Comm inter;       /* to the group that was spawned; null if there is none */
    bool growing, threaded;
    pthread_t thread;
    atomic_bool done; /* all that this rank has to do; on rank 0: and those that were spawned are ready */
    parcast_status status;
    parcast_error error;
    double spawn_s;           /* spawning and joining */
    double touch_bytes_per_s; /* on all ranks, as seen by rank 0; 0: nothing was touched */
} elastic_ahead;

/** Begin to prepare; all ranks, at the same safe point. PARCAST_MEMORY on all or none. */
parcast_status elastic_ahead_begin(parcast_elastic *e, int64_t ranks, parcast_error *error);

/** This rank has done all that it had to. */
bool elastic_ahead_is_ready(const parcast_elastic *e);

/**
 * All ranks, at the safe point: wait until e->ahead is complete; it is begun if it was not.
 * @return PARCAST_OK; PARCAST_INTERRUPTED (the supervisor does not wait any more: the thread is given up,
 *         e->ahead stays as it is, and the orders are others); PARCAST_UNSUPPORTED (ranks cannot be spawned);
 *         PARCAST_MEMORY
 */
parcast_status elastic_ahead_finish(parcast_elastic *e, int64_t iteration, int64_t ranks,
                                    parcast_error *error);

/** All ranks: nothing comes of it; those that were spawned end. */
void elastic_ahead_abandon(parcast_elastic *e);

/** The rest of it is in use: free what is left. */
void elastic_ahead_clear(parcast_elastic *e);

#endif
