/**
 * One decision of policy `forecast` while it is being made: docs/models/plan.md, section 5.
 */
#ifndef PARCAST_PLAN_CHOICE_H
#define PARCAST_PLAN_CHOICE_H

#include "plan/consider.h"
#include "plan/decide.h"

/** What is left of the run, the goal, and what every size is worth as the next one. */
struct choice {
    parcast_decision *d;
    const parcast_run_state *state;
    int current; /* size in use, -1: none */
    double left; /* iterations */
    struct table table;
    struct considered *considered;
    struct path path[2], stay;
    struct aim aim;
    struct candidate *candidates; /* [n] sizes that are looked at */
    size_t n;
    double deadline_s, budget; /* what is left of them; infinite: none */
    const struct path *chosen; /* what the run is to follow */
    bool met;                  /* some candidate keeps the limit; else the nearest is path[0] */
};

/* choice.c */

/** Tables of what is left. On failure, too, choice_end. */
parcast_status choice_begin(struct choice *choice, parcast_error *error);
void choice_end(struct choice *choice);
/** Considers sizes, for the deadline, or for the budget where the deadline's schedules exceed it. */
parcast_status choice_find(struct choice *choice, parcast_error *error);

/** The surest, and of these the best; not this size (-1: any). NULL: none keeps the limit. */
const struct candidate *choice_best(const struct choice *choice, int without);
/** NULL if the size is not looked at. */
const struct candidate *choice_candidate(const struct choice *choice, int size);
/** What is minimised, of a candidate's schedule. */
double choice_value(const struct choice *choice, const struct candidate *candidate);
/** How sure a schedule is; below 0: it does not keep the limit. */
double choice_surety(const struct choice *choice, const struct candidate *candidate);
/** Is a schedule within the limit with so much of the margin for all that it rests on? */
bool choice_stands(const struct choice *choice, const struct path *path, double part);
/** What is compared: where nothing keeps the limit that is what it limits. */
enum measure choice_objective(const struct choice *choice);

/* answer.c */

/** Nodes, outlook and reason for the schedule that was chosen; the motive is there. */
void choice_answer(const struct choice *choice, parcast_answer *answer);

#endif
