/* Malleable programs that are made up, and random numbers that are the same everywhere. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdint.h>

#include "parcast/plan.h"

/* SplitMix64 */
uint64_t scenario_bits(uint64_t *state);
double scenario_uniform(uint64_t *state, double low, double high);
double scenario_normal(uint64_t *state);

/* T_k(p) = work[k] serial_s (fixed + (1 - fixed) / p) + p_cost_s (p - 1), one node a processor, prices equal.
 */
struct scenario {
    int n_blocks;
    int64_t iterations_per_block;
    int n_sizes;
    const int *nodes;   /* [n_sizes]; NULL: 1, 2, ..., n_sizes */
    const double *work; /* [n_blocks]; NULL: 1 */
    double serial_s;    /* of an iteration */
    double fixed_ratio;
    double p_cost_s;
    double price_per_hour; /* NAN: none */
    double startup_s;
    double sd_ln;
    double billing_unit_s;
    parcast_move_model move;
};

/* A move that takes so long and no bytes. */
parcast_move_model scenario_move(double seconds);
parcast_malleable *scenario_create(const struct scenario *scenario);
/* An empty one; block k on size q takes iteration_s[k * n_sizes + q]. */
parcast_malleable *scenario_table(int n_blocks, int n_sizes, const int *nodes, const double *iteration_s,
                                  const double *serial_s);

#endif
