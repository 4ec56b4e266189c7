/*
 * A station and a delay that n customers alternate between: the CPU of a node and everything else.
 *
 * The number j at the station has the weights
 *     u_j = u_{j-1} (n - j + 1) D / (Z a(j)),    a(j) = a(m) for j > m.
 * Only sums of positive numbers occur; the weights are wide numbers, for n and modes of any size. By Little
 * the residence is q Z/(n - q), q the mean of j. Every ln u_j has the slope j in ln D and -j in ln Z, so the
 * derivative of q in ln D is the variance of j.
 */
#include "closed.h"
#include "wide.h"

/* u_j / u_{j-1} */
static double ratio_of(const struct shape *shape, size_t n, double load, size_t j)
{
    return (double)(n - j + 1) * load / shape_rate(shape, j < shape->m ? j : shape->m);
}

double queueing_finite_source(const struct shape *shape, size_t n, double demand_s, double delay_s,
                              double *idle, double *variance)
{
    double load = demand_s / delay_s;
    struct wide weight = {1, 0}, highest = weight;
    size_t mode = 0;
    for (size_t j = 1; j <= n; j++) {
        weight = wide_scale(weight, ratio_of(shape, n, load, j));
        if (wide_less(weight, highest)) continue;
        highest = weight;
        mode = j;
    }
    double total = 0, first = 0, second = 0,
           away = 0; /* moments about the mode: no cancellation in the variance */
    weight = (struct wide){1, 0};
    for (size_t j = 0; j <= n; j++) {
        if (j > 0) weight = wide_scale(weight, ratio_of(shape, n, load, j));
        double share = wide_ratio(weight, highest), distance = (double)j - (double)mode;
        total += share;
        first += share * distance;
        away += share * (double)(n - j);
        second += share * distance * distance;
    }
    double mean = first / total;
    if (idle) *idle = away / total;
    if (variance) *variance = second / total - mean * mean;
    return (double)mode + mean;
}
