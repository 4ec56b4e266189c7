/*
 * Search for a performance model normal form.
 *
 *   points ──marginal──► terms of one parameter ──shortlist──► sums of products ──leave one out──► candidates
 *                        (all of them when there                                                       │
 *                         is only one parameter)                    chosen + alternatives ◄──purpose───┘
 *
 * Every candidate is fitted to all points by least squares (scaling_ols.c) and judged by its leave-one-out
 * SMAPE. Single-term models of few noisy points overfit when the smallest error decides, so that a forecast
 * takes the simplest candidate that is not clearly worse: within one standard error of the best (Breiman et
 * al. 1984) or, since that error is itself unreliable when it comes from four points, within the ratio that
 * an F test of as many degrees of freedom cannot tell from 1. The others within it widen the interval.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scaling_model.h"
#include "scaling_search.h"

/* One shape with one power per parameter, and how it did. */
struct candidate {
    unsigned short shape;
    unsigned char choice[PARCAST_SCALING_MAX_PARAMETERS]; /* index into the parameter's shortlist */
    int cost;
    double smape_loo, standard_error;
};

struct search {
    struct scaling_points points;
    parcast_scaling_options options;
    struct scaling_power powers[PARCAST_SCALING_MAX_PARAMETERS][SCALING_MAX_POWERS]; /* shortlists */
    size_t n_powers[PARCAST_SCALING_MAX_PARAMETERS];
    double *basis[PARCAST_SCALING_MAX_PARAMETERS]; /* [n_powers][points.n] values of the powers */
    struct scaling_shape shapes[SCALING_MAX_SHAPES];
    size_t n_shapes;
    struct scaling_workspace work;
    struct candidate *candidates;
    size_t n_candidates, capacity;
};

static void clear(struct search *search)
{
    if (!search) return;
    scaling_points_clear(&search->points);
    for (size_t p = 0; p < PARCAST_SCALING_MAX_PARAMETERS; p++) free(search->basis[p]);
    scaling_workspace_clear(&search->work);
    free(search->candidates);
    free(search);
}

/* Value of the powers of one parameter at all points. */
static parcast_status tabulate(struct search *search, size_t p, parcast_error *error)
{
    size_t n = search->points.n, m = search->points.n_parameters;
    double *basis = malloc((search->n_powers[p] ? search->n_powers[p] : 1) * n * sizeof *basis);
    if (!basis) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu points", n);
    for (size_t k = 0; k < search->n_powers[p]; k++)
        for (size_t i = 0; i < n; i++)
            basis[k * n + i] = scaling_power_value(search->powers[p][k], search->points.x[i * m + p]);
    search->basis[p] = basis;
    return PARCAST_OK;
}

/* Columns of a candidate in the workspace, divided by the value when residuals are relative. */
static void build(struct search *search, const struct candidate *candidate)
{
    const struct scaling_shape *shape = &search->shapes[candidate->shape];
    size_t n = search->points.n;
    for (size_t i = 0; i < n; i++) {
        double weight = search->options.relative ? 1 / search->points.y[i] : 1;
        search->work.target[i] = search->points.y[i] * weight;
        search->work.columns[i] = weight;
    }
    for (size_t t = 0; t < shape->n_terms; t++) {
        double *column = search->work.columns + (t + 1) * n;
        memcpy(column, search->work.columns, n * sizeof *column);
        for (size_t p = 0; p < search->points.n_parameters; p++) {
            if (!(shape->masks[t] & 1u << p)) continue;
            const double *power = search->basis[p] + candidate->choice[p] * n;
            for (size_t i = 0; i < n; i++) column[i] *= power[i];
        }
    }
}

static int cost(const struct search *search, const struct candidate *candidate)
{
    const struct scaling_shape *shape = &search->shapes[candidate->shape];
    int sum = 0;
    for (size_t t = 0; t < shape->n_terms; t++) {
        sum++;
        for (size_t p = 0; p < search->points.n_parameters; p++)
            if (shape->masks[t] & 1u << p) sum += scaling_power_cost(search->powers[p][candidate->choice[p]]);
    }
    return sum;
}

