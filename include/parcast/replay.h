/**
 * Replay: a program's operations, message by message, on a machine that is described by its parameters.
 * The rules are in docs/models/network.md.
 */
#ifndef PARCAST_REPLAY_H
#define PARCAST_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/goal.h"
#include "parcast/operation.h"
#include "parcast/platform.h"
#include "parcast/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The LogGOPS network. Times are rounded to picoseconds, times per byte are not. */
typedef struct parcast_loggops {
    double L_s;          /**< latency */
    double o_s;          /**< CPU time of a message on each side */
    double g_s;          /**< gap between two messages of an interface */
    double G_s_per_byte; /**< gap per byte */
    double O_s_per_byte; /**< CPU time per byte */
    double S_bytes;      /**< a larger message waits for its receive before its sender goes on */
    bool
        compat; /**< as LogGOPSim where it errs: a message of no bytes costs o - O and g - G, and an operation
                     is dated by its own CPU alone even if what it requires has ended later on another */
    bool receive_by_nic; /**< the interface takes the data before the CPU handles them; otherwise the CPU does
                            both */
    bool handshake;      /**< a sender beyond S hears of its receive 2 L + 2 o later */
} parcast_loggops;

/** Where one rank's time went. */
typedef struct parcast_replay_rank {
    int64_t end_ps; /**< exactly, in picoseconds */
    double end_s;
    double compute_s;
    double communication_s; /**< the rest of end_s: sending, receiving, waiting */
    double waiting_s;       /**< of that: before the message that it waited for was on its way */
} parcast_replay_rank;

/** What one rank has sent to another. */
typedef struct parcast_replay_pair {
    int source, destination;
    uint64_t messages, bytes;
} parcast_replay_pair;

/** Computing of one rank, or of one kind of node, on the critical path. */
typedef struct parcast_replay_share {
    int rank;              /**< -1: of all ranks on this kind of node */
    const char *node_type; /**< of the platform, which must live on; NULL without one */
    double compute_s;
} parcast_replay_share;

/** Time on the critical path that messages of an operation have taken: its overhead, gaps, latency, transfer
 * and sharing. */
typedef struct parcast_replay_operation_time {
    const char *name; /**< "point to point", "allreduce", "non-blocking collectives"; static */
    double time_s;
} parcast_replay_operation_time;

/**
 * The critical path: from the end of the rank that ends last back to the start, each step to what it had to
 * wait for, the message or the rank's own operation before. Its parts add up to time_s: whatever shortens one
 * of them by t shortens the run by at most t, because another path may be longer then.
 */
typedef struct parcast_replay_path {
    int rank;          /**< that ends last; -1: no path was asked for */
    uint64_t messages; /**< along it */
    double compute_s, sleep_s;
    double cores_s;    /**< computing takes longer because cores are shared */
    double overhead_s; /**< CPU time of messages: o, O */
    double gap_s;      /**< an interface is not ready for the next message: g */
    double latency_s;
    double transfer_s;           /**< bytes on the way, as if alone on the network */
    double sharing_s;            /**< bytes on the way, longer because others share the links */
    parcast_replay_share *parts; /**< [n_parts] what compute_s consists of, the largest first */
    size_t n_parts;
    parcast_replay_operation_time *operations; /**< [n_operations] the longest first */
    size_t n_operations;
} parcast_replay_path;

/** A phase that the program marks, or an iteration. Times are means over all ranks. */
typedef struct parcast_replay_phase {
    char name[48];  /**< "level 2", "region 3", "iteration 12", "iterations 0-3", "before", "after" */
    bool iteration; /**< otherwise levels and regions; each kind covers the whole run */
    double time_s, compute_s, communication_s, waiting_s;
} parcast_replay_phase;

/** Who has said how collectives are done. */
typedef enum parcast_collectives_from {
    PARCAST_COLLECTIVES_USUAL, /**< nobody: as MPICH; or there are none */
    PARCAST_COLLECTIVES_OPTION,
    PARCAST_COLLECTIVES_PLATFORM,
    PARCAST_COLLECTIVES_RECORDING, /**< the MPI library that the trace was recorded with */
} parcast_collectives_from;

typedef struct parcast_replay_collectives {
    parcast_collectives_from from;
    const char *table; /**< "mpich", "openmpi", "naive"; static. NULL: of a GOAL program */
    char *file;        /**< of rules, the table is for what they leave open; NULL: none */
    char *mpi;         /**< library that the trace was recorded with; NULL: not known */
} parcast_replay_collectives;

