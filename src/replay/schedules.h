/**
 * Collectives as point-to-point messages: a small state machine per rank that yields what the rank does next.
 * Nothing is expanded in memory. What each algorithm does: docs/models/collectives.md.
 */
#ifndef PARCAST_REPLAY_SCHEDULES_H
#define PARCAST_REPLAY_SCHEDULES_H

#include <stdbool.h>

#include "collective/decide.h"
#include "parcast/operation.h"

enum schedule_what { SCHEDULE_RECEIVE, SCHEDULE_SEND, SCHEDULE_WAIT };

/** What a rank may wait for apart from the rest: bits of a WAIT. */
enum schedule_channel { CHANNEL_SENDS, CHANNEL_EVEN, CHANNEL_ODD, SCHEDULE_CHANNELS };
enum { SCHEDULE_ALL_CHANNELS = (1 << SCHEDULE_CHANNELS) - 1 };

/**
 * What a message carries: blocks of members [first, first + n_blocks), around, of the collective's blocks in
 * the order of ranks; or, n_blocks 0, bytes from `first` on of its vector. (In Bruck's all-to-all: the slots
 * that have bit `first`.) The replay needs the size alone; the rest says what the algorithm does, and the
 * tests move data by it.
 */
struct schedule_data {
    int64_t bytes, first;
    uint32_t n_blocks;
};

/** What a rank does next. WAIT: until all that it has begun on the channels is done. */
struct schedule_action {
    enum schedule_what what;
    uint8_t channel; /**< enum schedule_channel; of a WAIT: bits */
    uint32_t peer;   /**< rank in the communicator */
    struct schedule_data data;
};

enum { SCHEDULE_MOST_ACTIONS = 5 };

/** Members of a communicator by node. */
struct schedule_nodes {
    uint32_t n_nodes;
    uint32_t *members;         /**< [ranks of the communicator] by node, ascending within a node */
    uint32_t *begin;           /**< [n_nodes + 1] where a node's members begin */
    uint32_t *leaders;         /**< [n_nodes] the first of each; nodes are in the order of these */
    uint32_t *node_of, *place; /**< [ranks] node, and place among its members */
    bool consecutive;          /**< the members of each node follow one another */
};

/** How a collective is done. */
struct schedule_plan {
    enum collective_algorithm algorithm;
    enum collective_algorithm parts[2]; /**< of what it is put together from: inside nodes and among their
                                           leaders, or one after the other */
    enum collective_hierarchy hierarchy;
    int64_t segment_bytes; /**< of trees and linear gathers that work by segments; 0: all at once */
};

/** One rank's part of one collective. */
struct collective_schedule {
    parcast_collective collective;
    struct schedule_plan plan;
    uint32_t all_ranks, own_rank, own_root; /**< of the operation */
    int64_t bytes;                          /**< as in parcast_operation */
    int64_t element_bytes;                  /**< vectors are cut between elements; at least 1 */
    const int64_t *counts, *receive_counts;
    const int64_t *sources, *destinations; /**< of neighbourhoods; negative ones are nobody */
    uint32_t n_sources, n_destinations;
    const struct schedule_nodes *nodes; /**< NULL: every rank is on a node of its own */

    /* of the part under way */
    parcast_collective part;
    enum collective_algorithm algorithm;
    uint32_t n_ranks, rank, root;
    const uint32_t *group; /**< [n_ranks] who takes part; NULL: all */
    int64_t vector;        /**< bytes of what it works on, where that is not made of blocks */
    uint32_t step, phase;
    bool (*program)(struct collective_schedule *schedule, uint32_t step); /**< puts a step's actions */
    bool (*inner)(struct collective_schedule *schedule,
                  uint32_t step); /**< of the part; NULL: it is to begin */
    uint32_t turn;                /**< which part */

    struct schedule_action actions[SCHEDULE_MOST_ACTIONS];
    uint32_t n_actions, next_action;
};

/** Does the collective have the algorithm, for so many ranks? */
bool schedule_has(parcast_collective collective, enum collective_algorithm algorithm, uint32_t n_ranks);
/** Is it made of two other collectives, with algorithms of their own (plan.parts)? */
bool schedule_is_composed(parcast_collective collective, enum collective_algorithm algorithm,
                          parcast_collective parts[2]);

/** Before the first action; all_ranks, own_rank, own_root, plan and what describes the operation are set. */
void schedule_begin(struct collective_schedule *schedule);
/** The next action; false when the rank's part is over. Cost: O(1), O(log n_ranks) in some trees. */
bool schedule_next(struct collective_schedule *schedule, struct schedule_action *action);

#endif
