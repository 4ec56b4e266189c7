/** A move model that learns from moves. */
#ifndef PARCAST_PLAN_LEARN_H
#define PARCAST_PLAN_LEARN_H

#include "parcast/plan.h"

struct learned_move {
    double stop_s, move_s, launch_s;
    double bytes;    /**< NAN if not known */
    double beside_s; /**< launching beside the running program; 0: it stood still for the launch */
};

/**
 * Take in a move that was measured. `n` moves were before it: the first replaces what was assumed, later ones
 * are averaged, the last five count most.
 *
 * @param[in] from NULL for the first launch
 */
void learn_move(parcast_move_model *model, int n, const parcast_size *from, const parcast_size *to,
                const struct learned_move *move);

/** Largest part of the state that one node gives or takes in a move between so many nodes. */
double move_share(int from_nodes, int to_nodes);

#endif
