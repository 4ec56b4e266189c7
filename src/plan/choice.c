/* What every size is worth as the next one, and which is best. */
#include "plan/choice.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LOOKED_AT = 24 };

parcast_status choice_begin(struct choice *c, parcast_error *error)
{
    parcast_status status = remaining_create(c->d, c->state, c->current, c->left, &c->table, error);
    const struct problem *p = &c->table.problem;
    for (int i = 0; i < 2 && !status; i++) status = path_create(p, &c->path[i], error);
    if (!status) status = path_create(p, &c->stay, error);
    if (!status && c->current >= 0) path_fixed(p, (size_t)c->current, &c->stay);
    if (status) return status;
    c->candidates = calloc(MOST_LOOKED_AT, sizeof *c->candidates);
    if (!c->candidates) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    for (size_t i = 0; i < MOST_LOOKED_AT && !status; i++)
        status = path_create(p, &c->candidates[i].path, error);
    return status;
}

void choice_end(struct choice *c)
{
    for (int i = 0; i < 2; i++) path_clear(&c->path[i]);
    for (size_t i = 0; c->candidates && i < MOST_LOOKED_AT; i++) path_clear(&c->candidates[i].path);
    free(c->candidates);
    path_clear(&c->stay);
    considered_destroy(&c->considered);
    table_clear(&c->table);
}

/* ---- the goal ---- */

/*
 * A plan that uses a limit up to the last second cannot be corrected any more: a move takes time and money
 * itself, and new nodes start up. So it leaves what one move would take, at most a fiftieth of what is left;
 * and for the end of the program half a per cent of the deadline, or 1.5 of the budget, which are still there
 * then.
 */
static double reserve_of(const struct choice *c, enum measure limited, double limit)
{
    const double most = 0.02, time_for_the_end = 0.005, budget_for_the_end = 0.015;
    const parcast_size *sizes = c->d->malleable->sizes;
    size_t n = c->table.problem.n_sizes, from = c->current < 0 ? 0 : (size_t)c->current;
    bool time = limited == MEASURE_TIME;
    size_t to = time ? from + 1 : from - 1; /* upwards for time, downwards for money */
    double seconds = 0, cost = 0;
    if (n < 2 || !isfinite(limit)) return 0;
    if (to >= n) to = from > 0 ? from - 1 : 1;
    move_price(&c->d->move, &sizes[from], &sizes[to], &seconds, &cost);
    double delay_s = parcast_move_predict(&c->d->move, &sizes[from], &sizes[to]).beside_s;
    if (time && to > from) seconds += 0.5 * (delay_s + sizes[to].startup_s);
    if (!time) cost += 0.5 * delay_s * size_rate(&sizes[from]);
    return fmin(time ? seconds : cost, most * limit) +
           (time ? time_for_the_end * c->d->goal.deadline_s : budget_for_the_end * c->d->goal.budget);
}

/* What is spent of a measure and what is to come: the least money, the time as it is. */
static double whole_of(struct choice *c, enum measure least)
{
    const struct problem *p = &c->table.problem;
    double best = INFINITY;
    for (size_t q = 0; q < p->n_sizes; q++) {
        path_fixed(p, q, &c->path[1]);
        best = fmin(best, c->path[1].total[least]);
    }
    bool time = least == MEASURE_TIME;
    if (time && c->current >= 0) best = c->stay.total[least];
    double spent = time ? c->state->elapsed_s : decision_cost(c->d, c->state);
    return best + (isnan(spent) ? 0 : spent);
}

static struct aim aim_of(struct choice *c, bool for_budget)
{
    struct aim aim = {MEASURE_COST, MEASURE_TIME, c->deadline_s, 0, 0};
    if (for_budget) aim = (struct aim){MEASURE_TIME, MEASURE_COST, c->budget, 0, 0};
    aim.reserve = reserve_of(c, aim.limited, aim.limit);
    aim.whole = whole_of(c, aim.least);
    return aim;
}

/* ---- sizes that are looked at ---- */

static void add_candidate(struct choice *c, size_t size)
{
    if (size >= c->table.problem.n_sizes || c->n == MOST_LOOKED_AT) return;
    for (size_t i = 0; i < c->n; i++)
        if (c->candidates[i].size == size) return;
    c->candidates[c->n++].size = size;
}

/* All, where they are few; else those of the schedule that knows of no recourse, and some in between. */
static void gather(struct choice *c)
{
    const struct problem *p = &c->table.problem;
    c->n = 0;
    if (c->current >= 0) add_candidate(c, (size_t)c->current);
    if (c->d->ordered >= 0) add_candidate(c, (size_t)c->d->ordered);
    add_candidate(c, c->path[0].size[0]);
    for (size_t k = 1; k < p->n_blocks && c->n < MOST_LOOKED_AT / 2; k++)
        add_candidate(c, c->path[0].size[k]);
    size_t around = c->n;
    for (size_t i = 0; i < around && p->n_sizes > MOST_LOOKED_AT; i++) {
        add_candidate(c, c->candidates[i].size + 1);
        add_candidate(c, c->candidates[i].size - 1);
    }
    size_t room = MOST_LOOKED_AT - c->n;
    for (size_t i = 0; i < p->n_sizes && p->n_sizes <= MOST_LOOKED_AT; i++) add_candidate(c, i);
    for (size_t i = 0; room > 1 && i < room && p->n_sizes > MOST_LOOKED_AT;
         i++) /* denser where sizes are small */
        add_candidate(c, (size_t)lround(pow((double)p->n_sizes, (double)i / (double)(room - 1))) - 1);
}

