/* How the work and the volume of a program grow: over its sizes, over the number of parts. */
#ifndef PARCAST_FORECAST_BOUND_FIT_H
#define PARCAST_FORECAST_BOUND_FIT_H

#include <stddef.h>

#include "parcast/error.h"

struct bound_value {
    double value, low, high;
    double loo_ratio; /* mean relative error of left-out points; NAN if it was not fitted */
    char form[96];
};

/*
 * y at x[k] from y[n] at points[n][k]. A point that was measured is taken as it is. With one parameter: whole
 * polynomials (what a block decomposition has in the side length, exactly) and the performance model normal
 * form compete by leave-one-out error; with several the normal form alone.
 *
 * PARCAST_DATA with fewer than three different points and none at x.
 */
parcast_status bound_fit_sizes(const double *points, const double *y, size_t n, size_t k, const double *x,
                               struct bound_value *result, parcast_error *error);

/*
 * Bytes between p parts from those at counts[n] (ascending, from 2): c s(p), or a sum of two, which is 0 for
 * one part; s is the fewest cuts into p equal blocks of one, two or three dimensions, or p^a - 1. A count
 * that is known is taken as it is. Counts that send nothing do not count for the others; the low end is 0 up
 * to the next one that sends anything.
 *
 * PARCAST_DATA without any count.
 */
parcast_status bound_fit_parts(const double *counts, const struct bound_value *bytes, size_t n, double p,
                               struct bound_value *result, parcast_error *error);

#endif
