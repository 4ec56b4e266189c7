/**
 * Events of a trace as operations of a replay. An event becomes none, one or several operations; they wait in
 * the rank's queue, and the next event is read when it is empty.
 */
#ifndef PARCAST_TRACE_TRANSLATE_H
#define PARCAST_TRACE_TRANSLATE_H

#include "parcast/trace_operations.h"

enum translated_state {
    TRANSLATED_UNUSED,
    TRANSLATED_IDLE,    /* persistent, not started */
    TRANSLATED_RUNNING, /* begun, not awaited */
};

/* An event with its counts. */
struct kept_event {
    parcast_trace_event event;
    int64_t numbers[]; /* what it sends, then what it receives */
};

struct translated_request {
    uint8_t state;                 /* enum translated_state */
    bool nothing;                  /* running: there is nothing to wait for */
    bool polled;                   /* running: a collective, which tests drive on */
    struct kept_event *persistent; /* what a start of it begins; else NULL */
};

/* Neighbours of a rank in a communicator with a topology. */
struct translated_topology {
    struct translated_topology *next;
    int32_t comm;
    size_t n_sources, n_destinations;
    int64_t ranks[]; /* sources, then destinations */
};

struct translation {
    parcast_trace *trace;
    const char *name;
    int32_t rank;
    parcast_trace_cursor *cursor; /* NULL until the first event is asked for */
    double speed;                 /* of the node that it was recorded on */
    bool flop;                    /* computing is in flop */
    int event;                    /* number of the one under work */
    double compute, idle_s;       /* before the first operation of the queue, in this order */
    bool computes, sleeps;        /* these are events of their own, even if they take no time */
    parcast_operation *queue;     /* [capacity] */
    uint32_t n_queued, next_queued, capacity;
    struct translated_request *requests; /* [n_requests] by number */
    uint32_t n_requests, n_polled;       /* room; of the running ones those that are polled */
    uint32_t *awaited;                   /* [awaited_room] of the wait in the queue */
    uint32_t awaited_room;
    int32_t cached_comm, cached_self; /* the last communicator and this rank's place in it */
    bool cached_remote;               /* it is in the group that the trace calls remote */
    struct translated_topology *topologies;
};

/** parcast_trace_operations_create for a trace that messages call otherwise than by its path. */
parcast_status trace_operations_named(parcast_trace *trace, const char *name, const double *node_speed,
                                      size_t n_nodes, parcast_trace_operations **operations,
                                      parcast_error *error);

parcast_status translate_event(struct translation *t, const parcast_trace_event *event, parcast_error *error);
/** What is left to do when the rank has no more events. */
parcast_status translate_end(struct translation *t, parcast_error *error);
void translation_clear(struct translation *translation);

/* ---- shared by its parts ---- */

/** "rank 3, event 17, MPI_Wait: what" */
parcast_status translate_fail(const struct translation *t, const parcast_trace_event *event,
                              parcast_status status, parcast_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
parcast_status translate_no_memory(const struct translation *t, parcast_error *error);

/** A cleared operation at the end of the queue; NULL: out of memory. Holds until the next one. */
parcast_operation *translate_put(struct translation *t, parcast_operation_kind kind);
/** Put an operation on a communicator: its number and whom its peers are counted among. */
parcast_status translate_on(struct translation *t, const parcast_trace_event *event, int32_t comm,
                            parcast_operation_kind kind, parcast_operation **operation, parcast_error *error);

/** A communicator as this rank sees it: its own group, and whom it sends to. */
struct translated_comm {
    const int32_t *local, *peers; /* [n_local], [n_peers] the same unless it is an intercommunicator */
    int32_t n_local, n_peers;
    int32_t self; /* place in the own group; -1: it is not in it */
};
struct translated_comm translate_comm(struct translation *t, int32_t comm);

parcast_status translate_message(struct translation *t, const parcast_trace_event *event,
                                 parcast_error *error);
parcast_status translate_start(struct translation *t, const parcast_trace_event *event, parcast_error *error);
parcast_status translate_completion(struct translation *t, const parcast_trace_event *event,
                                    parcast_error *error);
parcast_status translate_collective(struct translation *t, const parcast_trace_event *event,
                                    parcast_error *error);

parcast_status translate_neighbours(struct translation *t, const parcast_trace_event *event,
                                    parcast_error *error);
/** A collective over an intercommunicator; bytes: what a collective agrees on. */
parcast_status translate_between(struct translation *t, const parcast_trace_event *event, int64_t bytes,
                                 parcast_error *error);
/** Keep the neighbours that a new communicator gives to the rank. */
parcast_status translate_topology(struct translation *t, const parcast_trace_event *event,
                                  parcast_error *error);

/** A request that is not in use, for what an event begins and ends. */
uint32_t translate_spare_request(const struct translation *t);
/** The event's request begins to run; a persistent one is kept for its starts. */
parcast_status translate_begin_request(struct translation *t, const parcast_trace_event *event, bool nothing,
                                       parcast_error *error);

#endif