typedef struct parcast_replay_result {
    double time_s; /**< the latest end */
    int n_ranks;
    parcast_replay_rank *ranks; /**< [n_ranks] */
    uint64_t n_messages;        /**< point to point, those of collectives included */
    uint64_t n_events;          /**< computations, sends, receives and messages that were handled */
    uint64_t most_open;         /**< operations that were under way or in view at once */
    uint32_t most_in_flight; /**< LogGOPS: messages on their way to one rank at once. When it is high, look at
                                the flow model: here they do not slow each other before they are there */
    parcast_replay_collectives collectives;
    uint32_t n_stopped; /**< ranks of a cut trace that wait for what it does not have; they end there */
    parcast_replay_path path;
    parcast_replay_pair *pairs; /**< [n_pairs] by source, then destination; NULL unless asked for */
    size_t n_pairs;
    parcast_replay_phase *phases; /**< [n_phases] marked phases, then iterations, in the order of the run */
    size_t n_phases;
    double wall_s;              /**< what the replay itself took */
    uint64_t peak_memory_bytes; /**< of the process so far */
} parcast_replay_result;

/**
 * Replay a GOAL program on the LogGOPS network, every rank on a host of its own.
 *
 * @param[in]  goal    finished; it may be replayed by several threads at once
 * @param[out] result  set on success; release with parcast_replay_result_destroy
 * @return PARCAST_OK; PARCAST_INVALID (a parameter is negative or not finite); PARCAST_DATA (deadlock or
 * messages that nobody receives: the text names ranks and lines); PARCAST_LIMIT (the simulated time exceeds
 * 53 days); PARCAST_IO; PARCAST_MEMORY
 *
 * Cost: O(log(ranks + messages in flight)) time per operation. Memory: about 200 bytes per rank and 150 per
 * operation that is under way or in view, whatever the program's length. Source: Hoefler, Schneider and
 * Lumsdaine 2010 (LogGOPSim); docs/models/network.md, "LogGOPS".
 */
PARCAST_API parcast_status parcast_replay_goal(const parcast_goal *goal, const parcast_loggops *loggops,
                                               parcast_replay_result **result, parcast_error *error);

typedef struct parcast_replay_options parcast_replay_options;

/**
 * The same, with matrix, critical path and timeline as options ask for them; the other options are for
 * parcast_replay_run. The critical path of `compat` is not defined: PARCAST_INVALID.
 */
PARCAST_API parcast_status parcast_replay_goal_with(const parcast_goal *goal, const parcast_loggops *loggops,
                                                    const parcast_replay_options *options,
                                                    parcast_replay_result **result, parcast_error *error);

/**
 * Replay a GOAL program on the flow model of a platform's network. A message takes the platform's protocol by
 * its size, a computation its time / speed of the node; computations of one CPU of a rank run one after the
 * other, and those of all ranks of a node share its cores.
 *
 * @param[in] rank_node  [ranks] node of every rank
 * @param[in] options    NULL: all zero; those of collectives do not matter
 * @return as parcast_replay_goal, and PARCAST_DATA (no such node), PARCAST_UNSUPPORTED (a timeline of several
 * CPUs per rank)
 *
 * Source: docs/models/network.md, "Flows" and "Replay".
 */
PARCAST_API parcast_status parcast_replay_goal_on(const parcast_goal *goal, const parcast_platform *platform,
                                                  const int *rank_node, const parcast_replay_options *options,
                                                  parcast_replay_result **result, parcast_error *error);

/** Who looks on. Each of these may be NULL. */
typedef struct parcast_replay_observer {
    void *state;
    /** An operation that a rank has ended, as it ends; of a GOAL program sends and computations. */
    void (*operation)(void *state, int rank, const parcast_operation *operation, double begin_s,
                      double end_s);
    /** Now and then, many times a second: how far it is. */
    void (*progress)(void *state, double simulated_s, uint64_t n_events);
} parcast_replay_observer;

/** Where the iterations of a rank's main loop lie among its operations. */
typedef struct parcast_replay_loop {
    uint64_t first;    /**< operation that begins the first iteration, counted from 0 */
    uint64_t length;   /**< operations of an iteration */
    uint64_t n_rounds; /**< 0: there is no loop */
} parcast_replay_loop;

