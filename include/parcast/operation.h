/**
 * What an MPI program does, one operation after the other on every rank: the common form of traces of all
 * formats, and what a replay takes.
 */
#ifndef PARCAST_OPERATION_H
#define PARCAST_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** X(constant, name) */
#define PARCAST_OPERATION_LIST(X)                                                                            \
    X(END, "end")                                                                                            \
    X(COMPUTE, "compute")                                                                                    \
    X(SLEEP, "sleep")                                                                                        \
    X(SEND, "send")                                                                                          \
    X(ISEND, "isend")                                                                                        \
    X(RECEIVE, "recv")                                                                                       \
    X(IRECEIVE, "irecv")                                                                                     \
    X(SENDRECEIVE, "sendrecv")                                                                               \
    X(PROBE, "probe")                                                                                        \
    X(WAIT, "wait")                                                                                          \
    X(WAITALL, "waitall")                                                                                    \
    X(TEST, "test")                                                                                          \
    X(COLLECTIVE, "collective")                                                                              \
    X(MARK, "mark")                                                                                          \
    X(ICOLLECTIVE, "icollective")                                                                            \
    X(FREE, "free")                                                                                          \
    X(CANCEL, "cancel")

typedef enum parcast_operation_kind {
#define PARCAST_OPERATION_ENUM(constant, name) PARCAST_OPERATION_##constant,
    PARCAST_OPERATION_LIST(PARCAST_OPERATION_ENUM)
#undef PARCAST_OPERATION_ENUM
} parcast_operation_kind;

/** X(constant, name) */
#define PARCAST_COLLECTIVE_LIST(X)                                                                           \
    X(BARRIER, "barrier")                                                                                    \
    X(BCAST, "bcast")                                                                                        \
    X(REDUCE, "reduce")                                                                                      \
    X(ALLREDUCE, "allreduce")                                                                                \
    X(GATHER, "gather")                                                                                      \
    X(GATHERV, "gatherv")                                                                                    \
    X(SCATTER, "scatter")                                                                                    \
    X(SCATTERV, "scatterv")                                                                                  \
    X(ALLGATHER, "allgather")                                                                                \
    X(ALLGATHERV, "allgatherv")                                                                              \
    X(ALLTOALL, "alltoall")                                                                                  \
    X(ALLTOALLV, "alltoallv")                                                                                \
    X(ALLTOALLW, "alltoallw")                                                                                \
    X(REDUCE_SCATTER, "reduce_scatter")                                                                      \
    X(REDUCE_SCATTER_BLOCK, "reduce_scatter_block")                                                          \
    X(SCAN, "scan")                                                                                          \
    X(EXSCAN, "exscan")                                                                                      \
    X(NEIGHBOR_ALLGATHER, "neighbor_allgather")                                                              \
    X(NEIGHBOR_ALLGATHERV, "neighbor_allgatherv")                                                            \
    X(NEIGHBOR_ALLTOALL, "neighbor_alltoall")                                                                \
    X(NEIGHBOR_ALLTOALLV, "neighbor_alltoallv")                                                              \
    X(NEIGHBOR_ALLTOALLW, "neighbor_alltoallw")

typedef enum parcast_collective {
#define PARCAST_COLLECTIVE_ENUM(constant, name) PARCAST_COLLECTIVE_##constant,
    PARCAST_COLLECTIVE_LIST(PARCAST_COLLECTIVE_ENUM)
#undef PARCAST_COLLECTIVE_ENUM
        PARCAST_COLLECTIVES
} parcast_collective;

enum { PARCAST_ANY = -1 }; /**< source or tag of a receive */

/** When the sender of a message goes on. */
typedef enum parcast_send_mode {
    PARCAST_SEND_STANDARD,    /**< at once if the message is small enough for the network's protocol */
    PARCAST_SEND_SYNCHRONOUS, /**< when a receive has taken it */
    PARCAST_SEND_BUFFERED,    /**< at once */
} parcast_send_mode;