static parcast_status consider_all(struct choice *c, const struct aim *aim, parcast_error *error)
{
    struct found found;
    const struct problem *p = &c->table.problem;
    struct workspace *workspace = NULL;
    c->aim = *aim;
    c->met = false;
    considered_destroy(&c->considered);
    parcast_status status = workspace_create(p, &workspace, error);
    if (!status)
        status =
            constrained_search(p, workspace, aim->least, aim->limited, aim->limit, c->path, &found, error);
    workspace_destroy(&workspace);
    if (!status) status = considered_create(c->d, p, aim, &c->considered, error);
    if (status) return status;
    gather(c);
    for (size_t i = 0; i < c->n && !status; i++) {
        status = consider(c->considered, c->current, c->candidates[i].size, &c->candidates[i], error);
        c->met = c->met || c->candidates[i].met;
    }
    return status;
}

double choice_value(const struct choice *c, const struct candidate *a)
{
    return a->path.total[c->aim.least];
}

/* Is a schedule within the limit with so much of the margin for all that it rests on? */
bool choice_stands(const struct choice *c, const struct path *path, double part)
{
    const double of_reserve = 0.5;
    double expected = path->total[c->aim.limited], late = path->total[measure_with_margin(c->aim.limited)];
    return isinf(c->aim.limit) ||
           expected + part * (late - expected) <= c->aim.limit - of_reserve * c->aim.reserve;
}

/* How sure a schedule is; below 0: it does not keep the limit. Money that is spent does not come back: where
   it is limited a run begins with a schedule that is likely to stand, and needs no correction. */
double choice_surety(const struct choice *c, const struct candidate *a)
{
    static const double parts[] = {0.6, 0.3, 0.15};
    const double z = c->d->options.z;
    if (!a->met) return -1;
    if (c->aim.limited == MEASURE_TIME) return a->margin_z;
    if (c->current >= 0)
        return a->margin_z >= z || choice_stands(c, &a->path, parts[0]) ? z + 1 : a->margin_z;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (choice_stands(c, &a->path, parts[i])) return z + parts[i];
    return a->margin_z;
}

static double moves_of(const struct choice *c, const struct candidate *a)
{
    const double likely = 0.6;
    size_t n = !choice_stands(c, &a->path, likely); /* it will hardly stay at that */
    for (size_t k = 1; k < c->table.problem.n_blocks; k++) n += a->path.size[k] != a->path.size[k - 1];
    return (double)n;
}

/* The surest, and of these the best; NULL: none keeps the limit. What is hardly worse and has fewer moves is
   better: each of them is a guess, and what the user is told at the start is to be what happens. */
const struct candidate *choice_best(const struct choice *c, int without)
{
    const double hardly = 0.02;
    double surest = 0, least = INFINITY;
    const struct candidate *best = NULL;
    for (size_t i = 0; i < c->n; i++)
        if ((int)c->candidates[i].size != without) surest = fmax(surest, choice_surety(c, &c->candidates[i]));
    for (size_t i = 0; i < c->n; i++)
        if ((int)c->candidates[i].size != without && choice_surety(c, &c->candidates[i]) >= surest)
            least = fmin(least, choice_value(c, &c->candidates[i]));
    for (size_t i = 0; i < c->n; i++) {
        const struct candidate *a = &c->candidates[i];
        if ((int)a->size == without || choice_surety(c, a) < surest ||
            choice_value(c, a) > least + hardly * c->aim.whole)
            continue;
        double moves = moves_of(c, a), before = best ? moves_of(c, best) : 0;
        if (!best || moves < before || (moves == before && choice_value(c, a) < choice_value(c, best)))
            best = a;
    }
    return best;
}

const struct candidate *choice_candidate(const struct choice *c, int size)
{
    for (size_t i = 0; i < c->n; i++)
        if ((int)c->candidates[i].size == size) return &c->candidates[i];
    return NULL;
}

parcast_status choice_find(struct choice *c, parcast_error *error)
{
    bool deadline = isfinite(c->deadline_s), budget = isfinite(c->budget);
    struct aim aim = aim_of(c, !deadline);
    parcast_status status = consider_all(c, &aim, error);
    const struct candidate *best = status ? NULL : choice_best(c, -1);
    const struct path *path = best ? &best->path : &c->path[0];
    if (status || !deadline || !budget || path->total[MEASURE_COST] <= c->budget) return status;
    aim = aim_of(c, true);
    return consider_all(c, &aim, error);
}

/* What is compared: where nothing keeps the limit that is what it limits. */
enum measure choice_objective(const struct choice *c)
{
    return c->met ? c->aim.least : c->aim.limited;
}
