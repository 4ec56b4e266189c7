#include "forecast/bound_fit.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/scaling.h"

/* Two hypotheses whose left-out errors [ratio] are this near are equally good: the simpler one is taken. */
static const double as_good_factor = 1.5, as_good_ratio = 0.0002;

static void take(struct bound_value *result, double value, double loo_ratio)
{
    *result = (struct bound_value){value, value, value, loo_ratio, ""};
}

static bool same_point(const double *a, const double *b, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static size_t different_points(const double *points, size_t n, size_t k)
{
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < i && !same_point(points + j * k, points + i * k, k)) j++;
        different += j == i;
    }
    return different;
}

/* ---- over sizes ---- */

/* Powers of a side length: surfaces, volumes, and edges beside them. */
static const struct {
    size_t n;
    int power[3];
} polynomials[] = {{1, {1}}, {1, {2}}, {1, {3}}, {2, {1, 2}}, {2, {2, 3}}, {3, {1, 2, 3}}};
enum { N_POLYNOMIALS = sizeof polynomials / sizeof polynomials[0] };

struct hypothesis {
    double value, low, high, loo_ratio;
    size_t n_terms;
    char form[96];
};

/* A constant that is nothing but rounding is none. */
static void write_form(const parcast_scaling_function *function, const char *const *names,
                       struct hypothesis *h)
{
    parcast_scaling_function shown = *function;
    if (fabs(shown.constant) <= 1e-9 * fabs(h->value)) shown.constant = 0;
    parcast_scaling_function_text(&shown, names, h->form, sizeof h->form);
}

static bool try_polynomial(const parcast_scaling_data *data, size_t i, double x, struct hypothesis *h)
{
    static const char *const names[] = {"n"};
    parcast_scaling_function function = {.n_terms = polynomials[i].n};
    parcast_scaling_quality quality;
    if (different_points(data->x, data->n_points, 1) < polynomials[i].n + 2) return false;
    for (size_t t = 0; t < function.n_terms; t++) {
        function.terms[t].n_factors = 1;
        function.terms[t].factors[0] = (parcast_scaling_factor){0, polynomials[i].power[t], 1, 0};
    }
    if (parcast_scaling_predict_terms(data, &function, &x, &h->value, &h->low, &h->high, &quality, NULL))
        return false;
    h->loo_ratio = quality.smape_loo / 100;
    h->n_terms = function.n_terms;
    write_form(&function, names, h);
    return isfinite(h->loo_ratio);
}

static bool try_normal_form(const parcast_scaling_data *data, const double *x, struct hypothesis *h)
{
    static const char *const one[] = {"n"}, *const several[] = {"n1", "n2", "n3", "n4", "n5", "n6"};
    parcast_scaling_options options = {
        .purpose = PARCAST_SCALING_FORECAST, .range_from = x, .range_to = x}; /* and the points themselves */
    parcast_scaling_pmnf *model;
    if (parcast_scaling_fit_pmnf(data, &options, &model, NULL)) return false;
    bool fine = !parcast_scaling_pmnf_predict(model, x, &h->value, &h->low, &h->high, NULL);
    const parcast_scaling_function *function = parcast_scaling_pmnf_function(model);
    h->loo_ratio = parcast_scaling_pmnf_quality(model)->smape_loo / 100;
    h->n_terms = function->n_terms;
    write_form(function, data->n_parameters > 1 ? several : one, h);
    parcast_scaling_pmnf_destroy(&model);
    return fine && h->value > 0 && isfinite(h->loo_ratio);
}

static bool as_good(double loo_ratio, double best)
{
    return loo_ratio <= as_good_factor * best + as_good_ratio;
}

