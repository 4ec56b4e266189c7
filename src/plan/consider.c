/*
 * Choices with recourse. A size that has not run yet is uncertain, but not for long: a few iterations there
 * tell. So a schedule that begins with size q is made as it will be made then, with the uncertainty that q
 * leaves of the others,
 *
 *     var(p | q) = k(p, p) - k(p, q)^2 / (k(q, q) + s^2)
 *
 * and it is sure if the limit is kept when q turns out slower by z standard deviations, the others as much as
 * they go with it, and the run goes on where it is best from there.
 */
#include "plan/consider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct considered {
    const parcast_decision *d;
    const struct problem *problem;
    struct aim aim;
    struct workspace *workspace;
    struct path other;       /* what searches need beside the answer */
    double *risk;            /* [n_sizes] once the size is known */
    double *slow;            /* [n_sizes] factor if it turns out slow */
    double *move_s, *move_c; /* [n_sizes + 1][n_sizes] the problem's; the last row: from the size */
    struct problem rest;     /* the blocks after the first ones */
};

void considered_destroy(struct considered **considered)
{
    struct considered *c = *considered;
    if (!c) return;
    path_clear(&c->other);
    workspace_destroy(&c->workspace);
    free(c->risk);
    free(c->slow);
    free(c->move_s);
    free(c->move_c);
    free(c);
    *considered = NULL;
}

static double *copy_of(const double *values, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    if (copy) memcpy(copy, values, n * sizeof *copy);
    return copy;
}

parcast_status considered_create(const parcast_decision *decision, const struct problem *p,
                                 const struct aim *aim, struct considered **considered, parcast_error *error)
{
    struct considered *c = calloc(1, sizeof *c);
    if (!c) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    size_t n = p->n_sizes;
    *c = (struct considered){.d = decision,
                             .problem = p,
                             .aim = *aim,
                             .risk = calloc(n, sizeof *c->risk),
                             .slow = calloc(n, sizeof *c->slow),
                             .move_s = copy_of(p->move_s, (n + 1) * n),
                             .move_c = copy_of(p->move_cost, (n + 1) * n)};
    parcast_status status = PARCAST_OK;
    if (!c->risk || !c->slow || !c->move_s || !c->move_c)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    if (!status) status = workspace_create(p, &c->workspace, error);
    if (!status) status = path_create(p, &c->other, error);
    if (status)
        considered_destroy(&c);
    else
        *considered = c;
    return status;
}

enum measure measure_with_margin(enum measure measure)
{
    return measure == MEASURE_TIME ? MEASURE_LATE : MEASURE_LATE_COST;
}

/* ---- what will be known ---- */

static const double known_sd = 0.015; /* of ln time, after a few iterations */

static double sd_given(const struct belief *b, size_t p, size_t q)
{
    double with = belief_covariance(b, p, q), of_q = belief_covariance(b, q, q) + known_sd * known_sd;
    return sqrt(fmax(belief_covariance(b, p, p) - with * with / of_q, 0));
}

static void fill_risk(struct considered *c, size_t q)
{
    const double later_part = c->aim.limited == MEASURE_COST ? 1 : 0.4; /* time can be caught up */
    const struct belief *b = &c->d->belief;
    for (size_t p = 0; p < c->problem->n_sizes; p++)
        c->risk[p] = exp(later_part * c->d->options.z * hypot(sd_given(b, p, q), b->trend_sd_ln));
}

/* All times if q is slower by z standard deviations; the part of the others that it does not tell counts
 * half. */
static void fill_slow(struct considered *c, size_t q, double z)
{
    const struct belief *b = &c->d->belief;
    double sd = sqrt(fmax(belief_covariance(b, q, q), 1e-12));
    for (size_t p = 0; p < c->problem->n_sizes; p++) {
        double shift = belief_covariance(b, p, q) / sd;
        double own = p == q ? 0 : 0.5 * sd_given(b, p, q);
        c->slow[p] = exp(z * hypot(shift + own, b->trend_sd_ln));
    }
}

/* ---- the first blocks ---- */

/* Blocks after which it is known what an iteration takes on a size. */
static size_t first_blocks(const struct considered *c, int current, size_t q)
{
    const double few_iterations = 3, most_s = 2, most_part = 0.25;
    const struct problem *p = c->problem;
    if ((int)q == current && c->d->samples_here > 2) return 1;
    double left = fmax(1, c->d->belief.iterations * (1 - c->d->belief.now)),
           per_block = left / (double)p->n_blocks;
    double block_s = p->block_s[q], iteration_s = block_s / per_block;
    double n = ceil(fmax(few_iterations * iteration_s, most_s) / block_s);
    return (size_t)fmax(1, fmin(n, ceil(most_part * (double)p->n_blocks)));
}

/* ---- with recourse ---- */

