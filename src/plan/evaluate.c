/* Times, cost and efficiency of a schedule: docs/models/plan.md, sections 2 and 3. */
#include "plan/evaluate.h"

#include <math.h>
#include <stdlib.h>

#include "plan/tables.h"

void parcast_plan_destroy(parcast_plan **plan)
{
    if (!plan || !*plan) return;
    free((*plan)->stretches);
    free(*plan);
    *plan = NULL;
}

/* Walks the blocks once. */
struct walk {
    const parcast_malleable *malleable;
    size_t block;
    int64_t done; /* iterations of the block */
};

static void walk_stretch(struct walk *walk, size_t size, int64_t n, double *time_s, double *serial_s)
{
    const parcast_malleable *m = walk->malleable;
    *time_s = *serial_s = 0;
    while (n > 0 && walk->block < m->n_blocks) {
        const parcast_block *block = &m->blocks[walk->block];
        int64_t left = block->n_iterations - walk->done, take = n < left ? n : left;
        *time_s += (double)take * m->iteration_s[walk->block * m->n_sizes + size];
        *serial_s += (double)take * block->serial_s;
        walk->done += take;
        n -= take;
        if (walk->done < block->n_iterations) continue;
        walk->block++;
        walk->done = 0;
    }
}

struct totals {
    double serial_s, held; /* core-seconds of work, and held */
    double node_s;
    double low_s, high_s;       /* of the iterations */
    double low_cost, high_cost; /* what these would take less, and more, than is expected */
    double still_s, work_s;
};

/* Something that sizes have, times the time that it is held: while it stands still both sizes are, and new
   nodes are while they start up. */
static double held_while(const parcast_stretch *s, double before, double now)
{
    return now * s->time_s + fmax(before, now) * s->move_s + fmax(0, now - before) * s->startup_s;
}

static void add_stretch(const parcast_malleable *m, struct walk *walk, const parcast_stretch *before,
                        size_t from, size_t size, parcast_stretch *s, struct totals *totals)
{
    const parcast_size *p = before ? &m->sizes[from] : NULL, *q = &m->sizes[size];
    double serial_s, cost;
    walk_stretch(walk, size, s->n_iterations, &s->time_s, &serial_s);
    move_price(&m->move, p, q, &s->move_s, &cost);
    s->startup_s = !p || q->nodes > p->nodes ? q->startup_s : 0;
    if (p && q->nodes > p->nodes) s->startup_s += parcast_move_predict(&m->move, p, q).beside_s;
    if (!p) s->move_s -= s->startup_s;
    s->start_s = (before ? before->start_s + before->time_s : s->startup_s) + s->move_s;
    s->nodes = q->nodes;
    s->processes = q->processes;
    s->cost = isnan(q->price_per_s) ? NAN : cost + q->price_per_s * s->time_s;
    s->efficiency_ratio = serial_s / (q->capacity * s->time_s);
    totals->serial_s += serial_s;
    totals->held += held_while(s, p ? p->capacity : 0, q->capacity);
    totals->node_s += held_while(s, p ? p->nodes : 0, q->nodes);
    totals->low_s += s->time_s * exp(-1.96 * q->sd_ln);
    totals->high_s += s->time_s * exp(1.96 * q->sd_ln);
    totals->low_cost += q->price_per_s * s->time_s * (1 - exp(-1.96 * q->sd_ln));
    totals->high_cost += q->price_per_s * s->time_s * (exp(1.96 * q->sd_ln) - 1);
    totals->work_s += s->time_s;
}

/* ---- what is charged ---- */

static double charged_s(double held_s, double unit_s)
{
    const double rounding = 1e-9; /* a sum of times that should be an hour is not a second hour */
    return unit_s > 0 ? ceil(held_s / unit_s * (1 - rounding)) * unit_s : held_s;
}

/* When the nodes that stretch k has no use for are given back. */
static double left_at(const parcast_malleable *m, const parcast_plan *plan, const size_t *sizes, size_t k)
{
    parcast_move_time move = parcast_move_predict(&m->move, &m->sizes[sizes[k - 1]], &m->sizes[sizes[k]]);
    return fmin(plan->stretches[k].start_s + move.held_s, plan->stretches[plan->n_stretches - 1].start_s +
                                                              plan->stretches[plan->n_stretches - 1].time_s);
}

/* Nodes that size i has and the smaller ones have not are held together: from the request, which is start-up
   before the move to them, until the move that leaves them has ended. */
