/*
 * Policy `forecast`: the best schedule of what is left, from where the run is; its first step is made when it
 * pays back, or when staying misses the goal. docs/models/plan.md, section 5.
 */
#include <math.h>
#include <stdio.h>

#include "plan/choice.h"

/* ---- is another size worth it? ---- */

/* Standard deviation of what a change from the current size brings, in the measure of the objective. */
static double gain_sd(const struct choice *c, const struct path *path)
{
    const struct problem *p = &c->table.problem;
    const struct belief *b = &c->d->belief;
    size_t from = (size_t)c->current, n = p->n_sizes, to = path->size[0];
    bool money = choice_objective(c) == MEASURE_COST;
    double from_s = 0, to_s = 0, there = 0;
    for (size_t k = 0; k < p->n_blocks; k++) { /* as long as the schedule stays there */
        if (path->size[k] != to) break;
        from_s += p->block_s[k * n + from];
        to_s += p->block_s[k * n + to];
        there++;
    }
    if (money) {
        from_s *= p->rate[from];
        to_s *= p->rate[to];
    }
    double variance = from_s * from_s * belief_covariance(b, from, from) +
                      to_s * to_s * belief_covariance(b, to, to) -
                      2 * from_s * to_s * belief_covariance(b, from, to);
    double move = (money ? p->move_cost : p->move_s)[n * n + to] * c->d->move_sd_ratio;
    return there > 0 ? sqrt(fmax(variance, 0) + move * move) : 0;
}

/* What the first move of a schedule takes of the objective. */
static double move_of(const struct choice *c, const struct path *path)
{
    const struct problem *p = &c->table.problem;
    return (choice_objective(c) == MEASURE_COST ? p->move_cost
                                                : p->move_s)[p->n_sizes * p->n_sizes + path->size[0]];
}

static double gain_of(const struct choice *c, const struct path *path)
{
    return c->stay.total[choice_objective(c)] - path->total[choice_objective(c)]; /* the move is in it once */
}

/* Where the limit is missed anyway nothing is gained by being sure first. A run that is well where it is does
   not leave for less than a fiftieth of the whole: its user was told how it ends. */
static bool pays_back(const struct choice *c, const struct path *path)
{
    const double least_part = c->aim.limited == MEASURE_COST ? CONSIDER_WORTH : 0.02, of_margin = 0.4;
    double needed = (c->d->options.payback_ratio - 1) * move_of(c, path);
    if (isinf(c->aim.limit))
        needed += c->d->options.z * gain_sd(c, path);
    else if (c->met)
        needed += of_margin * c->d->options.z * gain_sd(c, path) + least_part * c->aim.whole;
    return gain_of(c, path) >= needed;
}

/* Highest rate of moves; a goal in danger shortens the wait to twice the last move. */
static bool too_early(const struct choice *c, bool forced)
{
    const parcast_decision *d = c->d;
    if (d->last_move_s == 0 && d->n_moves == 0) return false;
    double wait = (forced ? 2 : d->options.stay_ratio) * d->last_move_s;
    return c->state->elapsed_s - d->last_move_at_s < wait || d->samples_here < (forced ? 3 : 2);
}

/* Does staying miss the limit? A part of the margin is kept here, too, or what ends near the limit would miss
   it every other time; the rest of it keeps decisions from oscillating. */
static bool stay_misses(const struct choice *c)
{
    const double kept = 0.4;
    return !choice_stands(c, &c->stay, kept);
}

/* ---- where to ---- */

/*
 * What was ordered is being launched, and its nodes are paid for: another order begins anew. It stands as
 * long as it is worth anything, or keeps the limit that staying misses, and no other is better by a tenth.
 */
static const struct candidate *still_ordered(const struct choice *c, const struct candidate *best,
                                             bool forced)
{
    const double hardly = 0.1, at_least = 0.25;
    const struct candidate *a = choice_candidate(c, c->d->ordered);
    if (!a || !best || !a->met || c->d->ordered == c->current || a->margin_z < fmin(best->margin_z, 0.4))
        return NULL;
    if (!forced && gain_of(c, &a->path) < at_least * move_of(c, &a->path)) return NULL;
    return choice_value(c, a) <= choice_value(c, best) + hardly * c->aim.whole ? a : NULL;
}

