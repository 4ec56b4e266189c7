/**
 * Numbers of requests in the trace: dense, the lowest that is free. MPI libraries give one handle to many
 * requests that are complete at once, so a handle stands for a queue, and the oldest request in it is meant.
 */
#ifndef PARCAST_PRELOAD_TRACE_REQUESTS_H
#define PARCAST_PRELOAD_TRACE_REQUESTS_H

#include "record.h"

enum { TRACED_NONE = -1 };

struct traced_request {
    word key;
    int32_t next; /* in the queue of its handle */
    bool persistent, active, cancelled;
    bool matches;          /* a receive from any: who it was is to be set at `place` */
    uint64_t place;        /* in the spool, 0: there is none */
    const void *made_comm; /* where a communicator is when the request is complete; NULL: none is made */
    bool made_in_fortran;
};

/** A new request; TRACED_NONE when there is no room. */
int32_t traced_add(word key);
struct traced_request *traced_at(int32_t number);

/** The oldest request with this handle, or TRACED_NONE. */
int32_t traced_find(word key);

/**
 * Requests of an array of handles: where one handle occurs again, the next in its queue is meant. Begin a new
 * array with traced_begin_array.
 */
void traced_begin_array(void);
int32_t traced_find_next(word key);

void traced_remove(int32_t number);

#endif
