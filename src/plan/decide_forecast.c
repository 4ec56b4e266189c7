/*
 * Policy `forecast`: the best schedule of what is left, from where the run is; its first step is made when it
 * pays back, or when staying misses the goal. docs/models/plan.md, section 5.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/units.h"
#include "plan/decide.h"
#include "plan/tables.h"

/* One decision while it is being made. */
struct choice {
    parcast_decision *d;
    const parcast_run_state *state;
    int current; /* size in use, -1: none */
    double left; /* iterations */
    struct table table;
    struct workspace *workspace;
    struct path path[2], stay;
    struct path
        eased[2]; /* as path[0] without the margin: what is left of it is used up as the run goes on */
    bool has_eased;
    bool begins_eased;         /* the two have changed places */
    double deadline_s, budget; /* what is left of them; infinite: none */
    double reserve;            /* of the one that limits: what a correction would take */

    enum measure objective; /* what is compared where nothing forces a move */
    enum measure expected;  /* the limited one, without the margin for uncertainty */
    double limit;           /* of it */
    bool met;               /* path[0] keeps the limit, at least without the margin */
};

static parcast_status begin(struct choice *c, parcast_error *error)
{
    parcast_status status = remaining_create(c->d, c->state, c->current, c->left, &c->table, error);
    if (!status) status = workspace_create(&c->table.problem, &c->workspace, error);
    for (int i = 0; i < 2 && !status; i++) status = path_create(&c->table.problem, &c->path[i], error);
    for (int i = 0; i < 2 && !status; i++) status = path_create(&c->table.problem, &c->eased[i], error);
    if (!status) status = path_create(&c->table.problem, &c->stay, error);
    if (!status && c->current >= 0) path_fixed(&c->table.problem, (size_t)c->current, &c->stay);
    return status;
}

static void end(struct choice *c)
{
    for (int i = 0; i < 2; i++) path_clear(&c->path[i]);
    for (int i = 0; i < 2; i++) path_clear(&c->eased[i]);
    path_clear(&c->stay);
    workspace_destroy(&c->workspace);
    table_clear(&c->table);
}

/* ---- the best schedule ---- */

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

/* Within the limit with the margin for uncertainty, else without it, else as near as can be. */
static parcast_status search(struct choice *c, enum measure least, enum measure limited,
                             enum measure with_margin, double limit, parcast_error *error)
{
    struct found found, eased = {.met = false};
    c->objective = least;
    c->expected = limited;
    c->limit = limit;
    c->reserve = reserve_of(c, limited, limit);
    parcast_status status = constrained_search(&c->table.problem, c->workspace, least, with_margin,
                                               limit - c->reserve, c->path, &found, error);
    if (status) return status;
    c->has_eased = c->met = found.met;
    if (found.met)
        return constrained_search(&c->table.problem, c->workspace, least, limited, limit - c->reserve,
                                  c->eased, &eased, error);
    status =
        constrained_search(&c->table.problem, c->workspace, least, limited, limit, c->path, &found, error);
    if (status) return status;
    c->met = found.met;
    if (!found.met) c->objective = limited; /* nothing keeps it: the nearest */
    return PARCAST_OK;
}

static parcast_status find_schedule(struct choice *c, parcast_error *error)
{
    bool deadline = isfinite(c->deadline_s), budget = isfinite(c->budget);
    if (!deadline) return search(c, MEASURE_TIME, MEASURE_COST, MEASURE_LATE_COST, c->budget, error);
    parcast_status status = search(c, MEASURE_COST, MEASURE_TIME, MEASURE_LATE, c->deadline_s, error);
    if (!status && budget && c->path[0].total[MEASURE_COST] > c->budget)
        status = search(c, MEASURE_TIME, MEASURE_COST, MEASURE_LATE_COST, c->budget, error);
    return status;
}

/* ---- what is sure first ---- */

static enum measure with_margin(enum measure measure)
{
    return measure == MEASURE_TIME ? MEASURE_LATE : MEASURE_LATE_COST;
}

/* `size` for the first n blocks, then the present one. */
static void fill_turned(const struct choice *c, size_t size, size_t n, struct path *path)
{
    for (size_t k = 0; k < c->table.problem.n_blocks; k++)
        path->size[k] = (uint16_t)(k < n ? size : (size_t)c->current);
    path_measure(&c->table.problem, path);
}

/*
 * A schedule that stays for now and keeps the limit by a move that lies ahead rests on a size that may not
 * have run yet, and each plan after it puts the move off again until it cannot help any more. Where the same
 * two sizes keep the limit in the other order for hardly more, they are taken in that order: what is left to
 * decide is cheap.
 */