/* Fit a candidate; false when the points cannot determine it. */
static bool fit(struct search *search, const struct candidate *candidate, struct scaling_ols *ols)
{
    build(search, candidate);
    return scaling_ols_fit(&search->work, search->shapes[candidate->shape].n_terms + 1, ols);
}

static void assess(const struct search *search, struct candidate *candidate)
{
    double sum = 0, squares = 0, n = (double)search->points.n;
    for (size_t i = 0; i < search->points.n; i++) {
        double error = scaling_smape(search->work.loo[i], search->work.target[i]);
        sum += error;
        squares += error * error;
    }
    candidate->smape_loo = sum / n;
    double variance = fmax(0, squares / n - candidate->smape_loo * candidate->smape_loo) * n / (n - 1);
    candidate->standard_error = sqrt(variance / n);
}

static parcast_status keep(struct search *search, const struct candidate *candidate, parcast_error *error)
{
    if (search->n_candidates == search->capacity) {
        size_t capacity = search->capacity ? 2 * search->capacity : 256;
        struct candidate *candidates = realloc(search->candidates, capacity * sizeof *candidates);
        if (!candidates)
            return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu hypotheses",
                                     capacity);
        search->candidates = candidates;
        search->capacity = capacity;
    }
    search->candidates[search->n_candidates++] = *candidate;
    return PARCAST_OK;
}

/* The next choice of powers for the active parameters, as an odometer; false after the last. */
static bool next_choice(const struct search *search, unsigned active, struct candidate *candidate)
{
    for (size_t p = 0; p < search->points.n_parameters && p < PARCAST_SCALING_MAX_PARAMETERS; p++) {
        if (!(active & 1u << p)) continue;
        if (++candidate->choice[p] < search->n_powers[p]) return true;
        candidate->choice[p] = 0;
    }
    return false;
}

static parcast_status try_shape(struct search *search, size_t s, parcast_error *error)
{
    struct candidate candidate = {.shape = (unsigned short)s};
    struct scaling_ols ols;
    unsigned active = 0;
    for (size_t t = 0; t < search->shapes[s].n_terms; t++) active |= search->shapes[s].masks[t];
    for (size_t p = 0; p < search->points.n_parameters; p++)
        if (active & 1u << p && search->n_powers[p] == 0) return PARCAST_OK;
    do {
        if (!fit(search, &candidate, &ols)) continue;
        assess(search, &candidate);
        candidate.cost = cost(search, &candidate);
        parcast_status status = keep(search, &candidate, error);
        if (status) return status;
    } while (next_choice(search, active, &candidate));
    return PARCAST_OK;
}

static parcast_status try_all(struct search *search, parcast_error *error)
{
    search->n_shapes = scaling_shapes(search->points.n_parameters, search->shapes);
    parcast_status status = scaling_workspace_create(search->points.n, &search->work, error);
    for (size_t p = 0; !status && p < search->points.n_parameters; p++) status = tabulate(search, p, error);
    for (size_t s = 0; !status && s < search->n_shapes; s++) status = try_shape(search, s, error);
    return status;
}

static int compare_error(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->smape_loo != y->smape_loo) return x->smape_loo < y->smape_loo ? -1 : 1;
    return x->cost - y->cost;
}

static int compare_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->cost != y->cost ? x->cost - y->cost : compare_error(a, b);
}

/* Candidates ordered by error: how many are within the tolerance of the purpose. They are then ordered by
 * cost. */
static size_t best_candidates(struct search *search, parcast_scaling_purpose purpose)
{
    qsort(search->candidates, search->n_candidates, sizeof *search->candidates, compare_error);
    const struct candidate *best = &search->candidates[0];
    double limit = best->smape_loo;
    if (purpose == PARCAST_SCALING_FORECAST) {
        size_t k = search->shapes[best->shape].n_terms + 1;
        limit = fmax(limit + best->standard_error, limit * scaling_error_ratio(search->points.n - k));
    }
    limit = limit * (1 + 1e-9) + 1e-10; /* equal but for rounding */
    size_t n = 1;
    while (n < search->n_candidates && search->candidates[n].smape_loo <= limit) n++;
    qsort(search->candidates, n, sizeof *search->candidates, compare_cost);
    return n;
}