/** What a program says about itself on its way. */
typedef enum parcast_mark {
    PARCAST_MARK_LEVEL,        /**< MPI_Pcontrol: from here on it is at this level */
    PARCAST_MARK_REGION_BEGIN, /**< regions may lie in each other */
    PARCAST_MARK_REGION_END,
    PARCAST_MARK_ITERATION, /**< an iteration begins, and the one before ends */
} parcast_mark;

/**
 * One operation of a rank. Fields that its kind does not name are 0. Ranks are those of the communicator.
 *
 * COMPUTE seconds or flop; SLEEP seconds; SEND, ISEND peer, tag, bytes; RECEIVE, IRECEIVE the same with peer
 * and tag PARCAST_ANY for any and bytes -1 for any size; SENDRECEIVE both; PROBE peer, tag; WAIT request, or
 * all of `requests`; TEST request; WAITALL every request that is open; COLLECTIVE collective, root, bytes,
 * counts, and flop that every rank computes after it; ICOLLECTIVE the same but for flop, and request; FREE
 * request: it ends by itself, and its number may be given again; CANCEL request: its receives that have no
 * message yet are over; MARK mark, value: takes no time.
 *
 * An ISEND, IRECEIVE or ICOLLECTIVE of a request that is open joins it: the request is done when all of it
 * is.
 */
typedef struct parcast_operation {
    parcast_operation_kind kind;
    parcast_collective collective;
    int32_t peer, tag;
    int32_t source, source_tag; /**< SENDRECEIVE: of what is received */
    int64_t bytes; /**< of a collective: of the whole vector (bcast, reduce, allreduce, scan), else of one
                      block */
    int64_t source_bytes;
    parcast_send_mode mode; /**< of SEND, ISEND, SENDRECEIVE */
    uint32_t request; /**< of what does not block, WAIT, TEST, FREE: small numbers, given again after their
                         wait */
    const uint32_t *requests; /**< [n_requests] of WAIT for several; NULL: the one above */
    uint32_t n_requests;
    int32_t root;
    double seconds, flop;
    uint32_t communicator;  /**< 0: all ranks */
    const int32_t *members; /**< [n_members] its ranks in the whole program, in order; NULL: all ranks. Holds
                               as long as the source */
    uint32_t n_members;
    uint32_t self; /**< with members: this rank's place among them */
    const int64_t
        *counts; /**< [members] bytes for (alltoallv, scatterv) or of each member; NULL: all alike */
    const int64_t *receive_counts;         /**< [members] alltoallv: bytes from each member */
    int64_t element_bytes;                 /**< of a reduction: of one element; 0: not known */
    const int64_t *sources, *destinations; /**< neighbourhoods: ranks whose messages come to this one, and to
                                              whom its own go; negative ones are nobody. counts are then those
                                              of destinations, receive_counts those of sources */
    uint32_t n_sources, n_destinations;
    parcast_mark mark;
    int32_t value; /**< of a mark: level, region or number of the iteration */
    int line;      /**< in a text, or number of the event; 0 if neither */
} parcast_operation;

/** Where operations come from: asked for rank by rank as a replay goes on. */
typedef struct parcast_operation_source {
    void *state;
    int n_ranks;
    const char *name; /**< for messages */
    const char *mpi;  /**< library that it was recorded with, like "Open MPI 4.1.4"; NULL: not known */
    /** The next operation of a rank, kind END after the last; what it points to holds until the rank's next.
     */
    parcast_status (*next)(void *state, int rank, parcast_operation *operation, parcast_error *error);
    /** Every rank back to its beginning; NULL: it can be read once only. */
    void (*rewind)(void *state);
    bool has_events; /**< for messages: `line` of an operation is the number of an event */
    bool is_cut;     /**< it ends early: ranks that wait for what is not there stop, which is no error */
    void *text;      /**< where the events come from, with line_of */
    /** For messages: the line of a rank's event and (lent) its file; line 0: not known. NULL: there is no
     * text. */
    int (*line_of)(void *text, int rank, int event, const char **file);
} parcast_operation_source;

PARCAST_API const char *parcast_operation_name(parcast_operation_kind kind);
PARCAST_API const char *parcast_collective_name(parcast_collective collective);

#ifdef __cplusplus
}
#endif
#endif
