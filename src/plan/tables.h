/** A malleable program as a problem of the search, and the price of a move. */
#ifndef PARCAST_PLAN_TABLES_H
#define PARCAST_PLAN_TABLES_H

#include "parcast/plan.h"
#include "plan/problem.h"

/** What is paid for a second on a size: money, or nodes where there are no prices. */
double size_rate(const parcast_size *size);

/**
 * Standing still and paying for a move; from NULL: the first launch, start-up included in both. While it
 * stands still both sets of nodes are paid for; a growing program runs on while the new nodes start up and it
 * is launched there, and those are paid for.
 */
void move_price(const parcast_move_model *move, const parcast_size *from, const parcast_size *to,
                double *seconds, double *cost);

/** A problem that owns its tables. */
struct table {
    struct problem problem;
    double *block_s, *risk, *rate, *move_s, *move_cost;
};

/** Room for a problem; risk is 1, everything else 0. */
parcast_status table_create(size_t n_blocks, size_t n_sizes, struct table *table, parcast_error *error);
/** rate, and the moves between sizes. The last row, moves from the start, is that of a first launch. */
void table_fill_moves(struct table *table, const parcast_size *sizes, const parcast_move_model *move);
void table_clear(struct table *table);

#endif
