/*
 * Times of one program extrapolated from a few process counts.
 *
 * Law: ln T = ln W - ln p + ln(1 + (p/P)^g) + d(log2 p) + noise, without "- ln p" for weak scaling.
 *
 * g is near 1.2 for strong scaling: the overhead beside W/p is a serial part or latency (g = 1) that grows
 * like log p, and log p has the slope 1/ln p = 0.15..0.3 in log-log at the usual counts. Surfaces (g = 1/3)
 * and turning points (g = 2) lie in the tails. Weak scaling is the same without the 1.
 *
 * P is held by the overhead share at the largest count, (p_max/P)^g: some percent, within a factor of ten.
 *
 * d is a random walk over the doublings from the largest count, its variance per doubling that of the noise:
 * phases of a program differ, so that far points say less about the next doubling than near ones. The noise
 * is 6 % by prior, with the weight of three measurements.
 *
 * Given g and P the law is linear in ln W with a Student-t prediction in closed form; over them it is
 * averaged on a grid, so that there is no optimiser that can fail and no choice that hides what is not known.
 * The forecast is the median of the mixture.
 */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scaling_internal.h"

enum {
    MAX_COUNTS = 512,
    N_SHARES = 73,    /* log2 of overhead / work at the largest count, -20 .. 16 */
    N_EXPONENTS = 21, /* g, geometric */
    N_CDF = 4001,
};

static const struct prior {
    double share, share_sd;       /* log2 (p_max/P)^g: normal */
    double exponent, exponent_sd; /* ln g: normal */
    double wide_sd, wide_weight;  /* part of the prior of ln g that allows other kinds of overhead */
    double lowest, highest;       /* grid of g */
} strong_prior = {-3, 3.5, 1.2, 0.15, 0.6, 0.2, 0.2, 3.0},
  weak_prior = {-3, 3.5, 0.25, 0.5, 0.6, 0.2, 0.05, 1.5};

static const double noise_sd = 0.06, noise_weight = 3; /* prior of the noise */
static const double walk_ratio = 1;   /* variance of the walk per doubling / noise variance */
static const double packing_sd = 0.2; /* ln T per ln (processes per node): memory contention */

/* One pair (share, g) of the grid that is not negligible. */
struct law {
    double weight;
    double log2_share, exponent;
    double log_work;   /* ln W */
    double scatter_sq; /* sum of squares: prior, residuals, repetitions */
};

struct point {
    int processes, nodes;
    double doubling; /* log2 processes - log2 of the largest count, <= 0 */
    double log_time; /* weighted mean of ln T */
    double weight;
};

struct parcast_scaling_timings {
    bool weak, packed;    /* packed: the effect of processes per node is part of the model */
    size_t n_points;      /* all measurements */
    size_t m;             /* different (processes, nodes) */
    struct point *points; /* [m] ascending */
    double *precision;    /* [m][m] inverse covariance in units of the noise variance */
    double *row_sums;     /* [m] precision * 1 */
    double total;         /* 1' precision 1 */
    double repetition_sq; /* sum of squares within repetitions */
    struct law *laws;     /* [n_laws] */
    double *pulls;        /* [n_laws][m] precision * residuals */
    size_t n_laws;
    double degrees_of_freedom;
    double cdf[N_CDF]; /* Student's t at sqrt(nu) tan(angle), angle equidistant over (-pi/2, pi/2) */
    parcast_scaling_timings_summary summary;
};

static parcast_status out_of_memory(parcast_error *error)
{
    parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a scaling model");
    return PARCAST_MEMORY;
}

static int compare_points(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->processes != y->processes ? (x->processes > y->processes) - (x->processes < y->processes)
                                        : (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

static parcast_status check(const parcast_scaling_timing *points, size_t n, parcast_error *error)
{
    if (n == 0) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "no times to fit");
        return PARCAST_DATA;
    }
    for (size_t i = 0; i < n; i++) {
        const parcast_scaling_timing *t = &points[i];
        if (t->processes < 1 || t->nodes < 0 || t->nodes > t->processes)
            return parcast_error_set(error, PARCAST_DATA, NULL, 0, "time %zu: %d processes on %d nodes",
                                     i + 1, t->processes, t->nodes);
        if (!(t->time_s > 0) || !isfinite(t->time_s) || !(t->weight >= 0) || !isfinite(t->weight))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                     "time %zu: %g s with weight %g is no measurement", i + 1, t->time_s,
                                     t->weight);
    }
    return PARCAST_OK;
}

