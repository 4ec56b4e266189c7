/*
 * Least x with y within a limit (a constrained shortest path). Lagrange: for a weight m the path that
 * minimises x + m y is found exactly; m follows the chord between the best path within the limit (A) and the
 * best one beyond it (B), until no path lies below the chord. Then A and B are neighbours on the lower convex
 * hull of all paths, and x + m (y - limit) bounds every path within the limit from below (weak duality).
 * Paths between the two are made by crossing: A up to a block, B from there on, or the other way round; with
 * equal iterations that is all there is to find.
 */
#include <math.h>
#include <stdlib.h>

#include "plan/problem.h"

enum { MAX_WEIGHTS = 60 };

struct search {
    const struct problem *problem;
    struct workspace *workspace;
    enum measure least, limited;
    double limit;
    double tie; /* weight of the other measure where one alone is minimised */
};

static double x_of(const struct search *s, const struct path *path)
{
    return path->total[s->least];
}

static double y_of(const struct search *s, const struct path *path)
{
    return path->total[s->limited];
}

static double weighted(const struct search *s, double x_weight, double y_weight, struct path *path)
{
    double weight[MEASURES] = {0};
    weight[s->least] = x_weight;
    weight[s->limited] = y_weight;
    return dynamic_search(s->problem, s->workspace, weight, path);
}

/* A billionth of the smaller ends: ties are decided, the answer stays what it is. */
static double tie_weight(const struct search *s, struct path *scratch)
{
    double x = INFINITY, y = INFINITY;
    for (size_t q = 0; q < s->problem->n_sizes; q++) {
        path_fixed(s->problem, q, scratch);
        x = fmin(x, x_of(s, scratch));
        y = fmin(y, y_of(s, scratch));
    }
    return x > 0 && y > 0 ? 1e-9 * y / x : 0; /* of x, when y is minimised */
}

/* A in path[0], B in path[1]; returns the bound. */
static double descend(const struct search *s, struct path path[2], struct path *between)
{
    double bound = x_of(s, &path[1]);
    for (int i = 0; i < MAX_WEIGHTS; i++) {
        double dy = y_of(s, &path[1]) - y_of(s, &path[0]), dx = x_of(s, &path[0]) - x_of(s, &path[1]);
        if (!(dy > 0) || !(dx > 0)) break;
        double m = dx / dy, chord = x_of(s, &path[0]) + m * y_of(s, &path[0]);
        double value = weighted(s, 1, m, between);
        bound = fmax(bound, value - m * s->limit);
        if (value >= chord * (1 - 1e-12)) break;
        path_copy(s->problem, between, &path[y_of(s, between) <= s->limit ? 0 : 1]);
    }
    return bound;
}

/* ---- crossing ---- */

struct sums {
    double total[MEASURES];
};

/* tails[k]: blocks [k, n) of a path that runs on its size at k already. */
static void fill_tails(const struct problem *p, const struct path *path, struct sums *tails)
{
    size_t n = p->n_blocks;
    tails[n] = (struct sums){{0}};
    for (size_t k = n; k-- > 0;) {
        tails[k] = tails[k + 1];
        path_add_block(p, k, path->size[k], tails[k].total);
        if (k + 1 < n) path_add_move(p, path->size[k], path->size[k + 1], tails[k].total);
    }
}

/* The best block at which to change from `head` to `tail`'s path; n_blocks: never. */
static size_t best_crossing(const struct search *s, const struct path *head, const struct path *tail,
                            const struct sums *tails, double *best_x)
{
    const struct problem *p = s->problem;
    size_t n = p->n_blocks, best = n, from = p->n_sizes;
    struct sums sum = {{0}};
    for (size_t k = 0; k < n; k++) {
        if (k > 0) {
            struct sums crossed = sum;
            path_add_move(p, from, tail->size[k], crossed.total);
            double x = crossed.total[s->least] + tails[k].total[s->least];
            double y = crossed.total[s->limited] + tails[k].total[s->limited];
            if (y <= s->limit && x < *best_x) {
                *best_x = x;
                best = k;
            }
        }
        path_add_move(p, from, head->size[k], sum.total);
        path_add_block(p, k, head->size[k], sum.total);
        from = head->size[k];
    }
    return best;
}

/* The better of both crossings goes to path[0]. A goes first where both are as good: the sure part of the run
   first, and what is left to decide stays cheap. */
static void cross(const struct search *s, struct path path[2], struct sums *tails)
{
    size_t n = s->problem->n_blocks;
    double best_x = x_of(s, &path[0]);
    fill_tails(s->problem, &path[1], tails);
    size_t a_first = best_crossing(s, &path[0], &path[1], tails, &best_x);
    fill_tails(s->problem, &path[0], tails);
    double other_x = best_x * (1 - 1e-9);
    size_t b_first = best_crossing(s, &path[1], &path[0], tails, &other_x);
    if (b_first < n)
        for (size_t k = 0; k < b_first; k++) path[0].size[k] = path[1].size[k];
    else if (a_first < n)
        for (size_t k = a_first; k < n; k++) path[0].size[k] = path[1].size[k];
    path_measure(s->problem, &path[0]);
}

parcast_status constrained_search(const struct problem *problem, struct workspace *workspace,
                                  enum measure least, enum measure limited, double limit, struct path path[2],
                                  struct found *found, parcast_error *error)
{
    struct search s = {problem, workspace, least, limited, limit, 0};
    struct path between;
    struct sums *tails = calloc(problem->n_blocks + 1, sizeof *tails);
    if (!tails) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    parcast_status status = path_create(problem, &between, error);
    if (status) goto free_scratch;
    s.tie = tie_weight(&s, &between);
    *found = (struct found){.met = false, .bound = NAN};
    weighted(&s, s.tie, 1, &path[0]);
    if (y_of(&s, &path[0]) > limit) goto free_scratch;
    found->met = true;
    weighted(&s, 1, s.tie > 0 ? 1e-18 / s.tie : 0, &path[1]);
    if (y_of(&s, &path[1]) <= limit) {
        path_copy(problem, &path[1], &path[0]);
        found->bound = x_of(&s, &path[0]);
        goto free_scratch;
    }
    found->bound = descend(&s, path, &between);
    cross(&s, path, tails);

free_scratch:
    path_clear(&between);
    free(tails);
    return status;
}