static double charged_for_tier(const parcast_malleable *m, const parcast_plan *plan, const size_t *sizes,
                               size_t i)
{
    double sum = 0, from = NAN, to = NAN;
    for (size_t k = 0; k < plan->n_stretches; k++) {
        const parcast_stretch *s = &plan->stretches[k];
        bool last = k + 1 == plan->n_stretches;
        if (sizes[k] < i) continue;
        bool held = k > 0 && sizes[k - 1] >= i;
        double asked = fmax(0, s->start_s - s->move_s - s->startup_s);
        if (!held && !(asked <= to)) { /* not while they were still there */
            if (!isnan(from)) sum += charged_s(to - from, m->billing_unit_s);
            from = asked;
        }
        to = last ? s->start_s + s->time_s : left_at(m, plan, sizes, k + 1);
    }
    if (!isnan(from)) sum += charged_s(to - from, m->billing_unit_s);
    return sum;
}

static double charged(const parcast_malleable *m, const parcast_plan *plan, const size_t *sizes)
{
    double sum = 0, below = 0;
    for (size_t i = 0; i < m->n_sizes; i++) {
        double price = m->sizes[i].price_per_s;
        double held = charged_for_tier(m, plan, sizes, i);
        if (held == 0) break;          /* no stretch is that large */
        sum += (price - below) * held; /* NAN where a node that is used has no price */
        below = price;
    }
    return sum;
}

/* ---- a plan ---- */

/* The search and this file add in different orders. */
static bool within(double value, double limit)
{
    return value <= limit * (1 + 1e-9);
}

static void conclude(const parcast_malleable *m, const struct totals *totals, const size_t *sizes,
                     parcast_plan *plan)
{
    const parcast_stretch *last = &plan->stretches[plan->n_stretches - 1];
    plan->time_s = last->start_s + last->time_s;
    double still_s = plan->time_s - totals->work_s;
    plan->low_s = still_s + totals->low_s;
    plan->high_s = still_s + totals->high_s;
    plan->cost = charged(m, plan, sizes);
    plan->cost_low = plan->cost - totals->low_cost;
    plan->cost_high = plan->cost + totals->high_cost;
    plan->node_s = totals->node_s;
    plan->efficiency_ratio = totals->serial_s / totals->held;
    plan->deadline_met = isnan(plan->goal.deadline_s) || within(plan->time_s, plan->goal.deadline_s);
    plan->budget_met = isnan(plan->goal.budget) || within(plan->cost, plan->goal.budget);
    plan->bound = NAN;
}

parcast_status evaluate(const parcast_malleable *malleable, const parcast_plan_goal *goal,
                        const struct step *steps, size_t n, parcast_plan **plan, parcast_error *error)
{
    parcast_plan *p = calloc(1, sizeof *p);
    parcast_stretch *stretches = calloc(n, sizeof *stretches);
    size_t *sizes = calloc(n, sizeof *sizes);
    if (!p || !stretches || !sizes) {
        free(p);
        free(stretches);
        free(sizes);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    }
    *p = (parcast_plan){.goal = *goal, .stretches = stretches, .n_stretches = n};
    struct walk walk = {.malleable = malleable};
    struct totals totals = {.serial_s = 0};
    int64_t all = parcast_malleable_iterations(malleable);
    for (size_t i = 0; i < n; i++) {
        int64_t to = i + 1 < n ? steps[i + 1].from_iteration : all;
        stretches[i].from_iteration = steps[i].from_iteration;
        stretches[i].n_iterations = to - steps[i].from_iteration;
        sizes[i] = steps[i].size;
        add_stretch(malleable, &walk, i ? &stretches[i - 1] : NULL, i ? sizes[i - 1] : 0, sizes[i],
                    &stretches[i], &totals);
    }
    conclude(malleable, &totals, sizes, p);
    free(sizes);
    *plan = p;
    return PARCAST_OK;
}

/* ---- which of two ---- */

static double money(const parcast_plan *plan)
{
    return isnan(plan->cost) ? plan->node_s : plan->cost;
}

static bool lower(double a, double b, double tie_a, double tie_b)
{
    return a < b || (a == b && tie_a < tie_b);
}

bool plan_better(const parcast_plan *a, const parcast_plan *b)
{
    double cost_a = money(a), cost_b = money(b);
    bool deadline = !isnan(a->goal.deadline_s), budget = !isnan(a->goal.budget);
    if (!deadline && !budget) return lower(a->time_s, b->time_s, cost_a, cost_b);
    bool met_a = a->deadline_met && a->budget_met, met_b = b->deadline_met && b->budget_met;
    if (met_a != met_b) return met_a;
    if (met_a)
        return deadline ? lower(cost_a, cost_b, a->time_s, b->time_s)
                        : lower(a->time_s, b->time_s, cost_a, cost_b);
    if (!budget) return lower(a->time_s, b->time_s, cost_a, cost_b);
    if (a->budget_met != b->budget_met) return a->budget_met;
    return a->budget_met ? lower(a->time_s, b->time_s, cost_a, cost_b)
                         : lower(cost_a, cost_b, a->time_s, b->time_s);
}
