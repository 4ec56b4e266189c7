/*
 * Policy `reactive`: the rule of Raveendran, Bicer and Agrawal 2011, figure 1, for comparison. Every
 * `interval` iterations the mean iteration time since the (re)start is held against the required one: above
 * required + range the number of nodes doubles, below required - range it halves. The rule names no size; the
 * paper's experiments double and halve. Read literally the printed rule divides the time since the restart by
 * the iterations since the start; here both count since the restart. It looks at neither cost nor what a move
 * brings: that is its weakness, and what it is kept for.
 */
#include <math.h>
#include <stdio.h>

#include "plan/decide.h"
#include "plan/tables.h"

static size_t doubled(const parcast_decision *d, size_t size, size_t usable)
{
    int found = parcast_malleable_size(d->malleable, 2 * d->malleable->sizes[size].nodes);
    return found >= (int)usable ? usable - 1 : (size_t)found;
}

static size_t halved(const parcast_decision *d, size_t size)
{
    int found = parcast_malleable_size(d->malleable, d->malleable->sizes[size].nodes / 2);
    return found < 0 ? 0 : (size_t)found;
}

static size_t by_the_rule(parcast_decision *d, size_t size, size_t usable)
{
    const parcast_decision_options *o = &d->options;
    bool under_way = d->ordered >= 0 && (size_t)d->ordered < usable && (size_t)d->ordered != size;
    if (under_way) return (size_t)d->ordered; /* it is being launched */
    if (d->iterations_here - d->looked_at < o->interval) return size;
    d->looked_at = d->iterations_here;
    double mean_s = d->time_here_s / (double)d->iterations_here;
    if (mean_s > o->required_s + o->range_s) return doubled(d, size, usable);
    if (mean_s < o->required_s - o->range_s) return halved(d, size);
    return size;
}

/* As the rule sees it: what is left takes what it took until now. */
static void feedback(const parcast_decision *d, const parcast_run_state *state, size_t size,
                     parcast_answer *a)
{
    const parcast_size *to = &d->malleable->sizes[size];
    double left = decision_left(d, state), now = d->belief.now;
    struct outlook o = {.still_s = a->move.stop_s + a->move.move_s + a->move.launch_s};
    o.time_s = (int)size == decision_current(d, state) && d->iterations_here > 0
                   ? left * d->time_here_s / (double)d->iterations_here
                   : belief_time_s(&d->belief, size, now, 1);
    o.spread_s = o.time_s * d->belief.sd_ln[size];
    o.cost = (o.still_s + o.time_s) * size_rate(to);
    o.spread_cost = o.spread_s * size_rate(to);
    decision_feedback(d, state, &o, a);
}

parcast_status decide_reactive(parcast_decision *d, const parcast_run_state *state, parcast_answer *a,
                               parcast_error *error)
{
    (void)error;
    size_t usable = decision_usable(d, state->nodes_available);
    int current = decision_current(d, state);
    bool lost = current < 0 && (state->iteration > 0 || d->belief.n_samples > 0);
    size_t size = current < 0 ? (lost ? usable - 1 : 0) : by_the_rule(d, (size_t)current, usable);
    d->ordered = current >= 0 && (int)size != current ? (int)size : -1;
    const parcast_size *sizes = d->malleable->sizes;
    double mean_s = d->iterations_here > 0 ? d->time_here_s / (double)d->iterations_here : NAN;
    a->nodes = a->request_nodes = sizes[size].nodes;
    a->processes = sizes[size].processes;
    a->review_iteration = -1;
    a->motive = lost                   ? PARCAST_MOTIVE_LOST
                : current < 0          ? PARCAST_MOTIVE_START
                : (int)size == current ? PARCAST_MOTIVE_STAY
                                       : PARCAST_MOTIVE_REACTIVE;
    if ((int)size != current)
        a->move = parcast_move_predict(&d->move, current < 0 ? NULL : &sizes[current], &sizes[size]);
    const double ignorance = 1; /* of ln time */
    feedback(d, state, size, a);
    if (d->malleable->level_sd_ln > ignorance && d->belief.n_samples == 0) {
        a->end_s = a->end_low_s = a->end_high_s = a->deadline_probability = NAN;
        a->cost = a->cost_low = a->cost_high = NAN;
        a->deadline_met = a->budget_met = true; /* nothing is known yet that speaks against it */
    }
    if (current < 0)
        snprintf(a->reason, sizeof a->reason, "%s%d nodes", lost ? "nodes are gone; " : "", a->nodes);
    else
        snprintf(a->reason, sizeof a->reason, "mean iteration time %.4g s, required %.4g s +- %.4g s", mean_s,
                 d->options.required_s, d->options.range_s);
    return PARCAST_OK;
}