/* The simplest of those that are as good as the best; the others widen its interval. */
static void choose(const struct hypothesis *all, size_t n, struct bound_value *result)
{
    double best = INFINITY;
    size_t chosen = 0;
    for (size_t i = 0; i < n; i++) best = fmin(best, all[i].loo_ratio);
    while (!as_good(all[chosen].loo_ratio, best)) chosen++;
    for (size_t i = chosen + 1; i < n; i++)
        if (as_good(all[i].loo_ratio, best) && all[i].n_terms < all[chosen].n_terms) chosen = i;
    take(result, all[chosen].value, all[chosen].loo_ratio);
    for (size_t i = 0; i < n; i++) {
        if (!as_good(all[i].loo_ratio, best)) continue;
        result->low = fmin(result->low, all[i].low);
        result->high = fmax(result->high, all[i].high);
    }
    result->low = fmax(result->low, 0);
    memcpy(result->form, all[chosen].form, sizeof result->form);
}

/*
 * Beyond the sizes that are known an interval may be wider than anything that grows with a side length: work
 * and volumes do not fall, and do not grow faster than the cube.
 */
static void keep_to_reason(const double *points, const double *y, size_t n, double x,
                           struct bound_value *result)
{
    size_t last = 0;
    for (size_t i = 1; i < n; i++)
        if (points[i] > points[last]) last = i;
    for (size_t i = 0; i < n; i++)
        if (y[i] > y[last]) return;
    if (!(x > points[last]) || !(points[last] > 0)) return;
    result->low = fmax(result->low, fmin(result->value, y[last]));
    result->high = fmin(result->high, fmax(result->value, y[last] * pow(x / points[last], 3)));
}

static bool all_alike(const double *y, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (y[i] != y[0]) return false;
    return true;
}

parcast_status bound_fit_sizes(const double *points, const double *y, size_t n, size_t k, const double *x,
                               struct bound_value *result, parcast_error *error)
{
    struct hypothesis all[N_POLYNOMIALS + 1] = {0};
    parcast_scaling_data data = {.n_parameters = k, .n_points = n, .x = points, .y = y};
    size_t n_hypotheses = 0;
    for (size_t i = n; i-- > 0;)
        if (same_point(points + i * k, x, k)) {
            take(result, y[i], NAN);
            return PARCAST_OK;
        }
    if (n && all_alike(y, n)) {
        take(result, y[0], 0);
        snprintf(result->form, sizeof result->form, "constant");
        return PARCAST_OK;
    }
    size_t different = different_points(points, n, k);
    if (different < 3) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0,
                          "estimates at %zu size%s: three are needed to speak of another", different,
                          different == 1 ? "" : "s");
        parcast_error_hint(error, "run 'parcast estimate -s STUDY' at more sizes; five are better");
        return PARCAST_DATA;
    }
    for (size_t i = 0; k == 1 && i < N_POLYNOMIALS; i++)
        n_hypotheses += try_polynomial(&data, i, x[0], &all[n_hypotheses]);
    n_hypotheses += try_normal_form(&data, x, &all[n_hypotheses]);
    if (!n_hypotheses)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "no function of the size fits the %zu estimates and is positive there", n);
    choose(all, n_hypotheses, result);
    if (k == 1) keep_to_reason(points, y, n, x[0], result);
    return PARCAST_OK;
}

/* ---- over parts ---- */

/* Cuts through a block of so many dimensions, or a power p^a - 1 of irregular parts. */
struct shape {
    int dimensions; /* 0: a power */
    double exponent;
    const char *name;
};
static const struct shape shapes[] = {{3, 0, "cuts(p, 3)"},        {2, 0, "cuts(p, 2)"},
                                      {1, 0, "(p - 1)"},           {0, 1.0 / 4, "(p^1/4 - 1)"},
                                      {0, 1.0 / 3, "(p^1/3 - 1)"}, {0, 1.0 / 2, "(p^1/2 - 1)"},
                                      {0, 2.0 / 3, "(p^2/3 - 1)"}, {0, 3.0 / 4, "(p^3/4 - 1)"}};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

