/** What a schedule takes. */
#ifndef PARCAST_PLAN_EVALUATE_H
#define PARCAST_PLAN_EVALUATE_H

#include "parcast/plan.h"

/** A stretch as an index of a size; the next one's from_iteration ends it. */
struct step {
    int64_t from_iteration;
    size_t size;
};

/** Everything of a plan but reason and bound. steps [n] ascending, the first from 0. */
parcast_status evaluate(const parcast_malleable *malleable, const parcast_plan_goal *goal,
                        const struct step *steps, size_t n, parcast_plan **plan, parcast_error *error);

/** Whether a does better at the goal than b. */
bool plan_better(const parcast_plan *a, const parcast_plan *b);

#endif