/* A schedule that stays for now and keeps the limit by a move that lies ahead rests on a size that may not
   have run yet, and each plan after it would put the move off again until it cannot help any more. It waits
   only if that is worth something. */
static bool waits(const struct choice *c, const struct candidate *best)
{
    const double hardly = 0.02;
    const struct candidate *here = choice_candidate(c, c->current);
    return here && here->met && choice_surety(c, here) >= choice_surety(c, best) &&
           choice_value(c, here) < choice_value(c, best) - hardly * c->aim.whole;
}

/* A run that leaves for fewer nodes and has to come back for its deadline gains hardly anything and moves
 * twice. */
static bool comes_back(const struct choice *c, const struct path *path)
{
    if (c->aim.limited != MEASURE_TIME) return false;
    for (size_t k = 1; k < c->table.problem.n_blocks; k++)
        if (path->size[k] > path->size[k - 1]) return true;
    return false;
}

/* A size that may turn out too dear, but then the run can still turn back. */
static bool is_worth_a_try(const struct choice *c, const struct path *path)
{
    const double much = 0.5;
    const struct candidate *a = choice_candidate(c, path->size[0]);
    return a && c->aim.limited == MEASURE_COST && a->margin_z >= c->d->options.z &&
           gain_of(c, path) > much * c->aim.whole;
}

/* Does a schedule take clearly less of what is limited? Where all sizes are alike in it a move helps nobody.
 */
static bool relieves(const struct choice *c, const struct path *path)
{
    const double clearly = 0.01;
    return path->total[c->aim.limited] < (1 - clearly) * c->stay.total[c->aim.limited];
}

static parcast_motive motive_forced(const struct choice *c, const struct path *path)
{
    if (!relieves(c, path)) return PARCAST_MOTIVE_STAY;
    if (too_early(c, true)) return PARCAST_MOTIVE_WAITING;
    return c->aim.limited == MEASURE_TIME ? PARCAST_MOTIVE_DEADLINE : PARCAST_MOTIVE_BUDGET;
}

static parcast_motive motive_free(const struct choice *c, const struct path *path, bool ordered)
{
    if (!ordered && (!pays_back(c, path) || (c->met && comes_back(c, path)))) return PARCAST_MOTIVE_STAY;
    if (!ordered && c->met && !choice_stands(c, path, 1) && !is_worth_a_try(c, path))
        return PARCAST_MOTIVE_STAY;
    if (too_early(c, false)) return PARCAST_MOTIVE_WAITING;
    return choice_objective(c) == MEASURE_COST ? PARCAST_MOTIVE_CHEAPER : PARCAST_MOTIVE_FASTER;
}

/* A few seconds tell little of a run, and what is slow then may be what launches leave behind. As long as a
   goal can surely be reached later as well the first word is not the last. */
static bool is_young(const struct choice *c, const struct candidate *here)
{
    const double most_s = 10, part = 0.1;
    double here_s = c->d->time_here_s;
    return here && here->margin_z >= c->d->options.z &&
           here_s < fmin(most_s, part * (here_s + c->stay.total[MEASURE_TIME]));
}

/* From the size that it is on: the motive, and the schedule to follow. */
static parcast_motive choose_from_here(struct choice *c)
{
    const struct candidate *here = choice_candidate(c, c->current), *best = choice_best(c, c->current);
    bool forced = c->met && stay_misses(c);
    const struct path *next = best ? &best->path : &c->path[0];
    c->chosen = here && here->met ? &here->path : &c->stay;
    if (c->met && !best) return PARCAST_MOTIVE_STAY; /* only this one keeps the limit */
    if (!c->met && c->path[0].size[0] == c->current) {
        c->chosen = &c->path[0];
        return PARCAST_MOTIVE_STAY;
    }
    const struct candidate *ordered = still_ordered(c, best, forced);
    if (ordered) next = &ordered->path;
    if (c->met && waits(c, best)) return PARCAST_MOTIVE_STAY;
    if (forced && !ordered && is_young(c, here)) return PARCAST_MOTIVE_STAY;
    parcast_motive motive = forced ? motive_forced(c, next) : motive_free(c, next, ordered != NULL);
    if (motive != PARCAST_MOTIVE_STAY && motive != PARCAST_MOTIVE_WAITING) c->chosen = next;
    return motive;
}

