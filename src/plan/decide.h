/** The state of the decisions of one run. */
#ifndef PARCAST_PLAN_DECIDE_H
#define PARCAST_PLAN_DECIDE_H

#include "parcast/decision.h"
#include "plan/belief.h"
#include "plan/problem.h"
#include "plan/tables.h"

struct parcast_decision {
    const parcast_malleable *malleable; /* lent */
    parcast_plan_goal goal;
    parcast_decision_options options; /* with defaults filled in */
    struct belief belief;

    parcast_move_model move;
    int n_moves; /* learned from, without the first launch */
    int n_launches;
    double move_sd_ratio; /* of the time of a move, against its prediction */

    /* Since the last move. */
    double last_move_s;    /* what it took; 0: none yet */
    double last_move_at_s; /* elapsed_s when it was first asked after it; NAN: not asked yet */
    int here;              /* size of the last sample, -1: none */
    int64_t iterations_here;
    double time_here_s;
    int samples_here;
    double settling_s; /* after a move what was sent beside it still travels */
    int ordered;       /* size that was ordered and has not been moved to, -1: none */
    double look_s;     /* from one look to the next: what was measured last took so long */
    int64_t looked_at; /* reactive: iterations_here at the last look */

    /* Own count of money, where the caller has none. */
    double spent, spent_until_s;
    int spent_nodes;
};

/** Sizes that fit the nodes that can be had: the first n. */
size_t decision_usable(const parcast_decision *decision, int nodes_available);
/** Index of the size in use; -1 when nothing runs or its nodes cannot be had any more. */
int decision_current(const parcast_decision *decision, const parcast_run_state *state);
double decision_cost(const parcast_decision *decision, const parcast_run_state *state);
/** Iterations that are left; at least one. */
double decision_left(const parcast_decision *decision, const parcast_run_state *state);

/**
 * What is left of a run as a problem: times as believed, the margin for uncertainty as risk, and moves.
 *
 * @param[in]  current size in use, -1: none
 * @param[in]  left    iterations
 * @param[out] table   table_clear
 */
parcast_status remaining_create(const parcast_decision *decision, const parcast_run_state *state, int current,
                                double left, struct table *table, parcast_error *error);

/** The policies. `answer` is zeroed and has no cost, probability or interval yet. */
parcast_status decide_forecast(parcast_decision *decision, const parcast_run_state *state,
                               parcast_answer *answer, parcast_error *error);
parcast_status decide_reactive(parcast_decision *decision, const parcast_run_state *state,
                               parcast_answer *answer, parcast_error *error);

/** Fill in times, cost and feedback of an answer for a path of iteration times on sizes. */
struct outlook {
    double still_s;     /* of moves to come */
    double time_s;      /* of iterations to come */
    double spread_s;    /* sum of time x sd_ln: standard deviation of time_s */
    double cost;        /* to come; NAN without prices */
    double spread_cost; /* standard deviation of cost */
};
void decision_feedback(const parcast_decision *decision, const parcast_run_state *state,
                       const struct outlook *outlook, parcast_answer *answer);

#endif
