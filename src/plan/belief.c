/*
 * A Gaussian process over sizes for g_q = ln(true time / table) of this run. The error of a forecast is made
 * of steps from size to size (so that what is seen at one size is never magnified at another), of a part that
 * fades with the distance, and of one common to all sizes, the state of the machine today:
 *
 *     k(p, q) = c^2 + min(sd_p, sd_q)^2 (0.7 + 0.3 exp(-|ln p/q| / ln 4))
 *
 * sd is that of the forecast. Samples at a size give its level with a variance; the posterior follows from a
 * Cholesky factor of the sizes that ran. docs/models/plan.md, section 4.
 */
#include "plan/belief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double common_sd = 0.1, noise_prior = 0.05, drift_sd = 0.01;
static const double half_life = 10; /* samples at a size after which one counts half */

void belief_clear(struct belief *b)
{
    free(b->cumulative);
    free(b->share);
    free(b->samples);
    free(b->mean_ln);
    free(b->sd_ln);
    free(b->solved);
    *b = (struct belief){.samples = NULL};
}

parcast_status belief_create(const parcast_malleable *m, struct belief *b, parcast_error *error)
{
    size_t n = m->n_sizes;
    *b = (struct belief){.malleable = m,
                         .cumulative = calloc((m->n_blocks + 1) * n, sizeof(double)),
                         .share = calloc(m->n_blocks + 1, sizeof(double)),
                         .samples = calloc(BELIEF_SAMPLES, sizeof *b->samples),
                         .mean_ln = calloc(n, sizeof(double)),
                         .sd_ln = calloc(n, sizeof(double)),
                         .solved = calloc(n * BELIEF_MEASURED, sizeof(double))};
    if (!b->cumulative || !b->share || !b->samples || !b->mean_ln || !b->sd_ln || !b->solved) {
        belief_clear(b);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the decisions of a run");
    }
    double all = (double)parcast_malleable_iterations(m);
    for (size_t k = 0; k < m->n_blocks; k++) {
        double iterations = (double)m->blocks[k].n_iterations;
        b->share[k + 1] = b->share[k] + iterations / all;
        for (size_t q = 0; q < n; q++)
            b->cumulative[(k + 1) * n + q] =
                b->cumulative[k * n + q] + iterations * m->iteration_s[k * n + q];
    }
    belief_update(b, all, 0);
    return PARCAST_OK;
}

/* ---- samples ---- */

/* Neighbours of one size become one sample, the older half of the run first. */
static void merge_samples(struct belief *b)
{
    size_t to = 0, old = b->n_samples / 2;
    for (size_t i = 0; i < b->n_samples; i++) {
        struct sample *last = to > 0 ? &b->samples[to - 1] : NULL, s = b->samples[i];
        if (i < old && i % 2 == 1 && last && last->size == s.size && last->besides_s == 0 &&
            s.besides_s == 0 && last->first + last->n == s.first) {
            last->n += s.n;
            last->time_s += s.time_s;
        } else {
            b->samples[to++] = s;
        }
    }
    b->n_samples = to;
    if (to < BELIEF_SAMPLES) return;
    memmove(b->samples, b->samples + 1, (to - 1) * sizeof *b->samples);
    b->n_samples = to - 1;
}

void belief_add(struct belief *b, const struct sample *sample)
{
    if (b->n_samples == BELIEF_SAMPLES) merge_samples(b);
    b->samples[b->n_samples++] = *sample;
}

/* ---- the table ---- */

