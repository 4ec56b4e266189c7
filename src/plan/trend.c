/* Iterations that grow or shrink along the run in a way that the table does not know. */
#include <math.h>
#include <stdlib.h>

#include "plan/belief.h"

enum { LEAST_POINTS = 8 };

double trend_at(enum trend_shape shape, double x, double end)
{
    switch (shape) {
    case TREND_POWER:
        return log(fmax(1 - x, 0) + end);
    case TREND_EXPONENTIAL:
        return x;
    case TREND_NONE:
        break;
    }
    return 0;
}

struct group_sums {
    double weight, f, r;
};

struct line {
    double slope, se, rss, rss_flat, span;
};

/* Of a first-order autoregression: the variance of a mean is (1 + r) / (1 - r) times that of independent
   values. The estimate of r is drawn to 0 as if there were ten more values without correlation. */
double correlation_inflates(double lag_products, double squares, double n)
{
    const double prior_n = 10, most = 0.9;
    if (!(squares > 0)) return 1;
    double r = fmin(fmax(lag_products / squares * n / (n + prior_n), 0), most);
    return (1 + r) / (1 - r);
}

/* Of the residuals of a line: neighbours of one group. */
static double inflation(const struct trend_point *points, size_t n, enum trend_shape shape, double end,
                        const struct group_sums *groups, double slope)
{
    double products = 0, squares = 0, weights = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        const struct group_sums *g = &groups[points[i].group];
        double f = trend_at(shape, points[i].x, end) - g->f / g->weight;
        double r = points[i].ln_ratio - g->r / g->weight - slope * f;
        if (i > 0 && points[i].group == points[i - 1].group && points[i].weight == points[i - 1].weight)
            products += points[i].weight * r * before;
        squares += points[i].weight * r * r;
        weights += points[i].weight;
        before = r;
    }
    return correlation_inflates(products, squares, weights);
}

/* Least squares of one slope with an offset for each group. */
static void fit_line(const struct trend_point *points, size_t n, size_t n_groups, enum trend_shape shape,
                     double end, struct group_sums *groups, struct line *line)
{
    double ff = 0, fr = 0, rr = 0, low = INFINITY, high = -INFINITY;
    size_t used = 0;
    for (size_t g = 0; g < n_groups; g++) groups[g] = (struct group_sums){0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        struct group_sums *g = &groups[points[i].group];
        double f = trend_at(shape, points[i].x, end);
        used += g->weight == 0;
        g->weight += points[i].weight;
        g->f += points[i].weight * f;
        g->r += points[i].weight * points[i].ln_ratio;
        low = fmin(low, f);
        high = fmax(high, f);
    }
    for (size_t i = 0; i < n; i++) {
        const struct group_sums *g = &groups[points[i].group];
        double f = trend_at(shape, points[i].x, end) - g->f / g->weight,
               r = points[i].ln_ratio - g->r / g->weight;
        ff += points[i].weight * f * f;
        fr += points[i].weight * f * r;
        rr += points[i].weight * r * r;
    }
    *line = (struct line){.rss_flat = rr, .rss = rr, .se = INFINITY, .span = high - low};
    if (!(ff > 0) || n < used + LEAST_POINTS) return;
    line->slope = fr / ff;
    line->rss = fmax(rr - fr * fr / ff, 0);
    line->se =
        sqrt(line->rss / (double)(n - used - 1) / ff * inflation(points, n, shape, end, groups, line->slope));
}

static bool clear(const struct line *line)
{
    const double least_t = 4, least_change = 0.05, least_explained = 0.3, steepest = 6;
    return fabs(line->slope) > least_t * line->se && fabs(line->slope) * line->span > least_change &&
           line->rss < (1 - least_explained) * line->rss_flat && fabs(line->slope) < steepest;
}

/* What settles after a move falls, too, but not for long: the younger half of what was seen must show it as
 * well. */
static bool lasts(const struct trend_point *points, size_t n, size_t n_groups, enum trend_shape shape,
                  double end, struct group_sums *groups, double slope)
{
    const double least_part = 0.4;
    struct line young;
    fit_line(points + n / 2, n - n / 2, n_groups, shape, end, groups, &young);
    return isfinite(young.se) && young.slope / slope > least_part;
}

struct trend trend_fit(const struct trend_point *points, size_t n, size_t n_groups, double end)
{
    struct trend none = {TREND_NONE, 0, 0, 1};
    if (n < LEAST_POINTS) return none;
    struct group_sums *groups = calloc(n_groups, sizeof *groups);
    if (!groups) return none; /* the table stands */
    struct line power, exponential;
    fit_line(points, n, n_groups, TREND_POWER, end, groups, &power);
    fit_line(points, n, n_groups, TREND_EXPONENTIAL, end, groups, &exponential);
    bool power_lasts = clear(&power) && lasts(points, n, n_groups, TREND_POWER, end, groups, power.slope);
    bool exponential_lasts =
        clear(&exponential) && lasts(points, n, n_groups, TREND_EXPONENTIAL, end, groups, exponential.slope);
    free(groups);
    double first = 1, last = 0;
    for (size_t i = 0; i < n; i++) {
        first = fmin(first, points[i].x);
        last = fmax(last, points[i].x);
    }
    /* Work that shrinks tends to nothing at the end (LU); work that grows does not tend to infinity. */
    const double known = 0.2; /* of the run: from there on a power is taken for the law of the whole */
    bool shrinks = power_lasts && power.slope > 0;
    if (shrinks && power.rss <= exponential.rss * 1.5)
        return (struct trend){TREND_POWER, power.slope, power.se,
                              last - first >= known ? 1 : fmin(1, last + 3 * (last - first))};
    if (!exponential_lasts) return none;
    /* Nothing says that it goes on for ever: it is followed as far ahead as it was seen. */
    return (struct trend){TREND_EXPONENTIAL, exponential.slope, exponential.se, last + (last - first)};
}
