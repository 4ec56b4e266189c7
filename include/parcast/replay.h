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

PARCAST_API void parcast_replay_result_destroy(parcast_replay_result **result);

#ifdef __cplusplus
}
#endif
#endif