/* The block that a share of the run lies in. */
static size_t block_at(const struct belief *b, double share)
{
    size_t low = 0, high = b->malleable->n_blocks; /* share[low] <= share < share[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (b->share[middle] <= share)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Time of [0, share) of the run on a size; inside a block all iterations are equal. */
static double table_until(const struct belief *b, size_t size, double share)
{
    const parcast_malleable *m = b->malleable;
    if (share >= 1) return b->cumulative[m->n_blocks * m->n_sizes + size];
    size_t k = block_at(b, share);
    double part = (share - b->share[k]) / (b->share[k + 1] - b->share[k]);
    double here = b->cumulative[k * m->n_sizes + size], next = b->cumulative[(k + 1) * m->n_sizes + size];
    return here + part * (next - here);
}

double belief_table_s(const struct belief *b, size_t size, double from, double to)
{
    return table_until(b, size, to) - table_until(b, size, from);
}

/* ---- levels of the sizes that ran ---- */

struct level {
    size_t size;
    double mean, variance;
};

static double share_of(const struct belief *b, const struct sample *s)
{
    return fmin(((double)s->first + 0.5 * (double)s->n) / b->iterations, 1);
}

/* Against that of a sample of iterations alone. */
static double precision_of(const struct sample *s)
{
    double besides = s->besides_s / s->time_s;
    return noise_prior * noise_prior / (noise_prior * noise_prior + besides * besides);
}

/* ln(measured / table) of every sample, with the weight that its age leaves it. */
static void make_points(const struct belief *b, struct trend_point *points)
{
    for (size_t i = b->n_samples; i-- > 0;) {
        const struct sample *s = &b->samples[i];
        double from = (double)s->first / b->iterations, to = (double)(s->first + s->n) / b->iterations;
        double table_s = belief_table_s(b, s->size, from, fmax(to, from + 1e-12));
        points[i] = (struct trend_point){share_of(b, s), table_s > 0 ? log(s->time_s / table_s) : 0,
                                         precision_of(s), s->size};
    }
}

/* At `now`: the trend is taken off. Weighted mean and variance of a size's samples, youngest first: with ages
   a and precisions p the mean of r has the weights a p and the variance sum(a^2 p) / sum(a p)^2 of one
   sample. */
struct scatter {
    double squares, n; /* sum of squared deviations, and of how many */
    double products;   /* of neighbours */
};

static bool level_of(const struct belief *b, const struct trend_point *points, size_t size,
                     struct level *level, struct scatter *scatter)
{
    double sum = 0, weights = 0, squares = 0, age = 1,
           now = trend_at(b->trend.shape, b->now, 1 / b->iterations);
    for (int pass = 0; pass < 2; pass++) {
        double after = 0; /* deviation of the next sample */
        age = 1;
        for (size_t i = b->n_samples; i-- > 0;) {
            if (points[i].group != size) continue;
            double f = trend_at(b->trend.shape, points[i].x, 1 / b->iterations);
            double r = points[i].ln_ratio + b->trend.slope * (now - f), weight = age * points[i].weight;
            if (pass == 0) {
                sum += weight * r;
                weights += weight;
                squares += age * weight;
            } else {
                r -= sum / weights;
                scatter->squares += weight * r * r;
                scatter->products += weight * r * after;
                after = r;
            }
            age *= exp2(-1 / half_life);
        }
        if (weights == 0) return false;
    }
    scatter->n += weights - squares / weights;
    *level = (struct level){size, sum / weights, squares / (weights * weights)};
    return true;
}

/* The sizes that ran last come first when there are more than fit. */
static size_t find_levels(struct belief *b, const struct trend_point *points, struct level *levels)
{
    size_t n = 0;
    struct scatter scatter = {2 * noise_prior * noise_prior, 2, 0};
    for (size_t i = b->n_samples; i-- > 0 && n < BELIEF_MEASURED;) {
        bool seen = false;
        for (size_t j = 0; j < n; j++) seen = seen || levels[j].size == b->samples[i].size;
        if (!seen) n += level_of(b, points, b->samples[i].size, &levels[n], &scatter);
    }
    double variance = scatter.squares / scatter.n;
    double inflation = correlation_inflates(scatter.products, scatter.squares, scatter.n);
    b->noise_ln = sqrt(variance);
    for (size_t j = 0; j < n; j++)
        levels[j].variance = levels[j].variance * variance * inflation + drift_sd * drift_sd;
    return n;
}

/* ---- the process over sizes ---- */

static double prior(const struct belief *b, size_t p, size_t q)
{
    const parcast_size *sizes = b->malleable->sizes;
    double sd = fmin(sizes[p].sd_ln, sizes[q].sd_ln);
    double distance = fabs(log((double)sizes[p].nodes / sizes[q].nodes)) / log(4);
    double near = p == q ? 1 : 0.7 + 0.3 * exp(-distance);
    double level_sd = b->malleable->level_sd_ln > 0 ? b->malleable->level_sd_ln : common_sd;
    return level_sd * level_sd + sd * sd * near;
}

/* Lower factor of the covariance of what was measured; positive definite, for the variances are above 0. */
static void factor(const struct belief *b, const struct level *levels, size_t n, double *l)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = prior(b, levels[i].size, levels[j].size) + (i == j ? levels[i].variance : 0);
            for (size_t k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / l[j * n + j];
        }
}