/* Average repetitions; their scatter goes to repetition_sq, so that nothing is lost. */
static void merge(parcast_scaling_timings *model)
{
    size_t kept = 0;
    qsort(model->points, model->m, sizeof *model->points, compare_points);
    for (size_t i = 0; i < model->m;) {
        struct point sum = model->points[i];
        double squares = 0;
        sum.log_time = sum.weight = 0;
        size_t first = i;
        for (; i < model->m && compare_points(&model->points[i], &model->points[first]) == 0; i++) {
            sum.weight += model->points[i].weight;
            sum.log_time += model->points[i].weight * model->points[i].log_time;
        }
        sum.log_time /= sum.weight;
        for (size_t k = first; k < i; k++) {
            double deviation = model->points[k].log_time - sum.log_time;
            squares += model->points[k].weight * deviation * deviation;
        }
        model->repetition_sq += squares;
        model->points[kept++] = sum; /* kept <= first */
    }
    model->m = kept;
}

/* Processes per node can be told from processes only where equal processes ran on different nodes. */
static bool can_tell_packing(const parcast_scaling_timings *model)
{
    bool differs = false;
    for (size_t i = 0; i < model->m; i++) {
        if (model->points[i].nodes == 0) return false;
        differs |= i > 0 && model->points[i].processes == model->points[i - 1].processes;
    }
    return differs;
}

static parcast_status take_points(parcast_scaling_timings *model, const parcast_scaling_timing *points,
                                  size_t n, parcast_error *error)
{
    parcast_status status = check(points, n, error);
    if (status) return status;
    model->points = calloc(n, sizeof *model->points);
    if (!model->points) return out_of_memory(error);
    for (size_t i = 0; i < n; i++)
        model->points[i] = (struct point){.processes = points[i].processes,
                                          .nodes = points[i].nodes,
                                          .log_time = log(points[i].time_s),
                                          .weight = points[i].weight > 0 ? points[i].weight : 1};
    model->n_points = model->m = n;
    merge(model);
    if (model->m > MAX_COUNTS)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                                 "times at %zu different counts, at most %d can be fitted", model->m,
                                 MAX_COUNTS);
    double largest = model->points[model->m - 1].processes;
    for (size_t i = 0; i < model->m; i++)
        model->points[i].doubling = log2(model->points[i].processes / largest);
    model->packed = can_tell_packing(model);
    return PARCAST_OK;
}

static double packing(const parcast_scaling_timings *model, const struct point *point)
{
    const struct point *last = &model->points[model->m - 1];
    if (!model->packed || point->nodes == 0) return 0;
    return log((double)point->processes / point->nodes) - log((double)last->processes / last->nodes);
}

/* Prior covariance of the deviations of two points from the law, in units of the noise variance. */
static double covariance(const parcast_scaling_timings *model, const struct point *a, const struct point *b)
{
    double walk = 0;
    if (a->doubling * b->doubling > 0) walk = walk_ratio * fmin(fabs(a->doubling), fabs(b->doubling));
    double scale = packing_sd / noise_sd;
    return walk + scale * scale * packing(model, a) * packing(model, b);
}

static parcast_status invert_covariance(parcast_scaling_timings *model, parcast_error *error)
{
    size_t m = model->m;
    lapack_int order = (lapack_int)m;
    model->precision = calloc(m * (m + 1), sizeof *model->precision);
    if (!model->precision) return out_of_memory(error);
    model->row_sums = model->precision + m * m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            model->precision[i * m + j] = covariance(model, &model->points[i], &model->points[j]) +
                                          (i == j ? 1 / model->points[i].weight : 0);
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', order, model->precision, order) != 0 ||
        LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'U', order, model->precision, order) != 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the weights of the times differ too much");
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            if (j < i) model->precision[i * m + j] = model->precision[j * m + i];
            model->row_sums[i] += model->precision[i * m + j];
        }
    for (size_t i = 0; i < m; i++) model->total += model->row_sums[i];
    return PARCAST_OK;
}

/* ln T - ln W of the law at a point. */
static double shape(const parcast_scaling_timings *model, const struct law *law, double doubling)
{
    double log_share = M_LN2 * (law->log2_share + law->exponent * doubling);
    double overhead = log_share > 0 ? log_share + log1p(exp(-log_share)) : log1p(exp(log_share));
    return overhead - (model->weak ? 0 : M_LN2 * doubling);
}

static double log_prior(const struct prior *prior, double log2_share, double exponent)
{
    double share = (log2_share - prior->share) / prior->share_sd;
    double distance = log(exponent / prior->exponent);
    double narrow = distance / prior->exponent_sd, wide = distance / prior->wide_sd;
    return -0.5 * share * share +
           log((1 - prior->wide_weight) / prior->exponent_sd * exp(-0.5 * narrow * narrow) +
               prior->wide_weight / prior->wide_sd * exp(-0.5 * wide * wide));
}

