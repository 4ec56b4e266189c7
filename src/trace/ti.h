/** Time-independent text: words, actions, what is lost on the way. */
#ifndef PARCAST_TRACE_TI_H
#define PARCAST_TRACE_TI_H

#include <stdio.h>

#include "parcast/trace_text.h"

enum { TI_ANY_SOURCE = -555, TI_ANY_TAG = -444 };

/** The actions: X(NAME, word). */
#define TI_ACTIONS(X)                                                                                        \
    X(INIT, "init")                                                                                          \
    X(FINALIZE, "finalize")                                                                                  \
    X(COMPUTE, "compute")                                                                                    \
    X(SLEEP, "sleep")                                                                                        \
    X(SEND, "send")                                                                                          \
    X(ISEND, "isend")                                                                                        \
    X(RECV, "recv")                                                                                          \
    X(IRECV, "irecv")                                                                                        \
    X(SENDRECV, "sendrecv")                                                                                  \
    X(WAIT, "wait")                                                                                          \
    X(TEST, "test")                                                                                          \
    X(WAITALL, "waitall")                                                                                    \
    X(BARRIER, "barrier")                                                                                    \
    X(BCAST, "bcast")                                                                                        \
    X(REDUCE, "reduce")                                                                                      \
    X(ALLREDUCE, "allreduce")                                                                                \
    X(ALLTOALL, "alltoall")                                                                                  \
    X(ALLTOALLV, "alltoallv")                                                                                \
    X(ALLGATHER, "allgather")                                                                                \
    X(ALLGATHERV, "allgatherv")                                                                              \
    X(GATHER, "gather")                                                                                      \
    X(GATHERV, "gatherv")                                                                                    \
    X(SCATTER, "scatter")                                                                                    \
    X(SCATTERV, "scatterv")                                                                                  \
    X(REDUCESCATTER, "reducescatter")                                                                        \
    X(SCAN, "scan")                                                                                          \
    X(EXSCAN, "exscan")                                                                                      \
    X(COMM_SIZE, "comm_size")                                                                                \
    X(COMM_SPLIT, "comm_split")                                                                              \
    X(COMM_DUP, "comm_dup")                                                                                  \
    X(LOCATION, "location")

enum ti_action {
#define TI_ENUM(name, word) TI_##name,
    TI_ACTIONS(TI_ENUM)
#undef TI_ENUM
        TI_NONE,
};

/** A line in words; the line is changed. */
struct ti_line {
    const char *source;
    int number;
    char **words; /* [n] */
    size_t n, capacity;
};

/** False: out of memory. Comments and blank lines have no words. */
bool ti_split(struct ti_line *line, char *text);

/** The rank that a line begins with, without splitting it; -1: it may be none, or written otherwise. */
int64_t ti_first_rank(const char *text);

/** The action of a word; capitals do not matter. */
enum ti_action ti_action_of(const char *word);

/** Number of a rank word: "3", "p3", "rank-3"; -1 if it is none. */
int64_t ti_rank_of(const char *word);

/** Does the text look like actions (a rank, then an action), or like a list of files? */
bool ti_is_action_line(const struct ti_line *line);

/** A request of a rank that was begun and not awaited. */
struct ti_request {
    int32_t source, destination, tag; /* as the text has them */
};

/** State of a rank that is being read. */
struct ti_rank {
    struct ti_request *requests; /* [capacity] by number */
    bool *open;
    uint64_t *ages; /* when it was begun */
    int32_t capacity, n_open;
    int32_t first_free; /* all below are open */
    uint64_t n_begun;
    bool begun;   /* it had an init */
    bool doubles; /* sizes without a type are of doubles */
    bool split;   /* behind comm_split: which communicator a collective is on is not said */
    bool ended;
};
void ti_rank_free(struct ti_rank *rank);

/** Number of a new request; -1: out of memory. */
int32_t ti_begin_request(struct ti_rank *state, int64_t source, int64_t destination, int64_t tag);
/** The oldest that is open with these three; -1: there is none. */
int32_t ti_find_request(const struct ti_rank *state, int64_t source, int64_t destination, int64_t tag);
void ti_end_request(struct ti_rank *state, int32_t number);

/** Vectors of an event that a line makes. */
struct ti_room {
    int64_t *numbers; /* [capacity] */
    size_t capacity;
};

/**
 * The event of a line whose first word is a rank. `none`: the line says nothing that an event keeps.
 */
parcast_status ti_event(const struct ti_line *line, int32_t rank, int32_t n_ranks, struct ti_rank *state,
                        struct ti_room *room, parcast_trace_event *event, bool *none, parcast_error *error);

/** The wait for what is still open; false: nothing is. */
bool ti_open_requests(struct ti_rank *state, struct ti_room *room, parcast_trace_event *event);

#endif
