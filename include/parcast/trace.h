/**
 * Event traces: what every rank of a program did, one event after the other. Format: docs/formats/trace.md.
 *
 *     parcast_trace_open          a trace: its ranks, communicators, names
 *     parcast_trace_cursor_open   one rank's events
 *     parcast_trace_next          the next of them
 *
 * Reading is streamed: a cursor holds one frame of its rank (at most 16384 events; fewer in traces of many
 * ranks), whatever the length of the trace. A trace and its cursors must not be used by two threads at once;
 * the same file may be opened several times.
 */
#ifndef PARCAST_TRACE_H
#define PARCAST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Special ranks, roots, tags and numbers. */
enum {
    PARCAST_TRACE_ANY = -1,       /**< any source, any tag; of a match: it is not known */
    PARCAST_TRACE_PROC_NULL = -2, /**< nobody; as a root: of the other ranks in the root's group */
    PARCAST_TRACE_ROOT = -3,      /**< root of a collective over an intercommunicator: this rank */
    PARCAST_TRACE_NONE = -1,      /**< no request, function, site or communicator */
    PARCAST_TRACE_WORLD = 0,      /**< communicator of all ranks */
    PARCAST_TRACE_SELF = 1,       /**< communicator of each rank alone */
};

/**
 * Operations: X(NAME, number in the file, name in text). Numbers are never reused. Which members of an event
 * an operation uses is said at parcast_trace_event. SEND to EXSCAN may be started only (start).
 */
#define PARCAST_TRACE_OP_LIST(X)                                                                             \
    X(COMPUTE, 1, "compute")                                                                                 \
    X(SLEEP, 2, "sleep")                                                                                     \
    X(INIT, 3, "init")                                                                                       \
    X(FINALIZE, 4, "finalize")                                                                               \
    X(ABORT, 5, "abort")                                                                                     \
    X(PCONTROL, 6, "pcontrol")                                                                               \
    X(REGION_BEGIN, 7, "region-begin")                                                                       \
    X(REGION_END, 8, "region-end")                                                                           \
    X(ITERATION, 9, "iteration")                                                                             \
    X(SEND, 16, "send")                                                                                      \
    X(RECV, 17, "recv")                                                                                      \
    X(SENDRECV, 18, "sendrecv")                                                                              \
    X(START, 19, "start")                                                                                    \
    X(PROBE, 20, "probe")                                                                                    \
    X(IPROBE, 21, "iprobe")                                                                                  \
    X(WAIT, 24, "wait")                                                                                      \
    X(WAITALL, 25, "waitall")                                                                                \
    X(WAITANY, 26, "waitany")                                                                                \
    X(WAITSOME, 27, "waitsome")                                                                              \
    X(TEST, 28, "test")                                                                                      \
    X(TESTALL, 29, "testall")                                                                                \
    X(TESTANY, 30, "testany")                                                                                \
    X(TESTSOME, 31, "testsome")                                                                              \
    X(REQUEST_FREE, 32, "request-free")                                                                      \
    X(CANCEL, 33, "cancel")                                                                                  \
    X(BARRIER, 40, "barrier")                                                                                \
    X(BCAST, 41, "bcast")                                                                                    \
    X(REDUCE, 42, "reduce")                                                                                  \
    X(ALLREDUCE, 43, "allreduce")                                                                            \
    X(GATHER, 44, "gather")                                                                                  \
    X(GATHERV, 45, "gatherv")                                                                                \
    X(SCATTER, 46, "scatter")                                                                                \
    X(SCATTERV, 47, "scatterv")                                                                              \
    X(ALLGATHER, 48, "allgather")                                                                            \
    X(ALLGATHERV, 49, "allgatherv")                                                                          \
    X(ALLTOALL, 50, "alltoall")                                                                              \
    X(ALLTOALLV, 51, "alltoallv")                                                                            \
    X(ALLTOALLW, 52, "alltoallw")                                                                            \
    X(REDUCE_SCATTER, 53, "reduce-scatter")                                                                  \
    X(REDUCE_SCATTER_BLOCK, 54, "reduce-scatter-block")                                                      \
    X(SCAN, 55, "scan")                                                                                      \
    X(EXSCAN, 56, "exscan")                                                                                  \
    X(NEIGHBOR_ALLGATHER, 57, "neighbor-allgather")                                                          \
    X(NEIGHBOR_ALLGATHERV, 58, "neighbor-allgatherv")                                                        \
    X(NEIGHBOR_ALLTOALL, 59, "neighbor-alltoall")                                                            \
    X(NEIGHBOR_ALLTOALLV, 60, "neighbor-alltoallv")                                                          \
    X(NEIGHBOR_ALLTOALLW, 61, "neighbor-alltoallw")                                                          \
    X(COMM_CREATE, 72, "comm-create")                                                                        \
    X(COMM_FREE, 73, "comm-free")                                                                            \
    X(RMA, 80, "rma")                                                                                        \
    X(IO, 81, "io")                                                                                          \
    X(OTHER, 82, "other")

