/*
 * Values of a scaling model with their intervals, and fits of terms that are given.
 */
#include "scaling_model.h"

#include <math.h>
#include <stdlib.h>

#include "scaling_search.h"

void scaling_hypothesis_measure(struct scaling_hypothesis *hypothesis, const struct scaling_workspace *work,
                                const double *values, bool relative)
{
    parcast_scaling_quality quality = {0};
    double squares = 0, largest = 0, n = (double)work->n;
    for (size_t i = 0; i < work->n; i++) {
        double y = values[i], unit = relative ? y : 1;
        double fitted = work->fitted[i] * unit, loo = work->loo[i] * unit;
        quality.smape_fit += scaling_smape(fitted, y) / n;
        quality.smape_loo += scaling_smape(loo, y) / n;
        quality.rss_fit += (fitted - y) * (fitted - y);
        quality.rss_loo += (loo - y) * (loo - y);
        double error_ratio = y != 0 && loo != 0 ? (y - loo) / fmax(fabs(loo), fabs(y)) : 0;
        squares += error_ratio * error_ratio;
        largest = fmax(largest, fabs(y));
    }
    hypothesis->quality = quality;
    hypothesis->sigma_abs = sqrt(quality.rss_loo / n);
    hypothesis->sigma_ratio = sqrt(squares / n);
    hypothesis->largest = largest;
}

void parcast_scaling_pmnf_destroy(parcast_scaling_pmnf **model)
{
    free(*model);
    *model = NULL;
}

const parcast_scaling_function *parcast_scaling_pmnf_function(const parcast_scaling_pmnf *model)
{
    return &model->hypotheses[0].function;
}

const parcast_scaling_quality *parcast_scaling_pmnf_quality(const parcast_scaling_pmnf *model)
{
    return &model->hypotheses[0].quality;
}

/* The term without its coefficient. */
static double basis_at(const parcast_scaling_function *function, size_t term, const double *x)
{
    parcast_scaling_function unit = {.n_terms = 1, .terms = {function->terms[term]}};
    unit.terms[0].coefficient = 1;
    return parcast_scaling_function_value(&unit, x);
}

static double leverage_at(const struct scaling_hypothesis *hypothesis, const double *x)
{
    double row[SCALING_MAX_COLUMNS] = {1};
    for (size_t t = 0; t < hypothesis->function.n_terms; t++)
        row[t + 1] = basis_at(&hypothesis->function, t, x);
    return scaling_ols_leverage(&hypothesis->ols, row);
}

/*
 * Half width of the interval, as a share of the value: what the coefficients may be off, and the noise of one
 * more point. Noise may be absolute or relative: the wider of both counts. The coefficients were fitted to
 * absolute residuals, and those of the largest values, where relative noise is largest, carry them.
 */
static double half_width(const struct scaling_hypothesis *hypothesis, bool relative, const double *x,
                         double value)
{
    double leverage = leverage_at(hypothesis, x), noise = hypothesis->sigma_abs / value;
    double sigma = fmax(noise, hypothesis->sigma_ratio * hypothesis->largest / value);
    if (relative) {
        leverage /= value * value; /* the rows of the fit were divided by their values */
        /* Times that lie on the function by chance are no more exact than other times: 1 % at least. */
        sigma = noise = fmax(hypothesis->sigma_ratio, 0.01);
    } else
        noise = fmax(hypothesis->sigma_ratio, noise);
    return scaling_student_t(hypothesis->ols.n - hypothesis->ols.k) *
           sqrt(sigma * sigma * leverage + noise * noise);
}

/* exp, so that a lower end stays above 0; beyond e straight on, because an exponential of a wide one is
 * absurd. */
static double stretch(double half)
{
    return half < 1 ? exp(half) : M_E * half;
}

static void widen(const struct scaling_hypothesis *hypothesis, bool relative, const double *x, double value,
                  double *low, double *high)
{
    double factor = stretch(half_width(hypothesis, relative, x, value));
    *low = fmin(*low, value / factor);
    *high = fmax(*high, value * factor);
}