static parcast_status search_create(const parcast_scaling_data *data, const parcast_scaling_options *options,
                                    struct search **search, parcast_error *error)
{
    struct search *created = calloc(1, sizeof *created);
    if (!created) {
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a scaling model");
        return PARCAST_MEMORY;
    }
    if (options) created->options = *options;
    parcast_status status = scaling_points_create(data, created->options.relative, &created->points, error);
    if (status)
        clear(created);
    else
        *search = created;
    return status;
}

/* Best terms of one parameter on the marginal points: those with the smallest error; for a forecast half of
 * them, and half the simplest of those that are not clearly worse. */
static void take_best(struct search *search, size_t p, struct search *marginal, size_t limit)
{
    size_t n = 0, by_error = limit / 2;
    for (int purpose = PARCAST_SCALING_DESCRIBE; purpose <= PARCAST_SCALING_FORECAST; purpose++) {
        size_t within = best_candidates(marginal, (parcast_scaling_purpose)purpose);
        if (purpose == PARCAST_SCALING_DESCRIBE) within = marginal->n_candidates;
        for (size_t c = 0; c < within && n < (purpose == PARCAST_SCALING_FORECAST ? limit : by_error); c++) {
            const struct candidate *candidate = &marginal->candidates[c];
            if (candidate->shape == 0) continue;
            struct scaling_power power = marginal->powers[0][candidate->choice[0]];
            bool there = false;
            for (size_t k = 0; k < n; k++) there |= memcmp(&search->powers[p][k], &power, sizeof power) == 0;
            if (!there) search->powers[p][n++] = power;
        }
    }
    search->n_powers[p] = n;
}

static parcast_status shortlist(struct search *search, size_t p, parcast_error *error)
{
    static const size_t limits[] = {SCALING_MAX_POWERS, 24, 9, 5, 3, 2};
    struct search *marginal = NULL;
    struct scaling_points points = {0};
    parcast_status status = scaling_points_marginal(&search->points, p, &points, error);
    if (status) return status;
    size_t limit = limits[search->points.n_parameters - 1];
    if (points.n < 3) { /* nothing to choose by: the simplest */
        size_t n = scaling_powers(
            scaling_points_powers(&search->points, p, search->options.allow_negative_exponents),
            search->powers[p]);
        search->n_powers[p] = n < limit ? n : limit;
        goto clear_points;
    }
    parcast_scaling_data data = {1, points.n, points.x, points.y};
    status = search_create(&data, &search->options, &marginal, error);
    if (status) goto clear_points;
    marginal->n_powers[0] =
        scaling_powers(scaling_points_powers(&search->points, p, search->options.allow_negative_exponents),
                       marginal->powers[0]);
    status = try_all(marginal, error);
    if (!status) take_best(search, p, marginal, limit);
    clear(marginal);
clear_points:
    scaling_points_clear(&points);
    return status;
}

static parcast_status choose_powers(struct search *search, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (search->points.n_parameters == 1)
        search->n_powers[0] = scaling_powers(
            scaling_points_powers(&search->points, 0, search->options.allow_negative_exponents),
            search->powers[0]);
    else
        for (size_t p = 0; !status && p < search->points.n_parameters; p++)
            status = shortlist(search, p, error);
    return status;
}

static void fill_term(const struct search *search, const struct candidate *candidate, unsigned mask,
                      parcast_scaling_term *term)
{
    for (size_t p = 0; p < search->points.n_parameters; p++) {
        if (!(mask & 1u << p)) continue;
        struct scaling_power power = search->powers[p][candidate->choice[p]];
        term->factors[term->n_factors++] =
            (parcast_scaling_factor){p, power.numerator, power.denominator, power.log2_exponent};
    }
}

static struct scaling_hypothesis make_hypothesis(struct search *search, const struct candidate *candidate)
{
    const struct scaling_shape *shape = &search->shapes[candidate->shape];
    struct scaling_hypothesis hypothesis = {.function = {.n_terms = shape->n_terms}};
    fit(search, candidate, &hypothesis.ols); /* it was determined before */
    hypothesis.function.constant = hypothesis.ols.coefficients[0];
    for (size_t t = 0; t < shape->n_terms; t++) {
        hypothesis.function.terms[t].coefficient = hypothesis.ols.coefficients[t + 1];
        fill_term(search, candidate, shape->masks[t], &hypothesis.function.terms[t]);
    }
    scaling_hypothesis_measure(&hypothesis, &search->work, search->points.y, search->options.relative);
    return hypothesis;
}

