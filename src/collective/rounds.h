/*
 * The messages of a collective, round by round: those of one round are under way together, the next round
 * begins when they have arrived. That is exact for exchanges and trees, and an approximation for algorithms
 * that run ahead (linear ones are a single round).
 */
#ifndef PARCAST_COLLECTIVE_ROUNDS_H
#define PARCAST_COLLECTIVE_ROUNDS_H

#include "collective/decide.h"

/* What a round is told to. Members are numbered from 0, the root is 0. */
struct collective_visitor {
    void *context;
    void (*message)(void *context, int from, int to, double bytes);
    /* Every member sends this to every other one. */
    void (*all_pairs)(void *context, double bytes);
    /* The messages since the last call were one round, and it happens `times` times. */
    void (*end_round)(void *context, double times);
};

/*
 * Walk through the rounds. bytes as for collective_decide. Cost: O(n_ranks log n_ranks) messages, a ring is
 * told once; pairwise exchanges among more than 64 ranks are told as one round of all pairs. Nothing is told
 * of neighbourhoods, whose graph is not known here.
 */
void collective_rounds(enum collective_operation operation, enum collective_algorithm algorithm, int n_ranks,
                       double bytes, const struct collective_visitor *visitor);

#endif