/* The fewest cuts that give p equal blocks: px + py - 2 with px py = p. */
static double fewest_cuts(long p, int dimensions)
{
    if (dimensions == 1) return (double)(p - 1);
    double fewest = (double)(p - 1);
    for (long along = 2; along * along <= p; along++)
        if (p % along == 0) {
            long across = p / along;
            double first = (double)(along - 1) + fewest_cuts(across, dimensions - 1);
            double second = (double)(across - 1) + fewest_cuts(along, dimensions - 1);
            fewest = fmin(fewest, fmin(first, second));
        }
    return fewest;
}

/* Counts that divide badly (primes) are not cut into equal blocks: parts of other shapes come within a fifth
 * of what cubes would have. */
static double cuts(double p, int dimensions)
{
    const double bad_ratio = 1.4, irregular_ratio = 1.2;
    double cubes = dimensions * (pow(p, 1.0 / dimensions) - 1), fewest = fewest_cuts((long)p, dimensions);
    return dimensions == 1 || fewest <= bad_ratio * cubes ? fewest : irregular_ratio * cubes;
}

static double value_of(const struct shape *shape, double p)
{
    return shape->dimensions ? cuts(p, shape->dimensions) : pow(p, shape->exponent) - 1;
}

/* Least squares of relative residuals, point `without` left out: c of c s(p). */
static double coefficient(const double *counts, const double *y, size_t n, const struct shape *s,
                          size_t without)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == without) continue;
        double ratio = value_of(s, counts[i]) / y[i];
        sum += ratio;
        squares += ratio * ratio;
    }
    return sum / squares;
}

/* The same of c s(p) + d r(p); false where the points cannot tell them apart or one is negative. */
static bool coefficients(const double *counts, const double *y, size_t n, const struct shape *s,
                         const struct shape *r, size_t without, double *c, double *d)
{
    double aa = 0, ab = 0, bb = 0, ya = 0, yb = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == without) continue;
        double u = value_of(s, counts[i]) / y[i], v = value_of(r, counts[i]) / y[i];
        aa += u * u;
        ab += u * v;
        bb += v * v;
        ya += u;
        yb += v;
    }
    double det = aa * bb - ab * ab;
    if (!(det > 1e-9 * aa * bb)) return false;
    *c = (ya * bb - yb * ab) / det;
    *d = (yb * aa - ya * ab) / det;
    return *c >= 0 && *d >= 0;
}

static bool try_single(const double *counts, const double *y, size_t n, const struct shape *s, double p,
                       struct hypothesis *h)
{
    double c = coefficient(counts, y, n, s, SIZE_MAX), sum = 0;
    for (size_t i = 0; i < n && n > 1; i++)
        sum += fabs(coefficient(counts, y, n, s, i) * value_of(s, counts[i]) / y[i] - 1);
    *h = (struct hypothesis){
        .value = c * value_of(s, p), .n_terms = 1, .loo_ratio = n > 1 ? sum / (double)n : 1};
    snprintf(h->form, sizeof h->form, "%.4g %s", c, s->name);
    return true;
}

static bool try_double(const double *counts, const double *y, size_t n, const struct shape *s,
                       const struct shape *r, double p, struct hypothesis *h)
{
    double c, d, sum = 0, left_c, left_d;
    if (n < 4 || !coefficients(counts, y, n, s, r, SIZE_MAX, &c, &d)) return false;
    for (size_t i = 0; i < n; i++) {
        if (!coefficients(counts, y, n, s, r, i, &left_c, &left_d)) return false;
        sum += fabs((left_c * value_of(s, counts[i]) + left_d * value_of(r, counts[i])) / y[i] - 1);
    }
    *h = (struct hypothesis){
        .value = c * value_of(s, p) + d * value_of(r, p), .n_terms = 2, .loo_ratio = sum / (double)n};
    snprintf(h->form, sizeof h->form, "%.4g %s + %.4g %s", c, s->name, d, r->name);
    return true;
}

/* Two or three counts cannot judge a sum of two shapes; where one shape is not exact the sums that meet them
 * widen the interval. */