static parcast_status no_value(const double *x, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                             "the scaling function has no positive value at %g: no forecast there", x[0]);
}

parcast_status parcast_scaling_pmnf_predict(const parcast_scaling_pmnf *model, const double *x, double *value,
                                            double *low, double *high, parcast_error *error)
{
    double chosen = parcast_scaling_function_value(&model->hypotheses[0].function, x);
    if (!(chosen > 0) || !isfinite(chosen)) return no_value(x, error);
    double lowest = chosen, highest = chosen;
    for (size_t h = 0; h < model->n_hypotheses; h++) {
        double y = parcast_scaling_function_value(&model->hypotheses[h].function, x);
        if (!(y > 0) || !isfinite(y)) continue;
        widen(&model->hypotheses[h], model->relative, x, y, &lowest, &highest);
    }
    *value = chosen;
    if (low) *low = fmax(lowest, 1e-300);
    if (high) *high = fmin(highest, 1e300);
    return PARCAST_OK;
}

/* ---- terms that are given ---- */

static parcast_status fit_points(const struct scaling_points *points, struct scaling_workspace *work,
                                 struct scaling_hypothesis *fitted, parcast_error *error)
{
    parcast_scaling_function *function = &fitted->function;
    for (size_t i = 0; i < points->n; i++) {
        work->target[i] = points->y[i];
        work->columns[i] = 1;
        for (size_t t = 0; t < function->n_terms; t++)
            work->columns[(t + 1) * points->n + i] =
                basis_at(function, t, points->x + i * points->n_parameters);
    }
    if (!scaling_ols_fit(work, function->n_terms + 1, &fitted->ols))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "%zu points cannot tell %zu terms apart",
                                 points->n, function->n_terms);
    scaling_hypothesis_measure(fitted, work, points->y, false);
    function->constant = fitted->ols.coefficients[0];
    for (size_t t = 0; t < function->n_terms; t++)
        function->terms[t].coefficient = fitted->ols.coefficients[t + 1];
    return PARCAST_OK;
}

static parcast_status fit_terms(const parcast_scaling_data *data, struct scaling_hypothesis *fitted,
                                parcast_error *error)
{
    struct scaling_points points = {0};
    struct scaling_workspace work = {0};
    if (fitted->function.n_terms > PARCAST_SCALING_MAX_TERMS)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a function has at most %d terms, not %zu",
                                 PARCAST_SCALING_MAX_TERMS, fitted->function.n_terms);
    parcast_status status = scaling_points_create(data, false, &points, error);
    if (!status) status = scaling_workspace_create(points.n, &work, error);
    if (!status) status = fit_points(&points, &work, fitted, error);
    scaling_workspace_clear(&work);
    scaling_points_clear(&points);
    return status;
}

parcast_status parcast_scaling_fit_terms(const parcast_scaling_data *data, parcast_scaling_function *function,
                                         parcast_scaling_quality *quality, parcast_error *error)
{
    struct scaling_hypothesis fitted = {.function = *function};
    parcast_status status = fit_terms(data, &fitted, error);
    if (status) return status;
    *function = fitted.function;
    if (quality) *quality = fitted.quality;
    return PARCAST_OK;
}

parcast_status parcast_scaling_predict_terms(const parcast_scaling_data *data,
                                             parcast_scaling_function *function, const double *x,
                                             double *value, double *low, double *high,
                                             parcast_scaling_quality *quality, parcast_error *error)
{
    struct scaling_hypothesis fitted = {.function = *function};
    parcast_status status = fit_terms(data, &fitted, error);
    if (status) return status;
    double y = parcast_scaling_function_value(&fitted.function, x), lowest = y, highest = y;
    if (!(y > 0) || !isfinite(y)) return no_value(x, error);
    widen(&fitted, false, x, y, &lowest, &highest);
    *function = fitted.function;
    *value = y;
    if (low) *low = lowest;
    if (high) *high = highest;
    if (quality) *quality = fitted.quality;
    return PARCAST_OK;
}