/* Fit ln W of a law; pull[m] receives precision * residuals. Leaves the log of its posterior weight. */
static void fit_law(const parcast_scaling_timings *model, struct law *law, double *pull, double *residual)
{
    size_t m = model->m;
    double weighted = 0, squares = 0;
    for (size_t i = 0; i < m; i++) {
        residual[i] = model->points[i].log_time - shape(model, law, model->points[i].doubling);
        weighted += model->row_sums[i] * residual[i];
    }
    law->log_work = weighted / model->total;
    for (size_t i = 0; i < m; i++) residual[i] -= law->log_work;
    for (size_t i = 0; i < m; i++) {
        pull[i] = 0;
        for (size_t j = 0; j < m; j++) pull[i] += model->precision[i * m + j] * residual[j];
        squares += pull[i] * residual[i];
    }
    law->scatter_sq = noise_weight * noise_sd * noise_sd + model->repetition_sq + fmax(0, squares);
    const struct prior *prior = model->weak ? &weak_prior : &strong_prior;
    law->weight = log_prior(prior, law->log2_share, law->exponent) -
                  0.5 * model->degrees_of_freedom * log(law->scatter_sq);
}

/* Weights from their logarithms; negligible laws are dropped. */
static void normalise(parcast_scaling_timings *model)
{
    double largest = -INFINITY, sum = 0;
    size_t kept = 0, m = model->m;
    for (size_t k = 0; k < model->n_laws; k++) largest = fmax(largest, model->laws[k].weight);
    for (size_t k = 0; k < model->n_laws; k++) {
        double weight = exp(model->laws[k].weight - largest);
        if (weight < 1e-6) continue;
        model->laws[kept] = model->laws[k];
        model->laws[kept].weight = weight;
        memmove(model->pulls + kept * m, model->pulls + k * m, m * sizeof *model->pulls);
        sum += weight;
        kept++;
    }
    for (size_t k = 0; k < kept; k++) model->laws[k].weight /= sum;
    model->n_laws = kept;
}

static parcast_status weigh_laws(parcast_scaling_timings *model, parcast_error *error)
{
    const struct prior *prior = model->weak ? &weak_prior : &strong_prior;
    size_t m = model->m;
    model->laws = calloc((size_t)N_SHARES * N_EXPONENTS, sizeof *model->laws);
    model->pulls = calloc(((size_t)N_SHARES * N_EXPONENTS + 1) * m, sizeof *model->pulls);
    if (!model->laws || !model->pulls) return out_of_memory(error);
    double *residual = model->pulls + (size_t)N_SHARES * N_EXPONENTS * m;
    for (size_t s = 0; s < N_SHARES; s++)
        for (size_t e = 0; e < N_EXPONENTS; e++) {
            struct law *law = &model->laws[model->n_laws];
            law->log2_share = -20 + 0.5 * (double)s;
            law->exponent =
                prior->lowest * pow(prior->highest / prior->lowest, (double)e / (N_EXPONENTS - 1));
            fit_law(model, law, model->pulls + model->n_laws * m, residual);
            model->n_laws++;
        }
    normalise(model);
    return PARCAST_OK;
}

/* With t = sqrt(nu) tan(a) the density of a is proportional to cos(a)^(nu-1). */
static void tabulate_cdf(parcast_scaling_timings *model)
{
    double sum = 0;
    for (size_t i = 0; i < N_CDF; i++) {
        double angle = M_PI * (((double)i + 0.5) / N_CDF - 0.5);
        double density = pow(cos(angle), model->degrees_of_freedom - 1);
        model->cdf[i] = sum + 0.5 * density;
        sum += density;
    }
    for (size_t i = 0; i < N_CDF; i++) model->cdf[i] /= sum;
}

static double cdf(const parcast_scaling_timings *model, double t)
{
    double angle = atan(t / sqrt(model->degrees_of_freedom));
    double place = (angle / M_PI + 0.5) * N_CDF - 0.5;
    if (place <= 0) return 0;
    if (place >= N_CDF - 1) return 1;
    size_t i = (size_t)place;
    double share = place - (double)i;
    return (1 - share) * model->cdf[i] + share * model->cdf[i + 1];
}

static bool any_clearly_faster(const parcast_scaling_timings *model)
{
    const struct point *first = &model->points[0];
    for (size_t i = 1; i < model->m; i++)
        if (model->points[i].processes > first->processes &&
            model->points[i].log_time < first->log_time - 0.05)
            return true;
    return false;
}

static double median_share(const parcast_scaling_timings *model)
{
    double sum = 0;
    for (size_t k = 0; k < model->n_laws; k++) { /* laws are ordered by share */
        sum += model->laws[k].weight;
        if (sum >= 0.5) return exp2(model->laws[k].log2_share);
    }
    return exp2(model->laws[model->n_laws - 1].log2_share);
}

