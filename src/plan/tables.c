#include "plan/tables.h"

#include <math.h>
#include <stdlib.h>

double size_rate(const parcast_size *size)
{
    return isnan(size->price_per_s) ? size->nodes : size->price_per_s;
}

void move_price(const parcast_move_model *move, const parcast_size *from, const parcast_size *to,
                double *seconds, double *cost)
{
    parcast_move_time time = parcast_move_predict(move, from, to);
    double still_s = time.stop_s + time.move_s + time.launch_s;
    if (!from) {
        *seconds = to->startup_s + still_s;
        *cost = size_rate(to) * *seconds;
        return;
    }
    double more = size_rate(to) - size_rate(from);
    *seconds = still_s;
    *cost = still_s * fmax(size_rate(from), size_rate(to)) +
            (more > 0 ? more * (to->startup_s + time.beside_s) : -more * time.held_s);
}

void table_clear(struct table *table)
{
    free(table->block_s);
    free(table->risk);
    free(table->rate);
    free(table->move_s);
    free(table->move_cost);
    *table = (struct table){.block_s = NULL};
}

parcast_status table_create(size_t n_blocks, size_t n_sizes, struct table *t, parcast_error *error)
{
    *t = (struct table){.block_s = calloc(n_blocks * n_sizes, sizeof(double)),
                        .risk = calloc(n_sizes, sizeof(double)),
                        .rate = calloc(n_sizes, sizeof(double)),
                        .move_s = calloc((n_sizes + 1) * n_sizes, sizeof(double)),
                        .move_cost = calloc((n_sizes + 1) * n_sizes, sizeof(double))};
    if (!t->block_s || !t->risk || !t->rate || !t->move_s || !t->move_cost) {
        table_clear(t);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan of %zu x %zu",
                                 n_blocks, n_sizes);
    }
    for (size_t q = 0; q < n_sizes; q++) t->risk[q] = 1;
    t->problem = (struct problem){n_blocks, n_sizes, t->block_s, t->risk, t->rate, t->move_s, t->move_cost};
    return PARCAST_OK;
}

void table_fill_moves(struct table *t, const parcast_size *sizes, const parcast_move_model *move)
{
    size_t n = t->problem.n_sizes;
    for (size_t q = 0; q < n; q++) t->rate[q] = size_rate(&sizes[q]);
    for (size_t p = 0; p <= n; p++)
        for (size_t q = 0; q < n; q++)
            if (p != q)
                move_price(move, p < n ? &sizes[p] : NULL, &sizes[q], &t->move_s[p * n + q],
                           &t->move_cost[p * n + q]);
}