static void widen_by_sums(const double *counts, const double *y, size_t n, double p,
                          struct bound_value *result)
{
    double c, d;
    if (n < 2 || n >= 4 || result->loo_ratio <= as_good_ratio) return;
    for (size_t i = 0; i < N_SHAPES; i++)
        for (size_t j = i + 1; j < N_SHAPES; j++) {
            if (!coefficients(counts, y, n, &shapes[i], &shapes[j], SIZE_MAX, &c, &d)) continue;
            double value = c * value_of(&shapes[i], p) + d * value_of(&shapes[j], p);
            result->low = fmin(result->low, value);
            result->high = fmax(result->high, value);
        }
}

static void fit_parts(const double *counts, const double *y, size_t n, double p, struct bound_value *result)
{
    struct hypothesis all[N_SHAPES + N_SHAPES * N_SHAPES] = {0};
    size_t m = 0;
    for (size_t i = 0; i < N_SHAPES; i++) m += try_single(counts, y, n, &shapes[i], p, &all[m]);
    for (size_t i = 0; i < N_SHAPES; i++)
        for (size_t j = i + 1; j < N_SHAPES; j++)
            m += try_double(counts, y, n, &shapes[i], &shapes[j], p, &all[m]);
    for (size_t i = 0; i < m; i++) {
        double width = n > 1 ? fmin(2 * all[i].loo_ratio, 0.9) : 0;
        all[i].low = all[i].value * (1 - width);
        all[i].high = all[i].value * (1 + width);
    }
    choose(all, m, result);
    widen_by_sums(counts, y, n, p, result);
}

/* The counts that send anything, with their values or the ends of their intervals. */
static size_t extract(const double *counts, const struct bound_value *bytes, size_t n, int which, double *x,
                      double *y)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(bytes[i].value > 0)) continue;
        x[m] = counts[i];
        y[m++] = which < 0 ? fmax(bytes[i].low, DBL_MIN) : which > 0 ? bytes[i].high : bytes[i].value;
    }
    return m;
}

/* A program that falls into k pieces sends nothing between up to k parts; which k lies between the last count
 * that is silent and the next. */
static bool may_be_silent(const double *counts, const struct bound_value *bytes, size_t n, double p)
{
    for (size_t i = n; i-- > 0;)
        if (!(bytes[i].value > 0)) return i + 1 == n || p < counts[i + 1];
    return false;
}

static parcast_status fit_loud(const double *counts, const struct bound_value *bytes, size_t n, double p,
                               struct bound_value *result, parcast_error *error)
{
    double *x = calloc(2 * n, sizeof *x);
    if (!x) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu counts", n);
    struct bound_value low, high;
    fit_parts(x, x + n, extract(counts, bytes, n, 0, x, x + n), p, result);
    fit_parts(x, x + n, extract(counts, bytes, n, -1, x, x + n), p, &low);
    fit_parts(x, x + n, extract(counts, bytes, n, 1, x, x + n), p, &high);
    free(x);
    result->low = may_be_silent(counts, bytes, n, p) ? 0 : fmin(result->low, low.low);
    result->high = fmax(result->high, high.high);
    return PARCAST_OK;
}

parcast_status bound_fit_parts(const double *counts, const struct bound_value *bytes, size_t n, double p,
                               struct bound_value *result, parcast_error *error)
{
    bool silent = true;
    take(result, 0, NAN);
    if (p <= 1) return PARCAST_OK;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] == p) {
            *result = bytes[i];
            return PARCAST_OK;
        }
        silent = silent && !(bytes[i].value > 0);
    }
    if (n) return silent ? PARCAST_OK : fit_loud(counts, bytes, n, p, result, error);
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "no estimate of what crosses between %g parts", p);
    parcast_error_hint(error, "estimate it: parcast estimate -s STUDY -p %g -- PROGRAM ARGUMENTS", p);
    return PARCAST_DATA;
}
