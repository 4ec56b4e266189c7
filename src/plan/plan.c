/* Plans: the best fixed size, and the best schedule that varies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/units.h"
#include "plan/evaluate.h"
#include "plan/tables.h"

static parcast_status check_goal(const parcast_malleable *m, const parcast_plan_goal *goal,
                                 parcast_error *error)
{
    if (!isnan(goal->deadline_s) && (!isfinite(goal->deadline_s) || goal->deadline_s < 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a deadline of %g s is none",
                                 goal->deadline_s);
    if (isnan(goal->budget)) return PARCAST_OK;
    if (!isfinite(goal->budget) || goal->budget < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a budget of %g is none", goal->budget);
    if (!isnan(m->sizes[0].price_per_s)) return PARCAST_OK;
    parcast_error_set(error, PARCAST_INVALID, m->platform, 0, "a budget needs the prices of all nodes");
    parcast_error_hint(error, "give price_per_hour of the nodes in the platform file");
    return PARCAST_INVALID;
}

/* Keeps the better of two plans and destroys the other. */
static void keep_better(parcast_plan **best, parcast_plan *other)
{
    if (*best && !plan_better(other, *best)) {
        parcast_plan_destroy(&other);
        return;
    }
    parcast_plan_destroy(best);
    *best = other;
}

static parcast_status best_fixed(const parcast_malleable *m, const parcast_plan_goal *goal,
                                 parcast_plan **plan, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t q = 0; q < m->n_sizes && !status; q++) {
        parcast_plan *one;
        struct step step = {0, q};
        status = evaluate(m, goal, &step, 1, &one, error);
        if (!status) keep_better(plan, one);
    }
    return status;
}

/* ---- a schedule that varies ---- */

static parcast_status table_of(const parcast_malleable *m, struct table *table, parcast_error *error)
{
    parcast_status status = table_create(m->n_blocks, m->n_sizes, table, error);
    if (status) return status;
    table_fill_moves(table, m->sizes, &m->move);
    for (size_t k = 0; k < m->n_blocks; k++)
        for (size_t q = 0; q < m->n_sizes; q++)
            table->block_s[k * m->n_sizes + q] =
                (double)m->blocks[k].n_iterations * m->iteration_s[k * m->n_sizes + q];
    return PARCAST_OK;
}

static parcast_status evaluate_path(const parcast_malleable *m, const parcast_plan_goal *goal,
                                    const struct path *path, parcast_plan **plan, parcast_error *error)
{
    struct step *steps = calloc(m->n_blocks, sizeof *steps);
    if (!steps) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    size_t n = 0;
    int64_t iteration = 0;
    for (size_t k = 0; k < m->n_blocks; k++) {
        if (k == 0 || path->size[k] != path->size[k - 1])
            steps[n++] = (struct step){iteration, path->size[k]};
        iteration += m->blocks[k].n_iterations;
    }
    parcast_status status = evaluate(m, goal, steps, n, plan, error);
    free(steps);
    return status;
}

/* The measure to minimise, the one that is limited, and the limit. */
struct aim {
    enum measure least, limited;
    double limit;
};

static struct aim aim_of(const parcast_plan_goal *goal)
{
    if (!isnan(goal->deadline_s)) return (struct aim){MEASURE_COST, MEASURE_TIME, goal->deadline_s};
    if (!isnan(goal->budget)) return (struct aim){MEASURE_TIME, MEASURE_COST, goal->budget};
    return (struct aim){MEASURE_TIME, MEASURE_COST, INFINITY};
}

struct elastic {
    const parcast_malleable *m;
    const parcast_plan_goal *goal;
    struct table table;
    struct workspace *workspace;
    struct path path[2];
};

static parcast_status search(struct elastic *e, struct aim aim, struct found *found, parcast_plan **best,
                             double *overshoot, parcast_error *error)
{
    parcast_plan *plan;
    parcast_status status = constrained_search(&e->table.problem, e->workspace, aim.least, aim.limited,
                                               aim.limit, e->path, found, error);
    if (!status) status = evaluate_path(e->m, e->goal, &e->path[0], &plan, error);
    if (status) return status;
    *overshoot = isnan(plan->cost) ? 0 : plan->cost - e->path[0].total[MEASURE_COST];
    keep_better(best, plan);
    return PARCAST_OK;
}

/* The search does not know billing units: a budget is searched again, less by what rounding up took. */
static parcast_status search_rounded(struct elastic *e, struct aim aim, struct found *found,
                                     parcast_plan **best, parcast_error *error)
{
    enum { TRIES = 4 };
    double overshoot, limit = aim.limit;
    parcast_status status = search(e, aim, found, best, &overshoot, error);
    struct found again = *found;
    for (int i = 0;
         i < TRIES && !status && aim.limited == MEASURE_COST && again.met && overshoot > 1e-9 * limit; i++) {
        double tighter = limit - overshoot;
        if (tighter >= aim.limit || tighter < 0) break;
        aim.limit = tighter;
        status = search(e, aim, &again, best, &overshoot, error);
    }
    return status;
}

static parcast_status best_elastic(struct elastic *e, parcast_plan **best, double *bound,
                                   parcast_error *error)
{
    struct found found;
    bool both = !isnan(e->goal->deadline_s) && !isnan(e->goal->budget);
    parcast_status status = search_rounded(e, aim_of(e->goal), &found, best, error);
    *bound = found.bound;
    if (!status && both && !((*best)->deadline_met && (*best)->budget_met)) {
        struct aim within_budget = {MEASURE_TIME, MEASURE_COST, e->goal->budget};
        status = search_rounded(e, within_budget, &found, best, error);
        *bound = NAN;
    }
    return status;
}

