/* What is answered for a schedule: nodes, how the run will end, and why. */
#include <math.h>
#include <stdio.h>

#include "parcast/units.h"
#include "plan/choice.h"

static struct outlook outlook_of(const struct choice *c, const struct path *path)
{
    const struct problem *p = &c->table.problem;
    struct outlook o = {.cost = path->total[MEASURE_COST]};
    for (size_t k = 0; k < p->n_blocks; k++) {
        double block_s = p->block_s[k * p->n_sizes + path->size[k]];
        double spread_s = block_s * belief_sd_ln(&c->d->belief, path->size[k]);
        o.time_s += block_s;
        o.spread_s += spread_s;
        o.spread_cost += spread_s * p->rate[path->size[k]];
    }
    o.still_s = path->total[MEASURE_TIME] - o.time_s;
    return o;
}

static int64_t break_even(const struct choice *c, size_t to)
{
    const struct problem *p = &c->table.problem;
    bool money = choice_objective(c) == MEASURE_COST;
    double per_block = c->left / (double)p->n_blocks;
    double from = p->block_s[c->current] * (money ? p->rate[c->current] : 1);
    double then = p->block_s[to] * (money ? p->rate[to] : 1);
    double move = (money ? p->move_cost : p->move_s)[p->n_sizes * p->n_sizes + to];
    return from > then ? (int64_t)ceil(move / ((from - then) / per_block)) : -1;
}

/* Where the schedule changes its size next, and nodes that must be asked for now to be ready then. */
static void look_ahead(const struct choice *c, const struct path *path, parcast_answer *a)
{
    const struct problem *p = &c->table.problem;
    double until_s = 0;
    a->review_iteration = -1;
    a->request_nodes = a->nodes;
    for (size_t k = 1; k < p->n_blocks; k++) {
        until_s += p->block_s[(k - 1) * p->n_sizes + path->size[k - 1]];
        if (path->size[k] == path->size[k - 1]) continue;
        const parcast_size *next = &c->d->malleable->sizes[path->size[k]];
        const double early = 1.2; /* start-up is not known better */
        a->review_iteration = c->state->iteration + (int64_t)(c->left * (double)k / (double)p->n_blocks);
        if (next->nodes > a->nodes && until_s <= early * next->startup_s) a->request_nodes = next->nodes;
        return;
    }
}

static void say(const struct choice *c, parcast_answer *a)
{
    char time_s[32], limit[32];
    size_t size = sizeof a->reason;
    const parcast_plan_goal *goal = &c->d->goal;
    int n = 0;
    parcast_units_format_time(goal->deadline_s, limit, sizeof limit);
    switch (a->motive) {
    case PARCAST_MOTIVE_START:
    case PARCAST_MOTIVE_LOST:
        n = snprintf(a->reason, size, "%s%d node%s",
                     a->motive == PARCAST_MOTIVE_LOST ? "nodes are gone; " : "", a->nodes,
                     a->nodes == 1 ? "" : "s");
        break;
    case PARCAST_MOTIVE_DEADLINE:
        parcast_units_format_time(c->state->elapsed_s + c->stay.total[MEASURE_TIME], time_s, sizeof time_s);
        n = snprintf(a->reason, size, "on %d it would end after %s, the deadline is %s", c->state->nodes,
                     time_s, limit);
        break;
    case PARCAST_MOTIVE_BUDGET:
        n = snprintf(a->reason, size, "on %d it would cost %.4g, the budget is %.4g", c->state->nodes,
                     decision_cost(c->d, c->state) + c->stay.total[MEASURE_COST], goal->budget);
        break;
    case PARCAST_MOTIVE_FASTER:
    case PARCAST_MOTIVE_CHEAPER:
        n = snprintf(a->reason, size, "it pays back in %s after %lld iterations",
                     a->motive == PARCAST_MOTIVE_CHEAPER ? "money" : "time",
                     (long long)a->break_even_iterations);
        break;
    case PARCAST_MOTIVE_WAITING:
        n = snprintf(a->reason, size, "it should move, but the last move was too short ago");
        break;
    default:
        n = snprintf(a->reason, size, "no move pays back");
    }
    if (n < 0 || (size_t)n >= size) return;
    if (!a->deadline_met)
        snprintf(a->reason + n, size - (size_t)n, "; the deadline of %s cannot be met", limit);
    else if (!a->budget_met)
        snprintf(a->reason + n, size - (size_t)n, "; the budget of %.4g cannot be kept", goal->budget);
}

static void cover(const struct choice *c, const struct path *path, parcast_answer *a)
{
    double end_s = c->state->elapsed_s + path->total[MEASURE_TIME];
    double cost = a->cost - c->chosen->total[MEASURE_COST] + path->total[MEASURE_COST];
    a->end_low_s = fmin(a->end_low_s, end_s);
    a->end_high_s = fmax(a->end_high_s, end_s);
    a->cost_low = fmin(a->cost_low, cost);
    a->cost_high = fmax(a->cost_high, cost);
}

/* The run may end as other schedules do: the next best one if its own does not stand, and at the start those
   that are hardly dearer, for what is measured may make them the better ones. */
static void cover_corrections(const struct choice *c, parcast_answer *a)
{
    const double likely = 1.5, hardly = 0.05;
    const struct candidate *other = choice_best(c, c->chosen->size[0]);
    if (other && !choice_stands(c, c->chosen, likely)) cover(c, &other->path, a);
    uint16_t largest = 0;
    for (size_t k = 0; k < c->table.problem.n_blocks; k++)
        if (c->chosen->size[k] > largest) largest = c->chosen->size[k];
    struct path fixed = c->path[1]; /* whose room is free by now */
    path_fixed(&c->table.problem, largest, &fixed);
    cover(c, &fixed, a);
    for (size_t i = 0; i < c->n && c->current < 0; i++)
        if (c->candidates[i].met &&
            choice_value(c, &c->candidates[i]) <= c->chosen->total[c->aim.least] + hardly * c->aim.whole)
            cover(c, &c->candidates[i].path, a);
}

void choice_answer(const struct choice *c, parcast_answer *a)
{
    const parcast_malleable *m = c->d->malleable;
    const struct path *path = c->chosen;
    const parcast_size *to = &m->sizes[path->size[0]];
    struct outlook outlook = outlook_of(c, path);
    a->nodes = to->nodes;
    a->processes = to->processes;
    if ((int)path->size[0] != c->current)
        a->move = parcast_move_predict(&c->d->move, c->current < 0 ? NULL : &m->sizes[c->current], to);
    if (c->current >= 0 && (int)path->size[0] != c->current)
        a->break_even_iterations = break_even(c, path->size[0]);
    decision_feedback(c->d, c->state, &outlook, a);
    cover_corrections(c, a);
    look_ahead(c, path, a);
    say(c, a);
}