static void take_sure_part_first(struct choice *c)
{
    const double hardly = 1.02;
    const struct problem *p = &c->table.problem;
    size_t n = p->n_blocks, k = 0, low = 1, high = n;
    enum measure late = with_margin(c->expected);
    if (c->current < 0 || !c->has_eased || c->stay.total[late] <= c->limit - c->reserve) return;
    while (k < n && c->path[0].size[k] == c->current) k++;
    if (k == 0 || k == n) return;
    size_t size = c->path[0].size[k];
    while (low < high) { /* the fewest blocks: more of them take less of what is limited */
        size_t middle = (low + high) / 2;
        fill_turned(c, size, middle, &c->path[1]);
        if (c->path[1].total[late] <= c->limit - c->reserve)
            high = middle;
        else
            low = middle + 1;
    }
    fill_turned(c, size, low, &c->path[1]);
    if (c->path[1].total[late] > c->limit - c->reserve ||
        c->path[1].total[c->objective] > hardly * c->path[0].total[c->objective])
        return;
    path_copy(p, &c->path[1], &c->path[0]);
}

/* ---- the first size ---- */

/* Least of the limited measure, margin and all, when the first blocks run on a size and the rest where it is
   best. */
static double recourse(struct choice *c, size_t size, size_t n_first)
{
    const struct problem *p = &c->table.problem;
    struct path *path = &c->path[1];
    double best = INFINITY;
    for (size_t q = 0; q < p->n_sizes; q++) {
        for (size_t k = 0; k < p->n_blocks; k++) path->size[k] = (uint16_t)(k < n_first ? size : q);
        path_measure(p, path);
        best = fmin(best, path->total[with_margin(c->expected)]);
    }
    return best;
}

/* The margin is for what the first iterations will tell. A run need not begin with it when it keeps the limit
   even if it takes that part of the run to find out that it cannot do without. */
static void begin_without_margin(struct choice *c)
{
    const size_t one_in = 16;
    if (c->current >= 0 || !c->has_eased) return;
    size_t n_first = 1 + c->table.problem.n_blocks / one_in;
    if (recourse(c, c->eased[0].size[0], n_first) > c->limit - c->reserve) return;
    struct path careful = c->path[0];
    c->path[0] = c->eased[0];
    c->eased[0] = careful;
    c->begins_eased = true;
}

/* ---- is the first step worth it? ---- */

