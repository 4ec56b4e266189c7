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
} parcast_replay_rank;

typedef struct parcast_replay_result {
    double time_s; /**< the latest end */
    int n_ranks;
    parcast_replay_rank *ranks; /**< [n_ranks] */
    uint64_t n_messages;        /**< point to point, those of collectives included */
    uint64_t n_events;          /**< computations, sends, receives and messages that were handled */
    uint64_t most_open;         /**< operations that were under way or in view at once */
    uint32_t most_in_flight; /**< LogGOPS: messages on their way to one rank at once. When it is high, look at
                                the flow model: here they do not slow each other before they are there */
    char substituted[160];   /**< a collective algorithm that another one stands for; empty if none */
    double wall_s;           /**< what the replay itself took */
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

/** An operation that a rank has ended, as it ends. */
typedef struct parcast_replay_observer {
    void *state;
    void (*operation)(void *state, int rank, const parcast_operation *operation, double begin_s,
                      double end_s);
} parcast_replay_observer;

/** How to replay. All zero is the usual way. */
typedef struct parcast_replay_options {
    bool local_through_link; /**< messages inside a node take its link up and down, not its memory (star) */
    bool ideal_network;      /**< what if: latency and transfer take no time */
    double scale_speed_ratio, scale_latency_ratio,
        scale_bandwidth_ratio; /**< what if: nodes, latency, bandwidth so many times what they are; 0: as they
                                  are */
    const char *collectives; /**< table of algorithms: "mpich", "openmpi", "naive"; NULL: the platform's, else
                                mpich */
    const char *algorithms[PARCAST_COLLECTIVES]; /**< of single collectives, by name; NULL: the table's */
    double flop_rate_flop_per_s;             /**< of a core, where the platform does not say; 0: not known */
    const parcast_replay_observer *observer; /**< NULL: none */
    bool full_solver; /**< compute all shares anew at each change: slow, the test of the usual way */
} parcast_replay_options;

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

/** The node of every rank under a placement: rank_node[n_ranks]. */
PARCAST_API void parcast_replay_place(const parcast_platform *platform, const parcast_placement *placement,
                                      int *rank_node);

PARCAST_API void parcast_replay_result_destroy(parcast_replay_result **result);

#ifdef __cplusplus
}
#endif
#endif