static void note_order(const struct choice *c, const parcast_answer *a)
{
    int size = parcast_malleable_size(c->d->malleable, a->nodes);
    c->d->ordered = c->current >= 0 && size != c->current ? size : -1;
}

static void choose(struct choice *c, parcast_answer *a)
{
    bool first = c->state->iteration == 0 && c->state->nodes == 0 && c->d->belief.n_samples == 0;
    if (c->current < 0) {
        const struct candidate *best = choice_best(c, -1);
        a->motive = first ? PARCAST_MOTIVE_START : PARCAST_MOTIVE_LOST;
        c->chosen = best ? &best->path : &c->path[0];
    } else {
        a->motive = choose_from_here(c);
    }
    choice_answer(c, a);
}

/*
 * Where to begin when nothing is known. A budget begins on the fewest nodes, the least time on all. A
 * deadline begins on half of what there is: one that needs less or more than that by much is rare, and a move
 * away from all of them costs more than few iterations on them can save.
 */
static size_t first_to_measure(const parcast_decision *d, size_t usable)
{
    const parcast_size *sizes = d->malleable->sizes;
    size_t q = 0;
    if (isnan(d->goal.deadline_s)) return isnan(d->goal.budget) ? usable - 1 : 0;
    while (q + 1 < usable && sizes[q].capacity < 0.5 * sizes[usable - 1].capacity) q++;
    return q;
}

/* Nobody knows how long the program takes: it begins, and what it is measured at first decides. Where time
   counts it begins on all nodes, which costs a few iterations there; where money alone counts, on the fewest.
 */
static void begin_to_measure(const parcast_decision *d, const parcast_run_state *state, parcast_answer *a)
{
    int current = decision_current(d, state);
    size_t first = first_to_measure(d, decision_usable(d, state->nodes_available));
    const parcast_size *size = &d->malleable->sizes[current >= 0 ? (size_t)current : first];
    a->nodes = a->request_nodes = size->nodes;
    a->processes = size->processes;
    a->motive = current >= 0           ? PARCAST_MOTIVE_STAY
                : state->iteration > 0 ? PARCAST_MOTIVE_LOST
                                       : PARCAST_MOTIVE_START;
    if (current < 0) a->move = parcast_move_predict(&d->move, NULL, size);
    a->end_s = a->end_low_s = a->end_high_s = a->deadline_probability = NAN;
    a->cost = a->cost_low = a->cost_high = NAN;
    a->deadline_met = a->budget_met = true;
    a->review_iteration = -1;
    snprintf(a->reason, sizeof a->reason,
             "nothing is known of the program yet: its first iterations are "
             "measured on %d node%s",
             size->nodes, size->nodes == 1 ? "" : "s");
}

parcast_status decide_forecast(parcast_decision *d, const parcast_run_state *state, parcast_answer *answer,
                               parcast_error *error)
{
    const double ignorance = 1; /* of ln time */
    const size_t few = 3;       /* the first one has what a launch brings along */
    if (d->malleable->level_sd_ln > ignorance && d->belief.n_samples < few) {
        begin_to_measure(d, state, answer);
        return PARCAST_OK;
    }
    struct choice c = {.d = d,
                       .state = state,
                       .current = decision_current(d, state),
                       .left = decision_left(d, state),
                       .deadline_s =
                           isnan(d->goal.deadline_s) ? INFINITY : d->goal.deadline_s - state->elapsed_s,
                       .budget = isnan(d->goal.budget) ? INFINITY : d->goal.budget - decision_cost(d, state)};
    parcast_status status = choice_begin(&c, error);
    if (!status) status = choice_find(&c, error);
    if (!status) {
        choose(&c, answer);
        note_order(&c, answer);
    }
    choice_end(&c);
    return status;
}