/* log2(x)^j / x^i rises up to ln x = j/i: a peak below the data is an artefact of the form. */
static bool peaks_above(const parcast_scaling_function *function, const double *low)
{
    for (size_t t = 0; t < function->n_terms; t++)
        for (size_t f = 0; f < function->terms[t].n_factors; f++) {
            const parcast_scaling_factor *factor = &function->terms[t].factors[f];
            if (factor->numerator >= 0 || factor->log2_exponent <= 0) continue;
            double peak = exp(-(double)factor->log2_exponent * factor->denominator / factor->numerator);
            if (peak > low[factor->parameter]) return true;
        }
    return false;
}

/* Positive, finite and without an artificial peak between the smallest and the largest coordinates that will
 * be asked for. */
static bool is_sound(const struct search *search, const parcast_scaling_function *function)
{
    static const size_t steps_of[] = {33, 9, 5, 3, 3, 3};
    size_t m = search->points.n_parameters, steps = steps_of[m - 1], total = 1;
    double low[PARCAST_SCALING_MAX_PARAMETERS], high[PARCAST_SCALING_MAX_PARAMETERS];
    for (size_t p = 0; p < m; p++) {
        low[p] = search->options.range_from ? search->options.range_from[p] : INFINITY;
        high[p] = search->options.range_to ? search->options.range_to[p] : 0;
        for (size_t i = 0; i < search->points.n; i++) {
            low[p] = fmin(low[p], search->points.x[i * m + p]);
            high[p] = fmax(high[p], search->points.x[i * m + p]);
        }
        total *= steps;
    }
    if (peaks_above(function, low)) return false;
    for (size_t g = 0; g < total; g++) {
        double x[PARCAST_SCALING_MAX_PARAMETERS];
        size_t rest = g;
        for (size_t p = 0; p < m; p++, rest /= steps) {
            double share = (double)(rest % steps) / (double)(steps - 1);
            x[p] = low[p] > 0 ? low[p] * pow(high[p] / low[p], share) : high[p] * share;
        }
        double value = parcast_scaling_function_value(function, x);
        if (!(value > 0) || !isfinite(value)) return false;
    }
    return true;
}

/* The chosen hypothesis and, for a forecast, the others within the tolerance. */
static void select_hypotheses(struct search *search, parcast_scaling_pmnf *model)
{
    bool forecast = search->options.purpose == PARCAST_SCALING_FORECAST;
    size_t within = best_candidates(search, search->options.purpose);
    for (size_t c = 0; c < search->n_candidates && model->n_hypotheses < SCALING_MAX_HYPOTHESES; c++) {
        if (c >= within && model->n_hypotheses > 0) break; /* beyond only when none within is sound */
        struct scaling_hypothesis hypothesis = make_hypothesis(search, &search->candidates[c]);
        if (forecast && !is_sound(search, &hypothesis.function)) continue;
        model->hypotheses[model->n_hypotheses++] = hypothesis;
        if (!forecast) break;
    }
    if (model->n_hypotheses == 0) /* values that are not positive: described all the same */
        model->hypotheses[model->n_hypotheses++] = make_hypothesis(search, &search->candidates[0]);
}

parcast_status parcast_scaling_fit_pmnf(const parcast_scaling_data *data,
                                        const parcast_scaling_options *options, parcast_scaling_pmnf **model,
                                        parcast_error *error)
{
    struct search *search = NULL;
    parcast_scaling_pmnf *created = NULL;
    parcast_status status = search_create(data, options, &search, error);
    if (status) return status;
    status = choose_powers(search, error);
    if (!status) status = try_all(search, error);
    if (status) goto clear_search;
    created = calloc(1, sizeof *created);
    if (!created) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a scaling model");
        goto clear_search;
    }
    created->n_parameters = search->points.n_parameters;
    created->n_points = search->points.n;
    created->relative = search->options.relative;
    select_hypotheses(search, created);
    *model = created;
clear_search:
    clear(search);
    return status;
}