/* Standard deviation of what a change from the current size brings, in the measure of the objective. */
static double gain_sd(const struct choice *c, size_t to)
{
    const struct problem *p = &c->table.problem;
    const struct belief *b = &c->d->belief;
    size_t from = (size_t)c->current, n = p->n_sizes;
    bool money = c->objective == MEASURE_COST;
    double from_s = 0, to_s = 0, there = 0;
    for (size_t k = 0; k < p->n_blocks; k++) { /* as long as the schedule stays there */
        if (c->path[0].size[k] != to) break;
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

/* Where the limit is missed anyway nothing is gained by being sure first. */
static bool pays_back(const struct choice *c, size_t to)
{
    const struct problem *p = &c->table.problem;
    size_t n = p->n_sizes;
    double move = (c->objective == MEASURE_COST ? p->move_cost : p->move_s)[n * n + to];
    double gain = c->stay.total[c->objective] - c->path[0].total[c->objective]; /* the move is in it once */
    double z = c->met ? c->d->options.z : 0;
    return gain >= (c->d->options.payback_ratio - 1) * move + z * gain_sd(c, to);
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
    const double kept = 0.4, of_reserve = 0.5;
    double expected = c->stay.total[c->expected];
    double margin = c->stay.total[with_margin(c->expected)] - expected;
    return expected + kept * margin > c->limit - of_reserve * c->reserve;
}

static parcast_motive motive_of(const struct choice *c, size_t to)
{
    bool forced = c->met && stay_misses(c);
    if (forced && too_early(c, true)) return PARCAST_MOTIVE_WAITING;
    if (forced) return c->expected == MEASURE_TIME ? PARCAST_MOTIVE_DEADLINE : PARCAST_MOTIVE_BUDGET;
    if (!pays_back(c, to)) return PARCAST_MOTIVE_STAY;
    if (too_early(c, false)) return PARCAST_MOTIVE_WAITING;
    return c->objective == MEASURE_COST ? PARCAST_MOTIVE_CHEAPER : PARCAST_MOTIVE_FASTER;
}

/* ---- an order that is under way ---- */

/* The size that was ordered in place of the one that the schedule begins with. */
static void fill_ordered(const struct choice *c, size_t ordered, struct path *path)
{
    const struct problem *p = &c->table.problem;
    size_t k = 0;
    path_copy(p, &c->path[0], path);
    while (k < p->n_blocks && c->path[0].size[k] == c->path[0].size[0]) path->size[k++] = (uint16_t)ordered;
    path_measure(p, path);
}

/*
 * What was ordered is being launched, and its nodes are paid for: another order begins anew. Each sample
 * moves the best size a little; so an order stands as long as it would be given for its own sake, keeps the
 * limit, and the best schedule is hardly better. A budget that is better kept by staying takes it back.
 */
static void keep_order(struct choice *c)
{
    const double hardly = 1.1;
    int ordered = c->d->ordered, first = c->path[0].size[0];
    if (c->current < 0 || ordered < 0 || ordered == c->current || ordered == first ||
        (size_t)ordered >= c->table.problem.n_sizes || (c->expected == MEASURE_COST && first == c->current))
        return;
    fill_ordered(c, (size_t)ordered, &c->path[1]);
    const double *kept = c->path[1].total, *found = c->path[0].total;
    if ((c->met && kept[c->expected] > c->limit - c->reserve) ||
        kept[c->objective] > hardly * found[c->objective])
        return;
    const struct choice before = *c;
    c->path[0] = before.path[1];
    c->path[1] = before.path[0];
    c->has_eased = false; /* belongs to the other schedule */
    parcast_motive motive = motive_of(c, (size_t)ordered);
    if (motive == PARCAST_MOTIVE_STAY || motive == PARCAST_MOTIVE_WAITING) *c = before;
}

static void note_order(const struct choice *c, const parcast_answer *a)
{
    int size = parcast_malleable_size(c->d->malleable, a->nodes);
    c->d->ordered = c->current >= 0 && size != c->current ? size : -1;
}

/* ---- the answer ---- */

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
    size_t n = p->n_sizes;
    bool money = c->objective == MEASURE_COST;
    double per_block = c->left / (double)p->n_blocks;
    double from = p->block_s[c->current] * (money ? p->rate[c->current] : 1);
    double then = p->block_s[to] * (money ? p->rate[to] : 1);
    double move = (money ? p->move_cost : p->move_s)[n * n + to];
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
    const parcast_goal *goal = &c->d->goal;
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

/* The margin is for what is not known yet; on average it is used up when it is known. The run ends between
   the schedule with it and the one without. */
static void ease(const struct choice *c, parcast_answer *a)
{
    struct outlook outlook = outlook_of(c, &c->eased[0]);
    parcast_answer eased = *a;
    decision_feedback(c->d, c->state, &outlook, &eased);
    if (!c->begins_eased) {
        a->end_s = eased.end_s;
        a->cost = eased.cost;
    }
    a->end_low_s = fmin(a->end_low_s, eased.end_low_s);
    a->end_high_s = fmax(a->end_high_s, eased.end_high_s);
    a->cost_low = fmin(a->cost_low, eased.cost_low);
    a->cost_high = fmax(a->cost_high, eased.cost_high);
}

static void conclude(const struct choice *c, const struct path *path, parcast_answer *a)
{
    const parcast_malleable *m = c->d->malleable;
    const parcast_size *to = &m->sizes[path->size[0]];
    struct outlook outlook = outlook_of(c, path);
    a->nodes = to->nodes;
    a->processes = to->processes;
    if ((int)path->size[0] != c->current)
        a->move = parcast_move_predict(&c->d->move, c->current < 0 ? NULL : &m->sizes[c->current], to);
    if (c->current >= 0 && (int)path->size[0] != c->current)
        a->break_even_iterations = break_even(c, path->size[0]);
    decision_feedback(c->d, c->state, &outlook, a);
    if (c->has_eased && path == &c->path[0]) ease(c, a);
    look_ahead(c, path, a);
    say(c, a);
}

static void choose(const struct choice *c, parcast_answer *a)
{
    bool first = c->state->iteration == 0 && c->state->nodes == 0 && c->d->belief.n_samples == 0;
    size_t to = c->path[0].size[0];
    if (c->current < 0) {
        a->motive = first ? PARCAST_MOTIVE_START : PARCAST_MOTIVE_LOST;
    } else if ((int)to == c->current) {
        a->motive = PARCAST_MOTIVE_STAY;
    } else {
        a->motive = motive_of(c, to);
        bool stays = a->motive == PARCAST_MOTIVE_STAY || a->motive == PARCAST_MOTIVE_WAITING;
        conclude(c, stays ? &c->stay : &c->path[0], a);
        return;
    }
    conclude(c, &c->path[0], a);
}

/* Nobody knows how long the program takes: it begins, and what it is measured at first decides. Where time
   counts it begins on all nodes, which costs a few iterations there; where money alone counts, on the fewest.
 */
static void begin_to_measure(const parcast_decision *d, const parcast_run_state *state, parcast_answer *a)
{
    bool thrifty = isnan(d->goal.deadline_s) && !isnan(d->goal.budget);
    size_t last = decision_usable(d, state->nodes_available) - 1;
    int current = decision_current(d, state);
    const parcast_size *size = &d->malleable->sizes[current >= 0 ? (size_t)current : thrifty ? 0 : last];
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
    parcast_status status = begin(&c, error);
    if (!status) status = find_schedule(&c, error);
    if (!status) take_sure_part_first(&c);
    if (!status) begin_without_margin(&c);
    if (!status) {
        keep_order(&c);
        choose(&c, answer);
        note_order(&c, answer);
    }
    end(&c);
    return status;
}