static void solve_lower(const double *l, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
}

static void condition(struct belief *b, const struct level *levels, size_t n)
{
    double l[BELIEF_MEASURED * BELIEF_MEASURED], seen[BELIEF_MEASURED];
    for (size_t i = 0; i < n; i++) seen[i] = levels[i].mean;
    factor(b, levels, n, l);
    solve_lower(l, n, seen);
    b->n_measured = n;
    for (size_t q = 0; q < b->malleable->n_sizes; q++) {
        double *v = b->solved + q * BELIEF_MEASURED, mean = 0, variance = prior(b, q, q);
        for (size_t i = 0; i < n; i++) v[i] = prior(b, levels[i].size, q);
        solve_lower(l, n, v);
        for (size_t i = 0; i < n; i++) {
            mean += v[i] * seen[i];
            variance -= v[i] * v[i];
        }
        b->mean_ln[q] = mean;
        b->sd_ln[q] = sqrt(fmax(variance, 0));
    }
}

double belief_covariance(const struct belief *b, size_t p, size_t q)
{
    const double *vp = b->solved + p * BELIEF_MEASURED, *vq = b->solved + q * BELIEF_MEASURED;
    double covariance = prior(b, p, q);
    for (size_t i = 0; i < b->n_measured; i++) covariance -= vp[i] * vq[i];
    return covariance;
}

/* d ln (time left) / d slope, as if the table were even. */
static double leverage(const struct belief *b)
{
    enum { LOOKS = 16 };
    double sum = 0, weights = 0, end = 1 / b->iterations, now = trend_at(b->trend.shape, b->now, end);
    for (int i = 0; i < LOOKS; i++) {
        double x = b->now + (1 - b->now) * (i + 0.5) / LOOKS;
        double f = trend_at(b->trend.shape, fmin(x, fmax(b->trend.reach, b->now)), end) - now;
        double weight = exp(b->trend.slope * f);
        sum += weight * f;
        weights += weight;
    }
    return fabs(sum / weights);
}

double belief_sd_ln(const struct belief *b, size_t size)
{
    return hypot(b->sd_ln[size], b->trend_sd_ln);
}

void belief_update(struct belief *b, double iterations, double done)
{
    struct trend_point points[BELIEF_SAMPLES];
    struct level levels[BELIEF_MEASURED];
    b->iterations = iterations;
    b->now = fmin(done / iterations, 1);
    make_points(b, points);
    b->trend = trend_fit(points, b->n_samples, b->malleable->n_sizes, 1 / iterations);
    b->trend_sd_ln = b->trend.shape == TREND_NONE ? 0 : b->trend.se * leverage(b);
    condition(b, levels, find_levels(b, points, levels));
}

/* Times are lognormal about their level: the mean lies half a variance above it. */
double belief_time_s(const struct belief *b, size_t size, double from, double to)
{
    double end = 1 / b->iterations, middle = fmin(0.5 * (from + to), fmax(b->trend.reach, b->now));
    double f = trend_at(b->trend.shape, middle, end) - trend_at(b->trend.shape, b->now, end);
    return belief_table_s(b, size, from, to) *
           exp(b->mean_ln[size] + 0.5 * b->noise_ln * b->noise_ln + b->trend.slope * f);
}
