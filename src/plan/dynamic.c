/*
 * Dynamic programming over blocks and sizes. With V_k(p) the least weight of blocks k.. when block k runs on
 * p:
 *
 *     V_k(p) = w_k(p) + min over q of [ W(p, q) + V_k+1(q) ],   W(p, p) = 0
 *
 * Sizes are looked at in the order of V_k+1. As soon as V_k+1(q) + min W(p, .) is no better than the best so
 * far, no later q can be: with moves that cost about the same the inner minimum takes a few steps. The order
 * changes little from block to block, so insertion keeps it sorted in O(sizes).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/problem.h"

struct workspace {
    double *value, *next; /* [n_sizes] V_k, V_k+1 */
    double *rate;         /* [n_sizes] weight of a second on a size */
    double *move;         /* [n_sizes + 1][n_sizes] W */
    double *least_move;   /* [n_sizes + 1] min over q != p of W(p, q) */
    uint16_t *order;      /* [n_sizes] by next */
    uint16_t *choice;     /* [n_blocks][n_sizes] size of the next block */
};

void workspace_destroy(struct workspace **workspace)
{
    if (!workspace || !*workspace) return;
    struct workspace *w = *workspace;
    free(w->value);
    free(w->next);
    free(w->rate);
    free(w->move);
    free(w->least_move);
    free(w->order);
    free(w->choice);
    free(w);
    *workspace = NULL;
}

parcast_status workspace_create(const struct problem *problem, struct workspace **workspace,
                                parcast_error *error)
{
    size_t n = problem->n_sizes;
    struct workspace *w = calloc(1, sizeof *w);
    if (w) {
        w->value = calloc(n, sizeof *w->value);
        w->next = calloc(n, sizeof *w->next);
        w->rate = calloc(n, sizeof *w->rate);
        w->move = calloc((n + 1) * n, sizeof *w->move);
        w->least_move = calloc(n + 1, sizeof *w->least_move);
        w->order = calloc(n, sizeof *w->order);
        w->choice = calloc(problem->n_blocks * n, sizeof *w->choice);
    }
    if (!w || !w->value || !w->next || !w->rate || !w->move || !w->least_move || !w->order || !w->choice) {
        workspace_destroy(&w);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan of %zu x %zu",
                                 problem->n_blocks, n);
    }
    *workspace = w;
    return PARCAST_OK;
}

static void weigh(const struct problem *p, struct workspace *w, const double weight[MEASURES])
{
    double move_time = weight[MEASURE_TIME] + weight[MEASURE_LATE];
    double move_cost = weight[MEASURE_COST] + weight[MEASURE_LATE_COST];
    for (size_t q = 0; q < p->n_sizes; q++)
        w->rate[q] = weight[MEASURE_TIME] + weight[MEASURE_LATE] * p->risk[q] +
                     p->rate[q] * (weight[MEASURE_COST] + weight[MEASURE_LATE_COST] * p->risk[q]);
    for (size_t from = 0; from <= p->n_sizes; from++) {
        w->least_move[from] = INFINITY;
        for (size_t q = 0; q < p->n_sizes; q++) {
            size_t i = from * p->n_sizes + q;
            w->move[i] = move_time * p->move_s[i] + move_cost * p->move_cost[i];
            if (q != from) w->least_move[from] = fmin(w->least_move[from], w->move[i]);
        }
    }
}

static void sort_by_next(struct workspace *w, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint16_t q = w->order[i];
        size_t j = i;
        for (; j > 0 && w->next[w->order[j - 1]] > w->next[q]; j--) w->order[j] = w->order[j - 1];
        w->order[j] = q;
    }
}

/* min over q of W(from, q) + V(q); staying wins ties. */
static double best_next(const struct workspace *w, size_t from, size_t n, uint16_t *choice)
{
    double best = from < n ? w->next[from] : INFINITY;
    if (from < n) *choice = (uint16_t)from;
    for (size_t i = 0; i < n; i++) {
        uint16_t q = w->order[i];
        if (w->next[q] + w->least_move[from] >= best) break;
        double value = w->next[q] + w->move[from * n + q];
        if (value < best && q != from) {
            best = value;
            *choice = q;
        }
    }
    return best;
}

double dynamic_search(const struct problem *problem, struct workspace *w, const double weight[MEASURES],
                      struct path *path)
{
    size_t n = problem->n_sizes;
    weigh(problem, w, weight);
    memset(w->next, 0, n * sizeof *w->next);
    for (size_t q = 0; q < n; q++) w->order[q] = (uint16_t)q;
    for (size_t k = problem->n_blocks; k-- > 0;) {
        const double *block_s = problem->block_s + k * n;
        for (size_t p = 0; p < n; p++)
            w->value[p] = w->rate[p] * block_s[p] + best_next(w, p, n, &w->choice[k * n + p]);
        double *swap = w->next;
        w->next = w->value;
        w->value = swap;
        sort_by_next(w, n);
    }
    uint16_t size = w->order[0]; /* the row of the start has no size of its own */
    double least = best_next(w, n, n, &size);
    for (size_t k = 0; k < problem->n_blocks; k++) {
        path->size[k] = size;
        size = w->choice[k * n + size];
    }
    path_measure(problem, path);
    return least;
}
