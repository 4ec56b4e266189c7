/**
 * Collectives as point-to-point messages: a small state machine per rank that yields what the rank does next.
 * Nothing is expanded in memory.
 */
#ifndef PARCAST_REPLAY_SCHEDULES_H
#define PARCAST_REPLAY_SCHEDULES_H

#include <stdbool.h>

#include "parcast/operation.h"

/** X(constant, name): every algorithm of every collective. */
#define SCHEDULE_ALGORITHM_LIST(X)                                                                           \
    X(NAIVE, "naive")                                                                                        \
    X(LINEAR, "linear")                                                                                      \
    X(LINEAR_NONBLOCKING, "linear_nonblocking")                                                              \
    X(SCATTERED, "scattered")                                                                                \
    X(CHAIN, "chain")                                                                                        \
    X(PIPELINE, "pipeline")                                                                                  \
    X(BINARY, "binary")                                                                                      \
    X(BINOMIAL, "binomial")                                                                                  \
    X(BINOMIAL_DESCENDING, "binomial_descending")                                                            \
    X(KNOMIAL, "knomial")                                                                                    \
    X(SCATTER_RECURSIVE_DOUBLING, "scatter_recursive_doubling")                                              \
    X(SCATTER_RING, "scatter_ring")                                                                          \
    X(RECURSIVE_DOUBLING, "recursive_doubling")                                                              \
    X(RECURSIVE_HALVING, "recursive_halving")                                                                \
    X(RABENSEIFNER, "rabenseifner")                                                                          \
    X(REDUCE_BCAST, "reduce_bcast")                                                                          \
    X(RING, "ring")                                                                                          \
    X(NEIGHBOR, "neighbor")                                                                                  \
    X(TWO_RANKS, "two_ranks")                                                                                \
    X(SPREAD, "spread")                                                                                      \
    X(BRUCK, "bruck")                                                                                        \
    X(PAIRWISE_XOR, "pairwise_xor")                                                                          \
    X(PAIRWISE_SHIFT, "pairwise_shift")                                                                      \
    X(DISSEMINATION, "dissemination")                                                                        \
    X(DOUBLE_RING, "double_ring")                                                                            \
    X(TREE, "tree")

enum schedule_algorithm {
#define SCHEDULE_ENUM(constant, name) SCHEDULE_##constant,
    SCHEDULE_ALGORITHM_LIST(SCHEDULE_ENUM)
#undef SCHEDULE_ENUM
        SCHEDULE_ALGORITHMS
};

enum schedule_what { SCHEDULE_RECEIVE, SCHEDULE_SEND, SCHEDULE_WAIT };

/** What a rank does next. WAIT: until all that it has begun is done. */
struct schedule_action {
    enum schedule_what what;
    uint32_t peer; /**< rank in the communicator */
    int64_t bytes;
};

enum { SCHEDULE_MOST_ACTIONS = 4 };

/** One rank's part of one collective. */
struct collective_schedule {
    parcast_collective collective;
    enum schedule_algorithm algorithm;
    uint32_t n_ranks, rank, root;
    int64_t bytes; /**< as in parcast_operation */
    const int64_t *counts, *receive_counts;
    uint32_t step, phase;
    struct schedule_action actions[SCHEDULE_MOST_ACTIONS];
    uint32_t n_actions, next_action;
};

/** Does the collective have the algorithm, for so many ranks? */
bool schedule_has(parcast_collective collective, enum schedule_algorithm algorithm, uint32_t n_ranks);
const char *schedule_algorithm_name(enum schedule_algorithm algorithm);
/** By its name; SCHEDULE_ALGORITHMS if there is none. */
enum schedule_algorithm schedule_algorithm_named(const char *name);

/** The next action; false when the rank's part is over. Cost: O(1), O(log n_ranks) in some trees. */
bool schedule_next(struct collective_schedule *schedule, struct schedule_action *action);

#endif
