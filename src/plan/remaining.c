/* What is left of a run as a problem for the search: docs/models/plan.md, section 5. */
#include <math.h>
#include <stdlib.h>

#include "plan/decide.h"

enum { MOST_BLOCKS = 64 };

struct remaining {
    const parcast_decision *d;
    const parcast_run_state *state;
    int current; /* size in use, -1: none */
    struct table *table;
    double *all_s; /* [n_sizes] what is left, on a size throughout */
};

/* ---- iterations ---- */

static double block_edge(const struct remaining *r, size_t k)
{
    double now = r->d->belief.now;
    return now + (1 - now) * (double)k / (double)r->table->problem.n_blocks;
}

static void fill_blocks(struct remaining *r)
{
    const struct problem *p = &r->table->problem;
    for (size_t q = 0; q < p->n_sizes; q++) {
        r->table->rate[q] = size_rate(&r->d->malleable->sizes[q]);
        r->table->risk[q] = exp(r->d->options.z * belief_sd_ln(&r->d->belief, q));
    }
    for (size_t k = 0; k < p->n_blocks; k++)
        for (size_t q = 0; q < p->n_sizes; q++) {
            double block_s = belief_time_s(&r->d->belief, q, block_edge(r, k), block_edge(r, k + 1));
            r->table->block_s[k * p->n_sizes + q] = block_s;
            r->all_s[q] += block_s;
        }
}

/* ---- moves ---- */

/* What is ready between two looks waits for the second one. */
static double until_a_look(const parcast_decision *d, double ready_s)
{
    return d->look_s > 0 ? ceil(ready_s / d->look_s) * d->look_s : ready_s;
}

/*
 * A move from a size that runs. Until the others are ready and the program is launched there it goes on as it
 * is: that costs what the other size would have brought. Moves that lie ahead cost the same as one made now,
 * or each plan would put them off once more.
 */
static void price_move(struct remaining *r, size_t row, size_t p, size_t q, double startup_s)
{
    size_t n = r->table->problem.n_sizes;
    const parcast_size *from = &r->d->malleable->sizes[p];
    parcast_size to = r->d->malleable->sizes[q];
    double *seconds = &r->table->move_s[row * n + q], *cost = &r->table->move_cost[row * n + q];
    double from_rate = size_rate(from), to_rate = size_rate(&to), ratio = r->all_s[q] / r->all_s[p];
    to.startup_s = startup_s;
    move_price(&r->d->move, from, &to, seconds, cost);
    double ready_s = parcast_move_predict(&r->d->move, from, &to).beside_s;
    if (to.nodes > from->nodes) ready_s += startup_s;
    double delay_s = until_a_look(r->d, ready_s);
    *seconds += delay_s * fmax(0, 1 - ratio);
    *cost +=
        (delay_s - ready_s) * fmax(0, to_rate - from_rate) + delay_s * fmax(0, from_rate - to_rate * ratio);
}

/* The last row, from where the run is: nodes that are held already start up no more. */
static void fill_start(struct remaining *r, size_t q)
{
    size_t n = r->table->problem.n_sizes;
    parcast_size to = r->d->malleable->sizes[q];
    bool held = to.nodes <= r->state->nodes_held;
    bool again = r->state->iteration > 0 || r->state->elapsed_s > 0;
    if ((int)q == r->current) return;
    if (r->current >= 0) {
        price_move(r, n, (size_t)r->current, q, held ? 0 : to.startup_s);
        return;
    }
    if (held || again) to.startup_s = 0;
    move_price(&r->d->move, NULL, &to, &r->table->move_s[n * n + q], &r->table->move_cost[n * n + q]);
}

static void fill_moves(struct remaining *r)
{
    size_t n = r->table->problem.n_sizes;
    for (size_t q = 0; q < n; q++) {
        for (size_t p = 0; p < n; p++)
            if (p != q) price_move(r, p, p, q, r->d->malleable->sizes[q].startup_s);
        fill_start(r, q);
    }
}

parcast_status remaining_create(const parcast_decision *decision, const parcast_run_state *state, int current,
                                double left, struct table *table, parcast_error *error)
{
    size_t n_sizes = decision_usable(decision, state->nodes_available);
    size_t n_blocks = left < MOST_BLOCKS ? (size_t)ceil(left) : MOST_BLOCKS;
    struct remaining r = {decision, state, current, table, calloc(n_sizes, sizeof(double))};
    if (!r.all_s) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
    parcast_status status = table_create(n_blocks, n_sizes, table, error);
    if (!status) {
        fill_blocks(&r);
        fill_moves(&r);
    }
    free(r.all_s);
    return status;
}