typedef enum parcast_trace_op {
#define PARCAST_TRACE_OP_ENUM(name, number, text) PARCAST_TRACE_##name = number,
    PARCAST_TRACE_OP_LIST(PARCAST_TRACE_OP_ENUM)
#undef PARCAST_TRACE_OP_ENUM
        PARCAST_TRACE_OP_END = 128 /**< above every number */
} parcast_trace_op;

/** The operation of a number in a file; PARCAST_TRACE_OP_END if there is none. */
PARCAST_API parcast_trace_op parcast_trace_op_of(uint64_t number);
/** "send", "reduce-scatter"; NULL for a number that is no operation. */
PARCAST_API const char *parcast_trace_op_name(parcast_trace_op op);
/** BARRIER to NEIGHBOR_ALLTOALLW: every rank of the communicator takes part. */
PARCAST_API bool parcast_trace_op_is_collective(parcast_trace_op op);

/** How an operation is begun. */
typedef enum parcast_trace_start {
    PARCAST_TRACE_BLOCKING,
    PARCAST_TRACE_NONBLOCKING, /**< request is in flight when the call returns */
    PARCAST_TRACE_PERSISTENT,  /**< request is made, each START of it begins the operation */
} parcast_trace_start;

typedef enum parcast_trace_send_mode {
    PARCAST_TRACE_STANDARD,
    PARCAST_TRACE_SYNCHRONOUS,
    PARCAST_TRACE_BUFFERED,
    PARCAST_TRACE_READY,
} parcast_trace_send_mode;

/**
 * One event. First `compute` passes, then the call begins. Members that an operation does not use are 0,
 * numbers of things PARCAST_TRACE_NONE. All ranks are ranks in `comm` (of its remote group in an
 * intercommunicator).
 *
 * SEND: peer, tag, bytes, mode. RECV: peer, tag, bytes (room of the buffer when it is only posted, what
 * arrived when the call blocks), matched_peer, matched_tag. SENDRECV: the sending half as SEND, the receiving
 * half in source, source_tag, recv_bytes, matched_peer, matched_tag. PROBE, IPROBE (flag): peer, tag, bytes,
 * matched_peer, matched_tag. START, REQUEST_FREE, CANCEL: request; START of a receive: matched_peer,
 * matched_tag. A receive from a probed message (MPI_Mrecv) is one from the peer and with the tag of that
 * message. Waits and tests: requests, in the order of the call, without null and inactive ones; completed:
 * positions in requests, for those that may complete a part (any, some) or nothing (tests); empty: none. WAIT
 * and WAITALL complete all. Tests: flag. Collectives: bytes of one block: the message (BCAST), the vector
 * (REDUCE, ALLREDUCE, SCAN, EXSCAN), the part of one rank (GATHER, SCATTER, ALLGATHER, REDUCE_SCATTER_BLOCK,
 * neighbours), the part from one to one (ALLTOALL); what this rank sends (GATHERV, ALLGATHERV) or receives
 * (SCATTERV); count: elements of a reduction; root. send_counts, recv_counts: bytes per rank of `comm` (per
 * neighbour), of the v- and w-variants, at the ranks that MPI asks for them. flop: done by every rank after
 * it (time-independent traces). COMM_CREATE: collective over comm, makes new_comm (NONE at ranks that are not
 * in it); sources and destinations: neighbours of this rank in it, in MPI's order (PROC_NULL where a grid
 * ends), when it has a topology. COMM_FREE: comm. PCONTROL: value is the level. REGION_BEGIN, REGION_END:
 * value is a region. ITERATION: value is its number. SLEEP: value is not used, call_s is how long. RMA: peer
 * (rank of the world, ANY: unknown), bytes. IO: bytes.
 */