/** How to replay. All zero is the usual way. */
struct parcast_replay_options {
    bool local_through_link; /**< messages inside a node take its link up and down, not its memory (star) */
    bool ideal_network;      /**< what if: latency and transfer take no time */
    double scale_speed_ratio, scale_latency_ratio,
        scale_bandwidth_ratio; /**< what if: nodes, latency, bandwidth so many times what they are; 0: as they
                                  are */
    const char *collectives;   /**< table of algorithms: "mpich", "openmpi", "naive", or a file of rules
                                  (docs/formats/collectives.md); NULL: the platform's, else that of the
                                  library which the trace was recorded with, else mpich */
    const char *algorithms[PARCAST_COLLECTIVES]; /**< of single collectives, by name; NULL: the table's */
    double flop_rate_flop_per_s;             /**< of a core, where the platform does not say; 0: not known */
    const parcast_replay_observer *observer; /**< NULL: none */
    bool matrix;                             /**< count who sends how much to whom: 24 bytes a pair */
    bool critical_path; /**< 220 bytes more per rank and message under way; with up to 64 ranks 8 more for
                           each rank */
    parcast_timeline *timeline;       /**< draw what happens; NULL: nothing */
    const parcast_replay_loop *loops; /**< [n_ranks] tell iterations apart by these; NULL: by marks alone */
    bool full_solver; /**< compute all shares anew at each change: slow, the test of the usual way */
};

/** Bytes that go from one node to another. */
typedef struct parcast_transfer {
    int source, destination; /**< nodes, numbered as in the platform file */
    double bytes;            /**< without the network's envelope */
    double start_s;
} parcast_transfer;

/** A computation on a node. */
typedef struct parcast_work {
    int node;
    double core_s; /**< on a core of its own */
    double start_s;
} parcast_work;

/**
 * Simulate transfers and computations that start at given dates, on the flow model of the platform's network.
 *
 * @param[in]  options        NULL: all zero
 * @param[out] transfer_end_s [n_transfers] when the last byte is there; untouched on failure
 * @param[out] work_end_s     [n_works]
 * @return PARCAST_OK; PARCAST_DATA (no such node, negative sizes, weights that starve a route); PARCAST_LIMIT
 * (the simulated time exceeds 53 days); PARCAST_MEMORY
 *
 * Cost: see docs/models/network.md, "Shares". Source: the same, "Flows".
 */
PARCAST_API parcast_status parcast_replay_transfers(const parcast_platform *platform,
                                                    const parcast_replay_options *options,
                                                    const parcast_transfer *transfers, size_t n_transfers,
                                                    const parcast_work *works, size_t n_works,
                                                    double *transfer_end_s, double *work_end_s,
                                                    parcast_error *error);

/**
 * Replay the operations of an MPI program, on the flow model of a platform or on the LogGOPS network.
 *
 * @param[in]  source     operations; read once
 * @param[in]  platform   nodes and network; with LogGOPS only the speeds count, and NULL will do
 * @param[in]  rank_node  [n_ranks] node of every rank, NULL: rank r on node r
 * @param[in]  loggops    NULL: the flow model; otherwise every rank is a host of its own
 * @param[in]  options    NULL: all zero
 * @param[out] result     set on success; release with parcast_replay_result_destroy
 * @return PARCAST_OK; PARCAST_DATA (deadlock, truncated or unreceived messages, a trace in flop without a
 * rate, no such node or rank); PARCAST_INVALID (no such algorithm or table); PARCAST_LIMIT; PARCAST_MEMORY;
 * what the source returns
 *
 * Cost: O(log) time per operation and message besides the network's. Memory: about 300 bytes per rank, 100
 * per message under way; none of it grows with the length of the trace. Source: docs/models/network.md,
 * "Replay".
 */
PARCAST_API parcast_status parcast_replay_run(const parcast_operation_source *source,
                                              const parcast_platform *platform, const int *rank_node,
                                              const parcast_loggops *loggops,
                                              const parcast_replay_options *options,
                                              parcast_replay_result **result, parcast_error *error);

/**
 * Find the main loop of every rank in its operations: the repetition that covers most of them. Calls are
 * compared by kind, partners, tag and communicator, not by size, and computing and polling are left out.
 *
 * @param[in]  source  read to its end, or up to a million calls of each rank; give the replay a fresh one
 * @param[out] loops   [n_ranks] released with free(); the ranks have the same number of rounds, or none
 * @return PARCAST_OK; PARCAST_MEMORY; what the source returns
 *
 * Cost: reading, and about 0.5 us per call. Memory: 40 bytes per call of one rank. Source:
 * docs/models/replay.md, "Iterations".
 */
PARCAST_API parcast_status parcast_replay_find_loops(const parcast_operation_source *source,
                                                     parcast_replay_loop **loops, parcast_error *error);

/** The node of every rank under a placement: rank_node[n_ranks]. */
PARCAST_API void parcast_replay_place(const parcast_platform *platform, const parcast_placement *placement,
                                      int *rank_node);

PARCAST_API void parcast_replay_result_destroy(parcast_replay_result **result);

#ifdef __cplusplus
}
#endif
#endif
