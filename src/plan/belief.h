/**
 * What is believed of iteration times on every size: the forecast, corrected by what this run has shown.
 * docs/models/plan.md, section 4.
 */
#ifndef PARCAST_PLAN_BELIEF_H
#define PARCAST_PLAN_BELIEF_H

#include "parcast/plan.h"

/** Iterations [first, first + n) took so long on a size. */
struct sample {
    int64_t first, n;
    double time_s;
    size_t size;
    double besides_s; /* other than iterations there may be so much in it: after a launch the work before the
                         loop, first touch, cold caches */
};

/** How times change along the run beyond what the table says: ln factor = slope x shape(x), x = share done.
 */
enum trend_shape { TREND_NONE, TREND_POWER, TREND_EXPONENTIAL };
struct trend {
    enum trend_shape shape;
    double slope;
    double se;    /* of the slope */
    double reach; /* share of the run up to which it is followed; from there on times stay */
};
/** shape(x): ln(1 - x + end), or x. */
double trend_at(enum trend_shape shape, double x, double end);

/** One value on a straight line of a group: what a trend is fitted to. */
struct trend_point {
    double x, ln_ratio, weight;
    size_t group;
};
/**
 * The shape that explains the points within their groups best, TREND_NONE unless one does so clearly (slope
 * above four standard errors, and a change of 5 % or more over the points). Errors that last from point to
 * point count as the fewer points that they are.
 *
 * @param[in] end smallest share of the run: one iteration
 */
/** How much longer a mean of values is uncertain that are correlated from one to the next by so much. */
double correlation_inflates(double lag_products, double squares, double n);
struct trend trend_fit(const struct trend_point *points, size_t n, size_t n_groups, double end);

enum { BELIEF_SAMPLES = 256, BELIEF_MEASURED = 32 };

struct belief {
    const parcast_malleable *malleable; /* lent */
    double *cumulative;                 /* [n_blocks + 1][n_sizes] time of all blocks before */
    double *share;                      /* [n_blocks + 1] of the iterations, before a block */
    struct sample *samples;             /* [n_samples] in the order of the run, at most BELIEF_SAMPLES */
    size_t n_samples;

    /* Set by belief_update. */
    double iterations; /* of the whole run, as believed now */
    double now;        /* share of the run that levels refer to */
    struct trend trend;
    double *mean_ln, *sd_ln; /* [n_sizes] of ln (time / table) at `now` */
    double *solved;          /* [n_sizes][BELIEF_MEASURED] L^-1 k_q */
    size_t n_measured;       /* sizes that ran */
    double noise_ln;         /* standard deviation of one sample */
    double trend_sd_ln;      /* of ln of the time that is left: what the slope is uncertain by */
};

parcast_status belief_create(const parcast_malleable *malleable, struct belief *belief, parcast_error *error);
void belief_clear(struct belief *belief);
void belief_add(struct belief *belief, const struct sample *sample);
/** Everything that is believed, for a run of so many iterations of which `done` are done. */
void belief_update(struct belief *belief, double iterations, double done);

/** Time of the part [from, to) of the run (shares, 0 to 1) on a size by the table alone. */
double belief_table_s(const struct belief *belief, size_t size, double from, double to);
/** The same as believed. */
double belief_time_s(const struct belief *belief, size_t size, double from, double to);
/** Standard deviation of ln of the time that is left on a size. */
double belief_sd_ln(const struct belief *belief, size_t size);
/** Covariance of ln time of two sizes. */
double belief_covariance(const struct belief *belief, size_t a, size_t b);

#endif