typedef struct parcast_trace_event {
    parcast_trace_op op;
    parcast_trace_start start;
    parcast_trace_send_mode mode;
    bool flag;
    int32_t function; /**< parcast_trace_function(): the call as the program made it; NONE if unknown */
    int32_t thread;   /**< 0: the one that initialised MPI */
    int32_t site;     /**< number of the place in the program that called; NONE if unknown */
    int32_t comm;
    int32_t peer, tag;
    int64_t bytes;
    int32_t source, source_tag;
    int64_t recv_bytes;
    int32_t matched_peer; /**< who it was where any was asked for; ANY if that is not known, or never came */
    int32_t matched_tag;
    int32_t root;
    int32_t request; /**< dense: a number is used again when its request is complete (persistent: freed) */
    int32_t new_comm;
    int32_t value;
    int64_t count;
    double flop;
    const int64_t *requests; /**< [n_requests] */
    const int64_t *completed;
    const int64_t *send_counts; /**< [n_send_counts] */
    const int64_t *recv_counts;
    const int64_t *sources; /**< [n_sources] */
    const int64_t *destinations;
    size_t n_requests, n_completed, n_send_counts, n_recv_counts, n_sources, n_destinations;

    double compute; /**< before the call: seconds, or flop (parcast_trace_info.unit); CPU time where ranks
                       share cores */
    double start_s; /**< date of the call since the first rank's start; 0 where the trace is in flop */
    double call_s;  /**< in the call, as it was recorded */
} parcast_trace_event;

/** An event with nothing in it: numbers of things are NONE. */
PARCAST_API void parcast_trace_event_clear(parcast_trace_event *event, parcast_trace_op op);

typedef enum parcast_trace_unit {
    PARCAST_TRACE_SECONDS, /**< compute is seconds on the machine of the recording */
    PARCAST_TRACE_FLOP,    /**< compute is flop; dates are not known */
} parcast_trace_unit;

typedef enum parcast_trace_end {
    PARCAST_TRACE_FINALIZED,
    PARCAST_TRACE_EXITED,  /**< ended without MPI_Finalize */
    PARCAST_TRACE_ABORTED, /**< MPI_Abort */
    PARCAST_TRACE_LOST,    /**< killed or crashed: the events reach up to then */
    PARCAST_TRACE_FULL,    /**< no room on the disk: the events reach up to then */
    PARCAST_TRACE_ABSENT,  /**< left no events */
} parcast_trace_end;

/** A communicator: ordered ranks of the world, -1 those that are not known (of another world, or left no
 * data). Both groups of an intercommunicator are kept under one number: a rank's own group is the one that it
 * is in. */
typedef struct parcast_trace_comm {
    bool inter;       /**< peers and roots are in the remote group */
    bool other_world; /**< of an intercommunicator: remote ranks are in a world that is not in this trace */
    int32_t n_ranks;  /**< of one group: of `ranks` */
    int32_t n_remote; /**< 0 unless inter */
    const int32_t *ranks; /**< [n_ranks]; of PARCAST_TRACE_SELF [1] = {-1}: each rank itself */
    const int32_t *remote_ranks;
} parcast_trace_comm;

/** A rank of the traced program. */
typedef struct parcast_trace_rank {
    int32_t node;    /**< number of its node */
    double offset_s; /**< its first event's date since the first rank's */
    double unit_s;   /**< seconds per stored unit of time (writers: 1 unless times are in ticks) */
    parcast_trace_end end;
    uint64_t n_events; /**< as read; writers need not set it */
} parcast_trace_rank;

/** Where in the program a call comes from. */
typedef struct parcast_trace_site {
    const char *module; /**< path of the program or library */
    uint64_t offset;    /**< of the return address in it */
} parcast_trace_site;

/** What a trace says about itself; given to a writer as a whole before the first event. Everything is lent.
 */
typedef struct parcast_trace_meta {
    const char *program; /**< what was run, with its arguments; may be NULL */
    const char *mpi;     /**< "Open MPI 4.1.4", "MPICH 4.0.2"; NULL if unknown */
    parcast_trace_unit unit;
    int32_t n_ranks;
    const parcast_trace_rank *ranks; /**< [n_ranks]; NULL: all on node 0, finalized */
    size_t n_comms;                  /**< 0: WORLD and SELF; otherwise these two come first */
    const parcast_trace_comm *comms; /**< [n_comms] */
    size_t n_functions;
    const char *const *functions; /**< [n_functions] "MPI_Send" */
    size_t n_nodes;
    const char *const *nodes; /**< [n_nodes] host names; may be empty */
    size_t n_sites;
    const parcast_trace_site *sites; /**< [n_sites] */
} parcast_trace_meta;

/* ---- reading ---- */

typedef struct parcast_trace parcast_trace;

typedef enum parcast_trace_mode {
    PARCAST_TRACE_WHOLE,     /**< a file that ends early is refused */
    PARCAST_TRACE_UP_TO_CUT, /**< it is read up to the last full frame, and replayed up to where ranks were
                                lost */
} parcast_trace_mode;

/**
 * Open a trace of parcast's own format.
 *
 * @return PARCAST_OK; PARCAST_NOT_FOUND; PARCAST_FORMAT (not a trace, damaged, of a newer format; cut, unless
 * that was asked for); PARCAST_IO Cost: O(ranks + communicators) time and memory; with
 * PARCAST_TRACE_UP_TO_CUT a cut file is walked once, frame by frame.
 */