/* Least of what is limited when all is slow: the first blocks on q, the rest where it is best. */
static double recourse(const struct considered *c, size_t q, size_t n_first)
{
    const struct problem *p = c->problem;
    size_t n = p->n_sizes;
    bool money = c->aim.limited == MEASURE_COST;
    const double *move = money ? p->move_cost : p->move_s;
    double first = move[n * n + q], best = INFINITY;
    for (size_t k = 0; k < n_first; k++)
        first += p->block_s[k * n + q] * c->slow[q] * (money ? p->rate[q] : 1);
    for (size_t to = 0; to < n; to++) {
        double rest = to == q ? 0 : move[q * n + to];
        for (size_t k = n_first; k < p->n_blocks; k++)
            rest += p->block_s[k * n + to] * c->slow[to] * (money ? p->rate[to] : 1);
        best = fmin(best, first + rest);
    }
    return best;
}

/* How much slower it may turn out to be. */
static double margin_of(struct considered *c, size_t q, size_t n_first)
{
    static const double parts[] = {1, 0.4, 0};
    if (isinf(c->aim.limit)) return c->d->options.z;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double z = parts[i] * c->d->options.z;
        fill_slow(c, q, z);
        if (recourse(c, q, n_first) <= c->aim.limit - parts[i] * c->aim.reserve) return z;
    }
    return -1;
}

/* ---- the schedule ---- */

static void begin_rest(struct considered *c, size_t q, size_t n_first)
{
    size_t n = c->problem->n_sizes;
    memcpy(c->move_s + n * n, c->problem->move_s + q * n, n * sizeof *c->move_s);
    memcpy(c->move_c + n * n, c->problem->move_cost + q * n, n * sizeof *c->move_c);
    c->rest = *c->problem;
    c->rest.n_blocks -= n_first;
    c->rest.block_s += n_first * n;
    c->rest.risk = c->risk;
    c->rest.move_s = c->move_s;
    c->rest.move_cost = c->move_c;
}

/* Under a budget: one larger size at most, for good. What mixes sizes uses a budget up to the last, and each
   move that turns out dearer than thought asks for another one. */
static void find_one_move(struct considered *c, size_t q, double limit, struct path *path)
{
    const enum measure late = measure_with_margin(c->aim.limited), least = c->aim.least;
    size_t to = q;
    path_fixed(&c->rest, q, path);
    double best = path->total[least] * (1 - CONSIDER_WORTH);
    for (size_t p = q + 1; p < c->rest.n_sizes; p++) {
        path_fixed(&c->rest, p, path);
        if (path->total[late] > limit || path->total[least] >= best) continue;
        best = path->total[least];
        to = p;
    }
    path_fixed(&c->rest, to, path);
}

/* The rest within the limit with the margin that is left then, else without it. */
static parcast_status find_rest(struct considered *c, size_t q, double limit, struct path *path,
                                parcast_error *error)
{
    struct found found;
    if (c->aim.limited == MEASURE_COST && isfinite(limit)) {
        find_one_move(c, q, limit, path);
        return PARCAST_OK;
    }
    struct path both[2] = {*path, c->other};
    parcast_status status =
        constrained_search(&c->rest, c->workspace, c->aim.least, measure_with_margin(c->aim.limited), limit,
                           both, &found, error);
    if (!status && !found.met)
        status = constrained_search(&c->rest, c->workspace, c->aim.least, c->aim.limited, limit, both, &found,
                                    error);
    *path = both[0];
    c->other = both[1];
    return status;
}

/* A schedule that stays is simpler, and it is known what it takes: moves must be worth something. */
static void prefer_to_stay(struct considered *c, size_t q, double limit, struct path *path)
{
    const double hardly = 0.02;
    path_fixed(&c->rest, q, &c->other);
    if (c->other.total[measure_with_margin(c->aim.limited)] <= limit &&
        c->other.total[c->aim.least] <= path->total[c->aim.least] + hardly * c->aim.whole)
        path_copy(&c->rest, &c->other, path);
}

parcast_status consider(struct considered *c, int current, size_t q, struct candidate *candidate,
                        parcast_error *error)
{
    const struct problem *p = c->problem;
    struct path *path = &candidate->path;
    size_t n_first = first_blocks(c, current, q);
    double spent[MEASURES] = {0};
    if (n_first > p->n_blocks) n_first = p->n_blocks;
    candidate->size = q;
    candidate->margin_z = margin_of(c, q, n_first);
    path_add_move(p, p->n_sizes, q, spent);
    for (size_t k = 0; k < n_first; k++) path_add_block(p, k, q, spent);
    double limit = c->aim.limit - c->aim.reserve - spent[c->aim.limited];
    if (n_first < p->n_blocks) {
        fill_risk(c, q);
        begin_rest(c, q, n_first);
        parcast_status status = find_rest(c, q, limit, path, error);
        if (status) return status;
        if (c->aim.limited == MEASURE_TIME) prefer_to_stay(c, q, limit, path);
        memmove(path->size + n_first, path->size, (p->n_blocks - n_first) * sizeof *path->size);
    }
    for (size_t k = 0; k < n_first; k++) path->size[k] = (uint16_t)q;
    path_measure(p, path);
    candidate->met = path->total[c->aim.limited] <= c->aim.limit;
    candidate->margin_z = candidate->met ? fmax(candidate->margin_z, 0) : -1;
    return PARCAST_OK;
}
