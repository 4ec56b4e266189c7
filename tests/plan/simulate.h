/* Whole runs under the decision code, with programs that differ from their forecast. */
#ifndef SIMULATE_H
#define SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "parcast/decision.h"

/* What really happens: the table times a factor for each size, noise, and what befalls the nodes. */
struct truth {
    double factor[64];   /* by size; 0: 1 */
    double power;        /* work falls as (1 - x)^power beyond what the table says */
    double noise_ln;     /* of an iteration */
    double noise_memory; /* share of the noise of an iteration that the next one has, too: 0 .. 1 */
    double spikes;       /* probability that an iteration takes ten times as long */
    double move_ratio;   /* real moves take so many times what was predicted; 0: 1 */
    int64_t slow_from,
        slow_to; /* iterations [from, to) take slow_ratio as long; to 0: the end; from 0: none */
    double slow_ratio;
    double unsettled_s, unsettled_ratio; /* after a move iterations take so many times as long for so long */
    const parcast_move_model *move;      /* what real moves take; NULL: as the malleable program says */
    double state_bytes;                  /* told as soon as the program runs; 0: only by moves */
    double begin_s;                      /* in the first sample after a launch, beside its iterations */
    int64_t lost_at, back_at; /* nodes that can be had fall to `left` here, and come back; 0: never */
    int left;
};

struct outcome {
    double time_s, cost;
    double still_s;   /* standing still for moves, the first launch not included */
    int moves, turns; /* turns: moves in the other direction than the one before */
    int flaps;        /* moves back to where it was, sooner than ten times what the move before took */
    int dropped;      /* other sizes that were ordered and taken back, or changed, before the move */
    double first_end_s, first_low_s, first_high_s, first_cost; /* as forecast at the start */
    bool said_late; /* some answer said that the deadline cannot be met */
    int64_t said_late_at;
    parcast_answer last;
    int nodes[64]; /* after each move */
};

/* A run to its end with a safe point every `every` iterations. */
struct outcome simulate(const parcast_malleable *m, const struct truth *t, parcast_plan_goal goal,
                        const parcast_decision_options *options, int64_t every, uint64_t seed);
/* The least cost that meets the deadline, or the least time within the budget, of all schedules for one who
   knows the truth beforehand and has every node all the time; NAN if none keeps it. */
double with_hindsight(const parcast_malleable *m, const struct truth *t, parcast_plan_goal goal);
/* The same size throughout. */
struct outcome stay_on(const parcast_malleable *m, const struct truth *t, int nodes, uint64_t seed);

#endif