PARCAST_API parcast_status parcast_trace_open(const char *path, parcast_trace_mode mode,
                                              parcast_trace **trace, parcast_error *error);
/** All cursors must have been closed. */
PARCAST_API void parcast_trace_close(parcast_trace **trace);

/** The path that it was opened with. Valid until closed. */
PARCAST_API const char *parcast_trace_path(const parcast_trace *trace);
/** What the trace says about itself. Valid until closed. */
PARCAST_API const parcast_trace_meta *parcast_trace_about(const parcast_trace *trace);

typedef struct parcast_trace_info {
    uint64_t n_events; /**< of all ranks */
    uint64_t file_bytes;
    uint64_t checksum;  /**< over the contents; 0 of a file that is cut */
    uint64_t n_unknown; /**< events of kinds that this version does not know: left out so far by cursors */
    bool cut;           /**< read up to the last full frame */
    bool complete;      /**< not cut, and every rank came to its end */
} parcast_trace_info;
PARCAST_API void parcast_trace_get_info(const parcast_trace *trace, parcast_trace_info *info);

/** A communicator by its number, NULL if there is none. Valid until closed. */
PARCAST_API const parcast_trace_comm *parcast_trace_get_comm(const parcast_trace *trace, int32_t comm);
/**
 * Rank of the world that `peer` means in an event of `rank`.
 * @return -1 for special ranks, numbers out of range and ranks of other worlds
 */
PARCAST_API int32_t parcast_trace_world_rank(const parcast_trace *trace, int32_t rank, int32_t comm,
                                             int32_t peer);
/** "MPI_Isend"; NULL if unknown. */
PARCAST_API const char *parcast_trace_function(const parcast_trace *trace, int32_t function);

typedef struct parcast_trace_cursor parcast_trace_cursor;

/** Events of one rank from the first on. PARCAST_INVALID if there is no such rank. */
PARCAST_API parcast_status parcast_trace_cursor_open(parcast_trace *trace, int32_t rank,
                                                     parcast_trace_cursor **cursor, parcast_error *error);
PARCAST_API void parcast_trace_cursor_close(parcast_trace_cursor **cursor);

/**
 * The next event.
 *
 * @param[out] event  lent, valid until the next call with this cursor; NULL at the end
 * @return PARCAST_OK; PARCAST_FORMAT (names rank, event and place in the file); PARCAST_IO
 *
 * Cost: amortised O(1), about 20 ns. Memory: one frame.
 */
PARCAST_API parcast_status parcast_trace_next(parcast_trace_cursor *cursor, const parcast_trace_event **event,
                                              parcast_error *error);

/** Number of the event that parcast_trace_next gives next, from 0; unknown ones count. */
PARCAST_API uint64_t parcast_trace_position(const parcast_trace_cursor *cursor);

/** Continue at an event; beyond the last one: at the end. Cost: O(frames before it) small reads. */
PARCAST_API parcast_status parcast_trace_seek(parcast_trace_cursor *cursor, uint64_t event,
                                              parcast_error *error);

/* ---- writing ---- */

typedef struct parcast_trace_writer parcast_trace_writer;

/**
 * Make a trace. An existing file is replaced.
 *
 * @return PARCAST_OK; PARCAST_INVALID (no ranks, a communicator with ranks that do not exist); PARCAST_IO
 */
PARCAST_API parcast_status parcast_trace_create(const char *path, const parcast_trace_meta *meta,
                                                parcast_trace_writer **writer, parcast_error *error);

/**
 * Append an event to a rank's stream. Ranks may come in any order; the order within a rank is kept. start_s
 * is not stored: dates follow from compute and call_s.
 *
 * @return PARCAST_OK; PARCAST_INVALID (rank, operation, communicator or counts that cannot be; a time that is
 * negative or not finite); PARCAST_IO (the disk is full); PARCAST_LIMIT (more than a million counts)
 *
 * Memory: one frame per rank that is being written.
 */
PARCAST_API parcast_status parcast_trace_write(parcast_trace_writer *writer, int32_t rank,
                                               const parcast_trace_event *event, parcast_error *error);

/**
 * Write what is left, the index and the end; the file is on the disk when this returns.
 *
 * @param[out] info  of the finished file; may be NULL
 */
PARCAST_API parcast_status parcast_trace_finish(parcast_trace_writer **writer, parcast_trace_info *info,
                                                parcast_error *error);
/** Give up: the file is removed. */
PARCAST_API void parcast_trace_discard(parcast_trace_writer **writer);

#ifdef __cplusplus
}
#endif
#endif
