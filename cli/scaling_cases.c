/*
 * scaling_cases FILE: check the performance model normal form on a file of cases ("scaling-cases-1").
 *
 * A case passes when the model has the terms of the reference and their coefficients to 1e-6, or other terms
 * with a leave-one-out SMAPE that is no worse; and when, fitted on the smaller values of one parameter, it
 * forecasts the largest no worse than the better of the two references. One line a case, last "N passed, M
 * failed"; exit status 0 if none failed, 1 if some did, 3 for a file that cannot be used.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/scaling.h"

enum { EXIT_INPUT = 3, TEXT = 512 };

struct points {
    size_t n_parameters, n;
    double *x, *y;
    const char *names[PARCAST_SCALING_MAX_PARAMETERS];
};

static void free_points(struct points *points)
{
    free(points->x);
    free(points->y);
}

static bool read_parameters(const json_t *list, struct points *points)
{
    points->n_parameters = json_array_size(list);
    if (points->n_parameters < 1 || points->n_parameters > PARCAST_SCALING_MAX_PARAMETERS) return false;
    for (size_t p = 0; p < points->n_parameters; p++) {
        points->names[p] = json_string_value(json_array_get(list, p));
        if (!points->names[p]) return false;
    }
    return true;
}

static bool read_points(const json_t *test, struct points *points)
{
    const json_t *list = json_object_get(test, "points");
    if (!read_parameters(json_object_get(test, "parameters"), points)) return false;
    size_t m = points->n_parameters;
    points->n = json_array_size(list);
    points->x = calloc(points->n * m + 1, sizeof *points->x);
    points->y = calloc(points->n + 1, sizeof *points->y);
    if (!points->x || !points->y) return false;
    for (size_t i = 0; i < points->n; i++) {
        const json_t *point = json_array_get(list, i), *x = json_array_get(point, 0);
        if (json_array_size(x) != m || !json_is_number(json_array_get(point, 1))) return false;
        for (size_t p = 0; p < m; p++) points->x[i * m + p] = json_number_value(json_array_get(x, p));
        points->y[i] = json_number_value(json_array_get(point, 1));
    }
    return true;
}

static bool read_exponent(const char *text, int *numerator, int *denominator)
{
    char *end;
    if (!text) return false;
    *numerator = (int)strtol(text, &end, 10);
    *denominator = *end == '/' ? (int)strtol(end + 1, &end, 10) : 1;
    return *end == '\0' && end != text && *denominator > 0;
}

static bool read_factor(const json_t *source, const struct points *points, parcast_scaling_factor *factor)
{
    const char *name = json_string_value(json_object_get(source, "parameter"));
    size_t p = 0;
    while (p < points->n_parameters && name && strcmp(points->names[p], name) != 0) p++;
    if (!name || p == points->n_parameters) return false;
    factor->parameter = p;
    factor->log2_exponent = (int)json_integer_value(json_object_get(source, "log2_exponent"));
    return read_exponent(json_string_value(json_object_get(source, "exponent")), &factor->numerator,
                         &factor->denominator);
}

static int compare_factors(const void *a, const void *b)
{
    size_t x = ((const parcast_scaling_factor *)a)->parameter,
           y = ((const parcast_scaling_factor *)b)->parameter;
    return (x > y) - (x < y);
}

static bool read_function(const json_t *reference, const struct points *points,
                          parcast_scaling_function *function)
{
    const json_t *terms = json_object_get(reference, "terms");
    function->constant = json_number_value(json_object_get(reference, "constant"));
    function->n_terms = json_array_size(terms);
    if (function->n_terms > PARCAST_SCALING_MAX_TERMS) return false;
    for (size_t t = 0; t < function->n_terms; t++) {
        parcast_scaling_term *term = &function->terms[t];
        const json_t *source = json_array_get(terms, t), *factors = json_object_get(source, "factors");
        term->coefficient = json_number_value(json_object_get(source, "coefficient"));
        term->n_factors = json_array_size(factors);
        if (term->n_factors < 1 || term->n_factors > points->n_parameters) return false;
        for (size_t f = 0; f < term->n_factors; f++)
            if (!read_factor(json_array_get(factors, f), points, &term->factors[f])) return false;
        qsort(term->factors, term->n_factors, sizeof term->factors[0], compare_factors);
    }
    return true;
}

static bool same_factors(const parcast_scaling_term *a, const parcast_scaling_term *b)
{
    if (a->n_factors != b->n_factors) return false;
    for (size_t f = 0; f < a->n_factors; f++) {
        const parcast_scaling_factor *x = &a->factors[f], *y = &b->factors[f];
        if (x->parameter != y->parameter || x->log2_exponent != y->log2_exponent ||
            x->numerator * y->denominator != y->numerator * x->denominator)
            return false;
    }
    return true;
}

static const parcast_scaling_term *find_term(const parcast_scaling_function *function,
                                             const parcast_scaling_term *wanted)
{
    for (size_t t = 0; t < function->n_terms; t++)
        if (same_factors(&function->terms[t], wanted)) return &function->terms[t];
    return NULL;
}

static bool same_terms(const parcast_scaling_function *a, const parcast_scaling_function *b)
{
    if (a->n_terms != b->n_terms) return false;
    for (size_t t = 0; t < b->n_terms; t++)
        if (!find_term(a, &b->terms[t])) return false;
    return true;
}

/* The constant may be a small rest of large values: it is compared on the scale of the values. */
static bool same_coefficients(const parcast_scaling_function *a, const parcast_scaling_function *b,
                              const struct points *points)
{
    double scale = 0;
    for (size_t i = 0; i < points->n; i++) scale = fmax(scale, fabs(points->y[i]));
    if (fabs(a->constant - b->constant) > 1e-6 * fmax(fabs(b->constant), 1e-6 * scale)) return false;
    for (size_t t = 0; t < b->n_terms; t++) {
        const parcast_scaling_term *term = find_term(a, &b->terms[t]);
        if (fabs(term->coefficient - b->terms[t].coefficient) > 1e-6 * fabs(b->terms[t].coefficient))
            return false;
    }
    return true;
}