static parcast_status make_elastic(const parcast_malleable *m, const parcast_plan_goal *goal,
                                   parcast_plan **best, double *bound, parcast_error *error)
{
    struct elastic e = {.m = m, .goal = goal};
    parcast_status status = table_of(m, &e.table, error);
    if (!status) status = workspace_create(&e.table.problem, &e.workspace, error);
    for (int i = 0; i < 2 && !status; i++) status = path_create(&e.table.problem, &e.path[i], error);
    if (!status) status = best_elastic(&e, best, bound, error);
    for (int i = 0; i < 2; i++) path_clear(&e.path[i]);
    workspace_destroy(&e.workspace);
    table_clear(&e.table);
    return status;
}

/* ---- in words ---- */

static const char *amount(double value, const char *unit, char *text, size_t size)
{
    snprintf(text, size, "%.4g %.16s", value, unit);
    return text;
}

static void give_reason(const parcast_malleable *m, const parcast_plan *fixed, parcast_plan *plan)
{
    char time[32], limit[32], cost[40], budget[40];
    const char *kind = plan->elastic ? "schedule" : "node count";
    parcast_units_format_time(plan->time_s, time, sizeof time);
    parcast_units_format_time(plan->goal.deadline_s, limit, sizeof limit);
    amount(plan->cost, m->currency, cost, sizeof cost);
    amount(plan->goal.budget, m->currency, budget, sizeof budget);
    size_t moves = plan->n_stretches - 1;
    if (!plan->budget_met)
        snprintf(plan->reason, sizeof plan->reason, "no %s stays within %s: the cheapest costs %s", kind,
                 budget, cost);
    else if (!plan->deadline_met)
        snprintf(plan->reason, sizeof plan->reason, "no %s ends within %s%s: the nearest takes %s", kind,
                 limit, isnan(plan->goal.budget) ? "" : " and the budget", time);
    else if (moves > 0 && !isnan(plan->cost) && fixed->deadline_met == plan->deadline_met)
        snprintf(plan->reason, sizeof plan->reason,
                 "%zu move%s: %.1f %% %s money and %.1f %% %s time than the best fixed count, %d nodes",
                 moves, moves == 1 ? "" : "s", 100 * fabs(1 - plan->cost / fixed->cost),
                 plan->cost <= fixed->cost ? "less" : "more", 100 * fabs(1 - plan->time_s / fixed->time_s),
                 plan->time_s <= fixed->time_s ? "less" : "more", fixed->stretches[0].nodes);
    else if (moves > 0)
        snprintf(plan->reason, sizeof plan->reason, "%zu move%s: no fixed node count does as well", moves,
                 moves == 1 ? "" : "s");
    else
        snprintf(plan->reason, sizeof plan->reason, "%s %s", plan->elastic ? "no move pays back; the" : "the",
                 !isnan(plan->goal.deadline_s)
                     ? (isnan(plan->cost) ? "fewest node-seconds that meet the deadline"
                                          : "cheapest node count that meets the deadline")
                 : !isnan(plan->goal.budget) ? "fastest node count within the budget"
                                             : "fastest node count");
}

parcast_status parcast_plan_create(const parcast_malleable *malleable, const parcast_plan_goal *goal,
                                   bool elastic, parcast_plan **plan, parcast_error *error)
{
    parcast_plan *fixed = NULL, *best = NULL;
    double bound = NAN;
    parcast_status status = check_goal(malleable, goal, error);
    if (!status) status = best_fixed(malleable, goal, &fixed, error);
    if (!status && elastic) status = make_elastic(malleable, goal, &best, &bound, error);
    if (status || !fixed) {
        parcast_plan_destroy(&fixed);
        parcast_plan_destroy(&best);
        return status;
    }
    parcast_plan *chosen = best && plan_better(best, fixed) ? best : fixed;
    chosen->elastic = elastic;
    chosen->bound = bound;
    give_reason(malleable, fixed, chosen);
    if (best != chosen) parcast_plan_destroy(&best);
    if (fixed != chosen) parcast_plan_destroy(&fixed);
    *plan = chosen;
    return PARCAST_OK;
}

parcast_status parcast_plan_evaluate(const parcast_malleable *malleable, const parcast_plan_goal *goal,
                                     const parcast_stretch *stretches, size_t n_stretches,
                                     parcast_plan **plan, parcast_error *error)
{
    int64_t all = parcast_malleable_iterations(malleable);
    parcast_status status = check_goal(malleable, goal, error);
    if (status) return status;
    if (n_stretches == 0 || stretches[0].from_iteration != 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a schedule begins at iteration 0");
    struct step *steps = calloc(n_stretches, sizeof *steps);
    if (!steps) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    for (size_t i = 0; i < n_stretches && !status; i++) {
        int size = parcast_malleable_size(malleable, stretches[i].nodes);
        int64_t from = stretches[i].from_iteration;
        if (size < 0 || malleable->sizes[size].nodes != stretches[i].nodes) {
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                       "%d nodes are no size of this plan, which knows %d to %d",
                                       stretches[i].nodes, malleable->sizes[0].nodes,
                                       malleable->sizes[malleable->n_sizes - 1].nodes);
            parcast_error_hint(error, "the platform file and --nodes say how many there are");
        } else if (from >= all || (i > 0 && from <= steps[i - 1].from_iteration)) {
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                       "a schedule's iterations ascend and lie below %lld", (long long)all);
            parcast_error_hint(error, "--iterations says how many the run has");
        }
        if (!status) steps[i] = (struct step){from, (size_t)size};
    }
    if (!status) status = evaluate(malleable, goal, steps, n_stretches, plan, error);
    free(steps);
    if (status) return status;
    (*plan)->elastic = n_stretches > 1;
    snprintf((*plan)->reason, sizeof(*plan)->reason, "the schedule that was asked for");
    return PARCAST_OK;
}
