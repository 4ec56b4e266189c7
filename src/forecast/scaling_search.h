/*
 * The parts of the search for a performance model normal form: clean points, shapes of sums of products, the
 * candidates that were tried.
 */
#ifndef PARCAST_FORECAST_SCALING_SEARCH_H
#define PARCAST_FORECAST_SCALING_SEARCH_H

#include "scaling_internal.h"

/* Measurements without repetitions, ordered by their coordinates. */
struct scaling_points {
    size_t n_parameters, n;
    double *x; /* [n][n_parameters] */
    double *y; /* [n] */
};

/* Check and copy; values of equal coordinates are averaged. `positive` asks for values above 0. */
parcast_status scaling_points_create(const parcast_scaling_data *data, bool positive,
                                     struct scaling_points *points, parcast_error *error);
/* Points over one parameter alone: averaged over the longest series that differ in nothing else and visit the
 * same values. */
parcast_status scaling_points_marginal(const struct scaling_points *points, size_t parameter,
                                       struct scaling_points *marginal, parcast_error *error);
void scaling_points_clear(struct scaling_points *points);
struct scaling_power_set scaling_points_powers(const struct scaling_points *points, size_t parameter,
                                               bool negative);

/* A sum of products: each term is the set (bit mask) of the parameters whose powers it multiplies. */
struct scaling_shape {
    size_t n_terms;
    unsigned masks[PARCAST_SCALING_MAX_TERMS];
};
enum { SCALING_MAX_SHAPES = 1024 };
/* The constant (no term) first, then all shapes that the search tries; returns their number. */
size_t scaling_shapes(size_t n_parameters, struct scaling_shape shapes[SCALING_MAX_SHAPES]);

#endif