static bool check_model(const struct points *points, const json_t *test, bool negative, char *line)
{
    const json_t *reference = json_object_get(test, "reference");
    parcast_scaling_data data = {points->n_parameters, points->n, points->x, points->y};
    parcast_scaling_options options = {.allow_negative_exponents = negative};
    parcast_scaling_pmnf *model = NULL;
    parcast_scaling_function expected = {0};
    parcast_error error = {0};
    char text[TEXT];
    if (!read_function(reference, points, &expected)) {
        snprintf(line, TEXT, "the reference cannot be read");
        return false;
    }
    if (parcast_scaling_fit_pmnf(&data, &options, &model, &error)) {
        snprintf(line, TEXT, "%.400s", error.text);
        return false;
    }
    const parcast_scaling_function *function = parcast_scaling_pmnf_function(model);
    double ours = parcast_scaling_pmnf_quality(model)->smape_loo;
    double theirs = json_number_value(json_object_get(reference, "smape_loo"));
    bool same = same_terms(function, &expected);
    bool passed = same ? same_coefficients(function, &expected, points) : ours <= theirs * (1 + 1e-6) + 1e-9;
    parcast_scaling_function_text(function, points->names, text, sizeof text);
    snprintf(line, TEXT, "%.300s; %s terms, smape_loo %.6g (reference %.6g)", text, same ? "same" : "other",
             ours, theirs);
    parcast_scaling_pmnf_destroy(&model);
    return passed;
}

/* Points that agree with point `like` in all parameters but p, with p up to `largest`. */
static size_t select_series(const struct points *points, size_t p, size_t like, double largest, double *x,
                            double *y)
{
    size_t n = 0, m = points->n_parameters;
    for (size_t i = 0; i < points->n; i++) {
        bool same = points->x[i * m + p] <= largest;
        for (size_t q = 0; q < m; q++)
            same = same && (q == p || points->x[i * m + q] == points->x[like * m + q]);
        if (!same) continue;
        x[n] = points->x[i * m + p];
        y[n++] = points->y[i];
    }
    return n;
}