static void summarise(parcast_scaling_timings *model)
{
    parcast_scaling_timings_summary *summary = &model->summary;
    const struct point *last = &model->points[model->m - 1];
    summary->smallest = model->points[0].processes;
    summary->largest = last->processes;
    for (size_t i = 0; i < model->m; i++)
        summary->n_counts += i == 0 || model->points[i].processes != model->points[i - 1].processes;
    summary->does_not_scale = !model->weak && summary->n_counts > 1 && !any_clearly_faster(model);
    summary->overhead_ratio = median_share(model);
    for (size_t k = 0; k < model->n_laws; k++) {
        const struct law *law = &model->laws[k];
        summary->noise_ratio += law->weight * sqrt(law->scatter_sq / model->degrees_of_freedom);
        summary->overhead_exponent += law->weight * law->exponent;
    }
}

parcast_status parcast_scaling_fit_timings(const parcast_scaling_timing *points, size_t n_points, bool weak,
                                           parcast_scaling_timings **model, parcast_error *error)
{
    parcast_scaling_timings *created = calloc(1, sizeof *created);
    if (!created) return out_of_memory(error);
    created->weak = weak;
    parcast_status status = take_points(created, points, n_points, error);
    created->degrees_of_freedom = (double)n_points - 1 + noise_weight;
    if (!status) status = invert_covariance(created, error);
    if (!status) status = weigh_laws(created, error);
    if (status) {
        parcast_scaling_timings_destroy(&created);
        return status;
    }
    tabulate_cdf(created);
    summarise(created);
    *model = created;
    return PARCAST_OK;
}

void parcast_scaling_timings_destroy(parcast_scaling_timings **model)
{
    if (!*model) return;
    free((*model)->points);
    free((*model)->precision);
    free((*model)->laws);
    free((*model)->pulls);
    free(*model);
    *model = NULL;
}

parcast_scaling_timings_summary parcast_scaling_timings_describe(const parcast_scaling_timings *model)
{
    return model->summary;
}

/* The mixture at one count: law k predicts ln T with centre[k] and spread[k]. */
struct mixture {
    const parcast_scaling_timings *model;
    double *centre, *spread;
};

static double mixture_cdf(const struct mixture *mixture, double log_time)
{
    double sum = 0;
    for (size_t k = 0; k < mixture->model->n_laws; k++)
        sum += mixture->model->laws[k].weight *
               cdf(mixture->model, (log_time - mixture->centre[k]) / mixture->spread[k]);
    return sum;
}

static double quantile(const struct mixture *mixture, double probability)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < mixture->model->n_laws; k++) {
        low = fmin(low, mixture->centre[k] - 30 * mixture->spread[k]);
        high = fmax(high, mixture->centre[k] + 30 * mixture->spread[k]);
    }
    while (high - low > 1e-7) { /* relative precision of the time */
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (mixture_cdf(mixture, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return exp(fmin(fmax(0.5 * (low + high), -690), 700));
}

/* Every law's prediction of one more measurement: kriging of the deviations from the law. */
static void predict_laws(const struct mixture *mixture, const struct point *at, double *covariances)
{
    const parcast_scaling_timings *model = mixture->model;
    size_t m = model->m;
    double explained = 0, sum = 0;
    for (size_t i = 0; i < m; i++) covariances[i] = covariance(model, at, &model->points[i]);
    for (size_t i = 0; i < m; i++) {
        sum += model->row_sums[i] * covariances[i];
        for (size_t j = 0; j < m; j++)
            explained += covariances[i] * model->precision[i * m + j] * covariances[j];
    }
    double variance =
        1 + fmax(0, covariance(model, at, at) - explained) + (1 - sum) * (1 - sum) / model->total;
    for (size_t k = 0; k < model->n_laws; k++) {
        const struct law *law = &model->laws[k];
        mixture->centre[k] = shape(model, law, at->doubling) + law->log_work;
        for (size_t i = 0; i < m; i++) mixture->centre[k] += covariances[i] * model->pulls[k * m + i];
        mixture->spread[k] = sqrt(law->scatter_sq / model->degrees_of_freedom * variance);
    }
}

parcast_status parcast_scaling_predict(const parcast_scaling_timings *model, int processes, int nodes,
                                       double *time_s, double *low_s, double *high_s, parcast_error *error)
{
    if (processes < 1 || nodes < 0 || nodes > processes)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d processes on %d nodes", processes,
                                 nodes);
    double *room = calloc(2 * model->n_laws + model->m, sizeof *room);
    if (!room) return out_of_memory(error);
    struct mixture mixture = {model, room, room + model->n_laws};
    struct point at = {.processes = processes,
                       .nodes = nodes,
                       .doubling = log2((double)processes / model->points[model->m - 1].processes)};
    predict_laws(&mixture, &at, room + 2 * model->n_laws);
    *time_s = quantile(&mixture, 0.5);
    if (low_s) *low_s = quantile(&mixture, 0.025);
    if (high_s) *high_s = quantile(&mixture, 0.975);
    free(room);
    return PARCAST_OK;
}