/* Relative error of the forecast of point i [%] from the smaller values of parameter p. */
static bool forecast_error(const struct points *points, size_t p, size_t i, double largest, bool negative,
                           double *percent)
{
    double target = points->x[i * points->n_parameters + p], value = 0;
    double *x = calloc(2 * points->n, sizeof *x);
    if (!x) return false;
    double *y = x + points->n;
    size_t n = select_series(points, p, i, largest, x, y);
    parcast_scaling_data data = {1, n, x, y};
    parcast_scaling_options options = {
        .allow_negative_exponents = negative, .purpose = PARCAST_SCALING_FORECAST, .range_to = &target};
    parcast_scaling_pmnf *model = NULL;
    bool done = parcast_scaling_fit_pmnf(&data, &options, &model, NULL) == PARCAST_OK &&
                parcast_scaling_pmnf_predict(model, &target, &value, NULL, NULL, NULL) == PARCAST_OK;
    if (done) *percent = 100 * fabs(value / points->y[i] - 1);
    if (model) parcast_scaling_pmnf_destroy(&model);
    free(x);
    return done;
}

static bool check_extrapolation(const struct points *points, const json_t *extrapolation, bool negative,
                                char *line)
{
    const char *name = json_string_value(json_object_get(extrapolation, "parameter"));
    double largest = json_number_value(json_object_get(extrapolation, "train_max"));
    double target = json_number_value(json_object_get(extrapolation, "target"));
    double bar = fmin(json_number_value(json_object_get(extrapolation, "reference_mean_error_percent")),
                      json_number_value(json_object_get(extrapolation, "log2_baseline_mean_error_percent")));
    double sum = 0, percent = 0;
    size_t p = 0, n = 0;
    while (p < points->n_parameters && name && strcmp(points->names[p], name) != 0) p++;
    if (!name || p == points->n_parameters) return false;
    for (size_t i = 0; i < points->n; i++) {
        if (points->x[i * points->n_parameters + p] != target) continue;
        if (!forecast_error(points, p, i, largest, negative, &percent)) return false;
        sum += percent;
        n++;
    }
    if (n == 0) return false;
    size_t used = strlen(line);
    snprintf(line + used, TEXT - used, "; forecast of %s = %g: %.2f %% (reference %.1f %%)", name, target,
             sum / (double)n, bar);
    return sum / (double)n <= bar + 0.05; /* the references are printed with one digit */
}

static bool check_case(const json_t *test)
{
    const json_t *extrapolation = json_object_get(test, "extrapolation");
    bool negative =
        json_is_true(json_object_get(json_object_get(test, "options"), "allow_negative_exponents"));
    struct points points = {0};
    char line[TEXT] = "the points cannot be read";
    bool passed = read_points(test, &points) && check_model(&points, test, negative, line);
    if (json_is_object(extrapolation) && points.n > 0)
        passed = check_extrapolation(&points, extrapolation, negative, line) && passed;
    const char *id = json_string_value(json_object_get(test, "id"));
    printf("%s %s: %s\n", passed ? "pass" : "FAIL", id ? id : "?", line);
    free_points(&points);
    return passed;
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc != 2) {
        fprintf(stderr, "usage: scaling_cases FILE\n");
        return 2;
    }
    json_t *root = json_load_file(argv[1], 0, &error);
    const json_t *cases = json_object_get(root, "cases");
    if (!json_is_array(cases)) {
        if (root)
            fprintf(stderr, "scaling_cases: %s: no \"cases\"\n", argv[1]);
        else
            fprintf(stderr, "scaling_cases: %s:%d: %s\n", argv[1], error.line, error.text);
        json_decref(root);
        return EXIT_INPUT;
    }
    size_t passed = 0, n = json_array_size(cases);
    for (size_t i = 0; i < n; i++) passed += check_case(json_array_get(cases, i));
    printf("%zu passed, %zu failed\n", passed, n - passed);
    json_decref(root);
    return passed == n ? 0 : 1;
}
