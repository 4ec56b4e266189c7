#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scaling_search.h"

/* A row for sorting: its coordinates with one parameter moved to the end, then its value. */
struct row {
    size_t n_parameters;
    double key[PARCAST_SCALING_MAX_PARAMETERS];
    double y;
};

static bool same_key(const struct row *r, const struct row *s, size_t n_keys)
{
    for (size_t p = 0; p < n_keys; p++)
        if (r->key[p] != s->key[p]) return false;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *r = a, *s = b;
    for (size_t p = 0; p < r->n_parameters; p++)
        if (r->key[p] != s->key[p]) return r->key[p] < s->key[p] ? -1 : 1;
    return (r->y > s->y) - (r->y < s->y);
}

static parcast_status check(const parcast_scaling_data *data, bool positive, parcast_error *error)
{
    if (data->n_parameters < 1 || data->n_parameters > PARCAST_SCALING_MAX_PARAMETERS)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a scaling model takes 1 to %d parameters, not %zu",
                                 PARCAST_SCALING_MAX_PARAMETERS, data->n_parameters);
    for (size_t i = 0; i < data->n_points; i++) {
        for (size_t p = 0; p < data->n_parameters; p++) {
            double x = data->x[i * data->n_parameters + p];
            if (!isfinite(x) || x < 0)
                return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                         "point %zu: coordinate %g is not a number from 0", i + 1, x);
        }
        if (!isfinite(data->y[i]) || (positive && data->y[i] <= 0))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "point %zu: value %g is not %s", i + 1,
                                     data->y[i], positive ? "a number above 0" : "finite");
    }
    return PARCAST_OK;
}

static parcast_status allocate(struct scaling_points *points, parcast_error *error)
{
    points->x = calloc((points->n_parameters + 1) * (points->n ? points->n : 1), sizeof *points->x);
    if (!points->x) {
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu points", points->n);
        return PARCAST_MEMORY;
    }
    points->y = points->x + points->n * points->n_parameters;
    return PARCAST_OK;
}

void scaling_points_clear(struct scaling_points *points)
{
    free(points->x);
    *points = (struct scaling_points){0};
}

/* Average rows with equal keys in place; returns how many are left. */
static size_t merge(struct row *rows, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n;) {
        double sum = 0;
        size_t first = i;
        while (i < n && same_key(&rows[i], &rows[first], rows[i].n_parameters)) sum += rows[i++].y;
        rows[kept] = rows[first];
        rows[kept++].y = sum / (double)(i - first);
    }
    return kept;
}

parcast_status scaling_points_create(const parcast_scaling_data *data, bool positive,
                                     struct scaling_points *points, parcast_error *error)
{
    parcast_status status = check(data, positive, error);
    if (status) return status;
    size_t m = data->n_parameters;
    struct row *rows = calloc(data->n_points ? data->n_points : 1, sizeof *rows);
    if (!rows)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu points",
                                 data->n_points);
    for (size_t i = 0; i < data->n_points; i++) {
        rows[i].n_parameters = m;
        for (size_t p = 0; p < m; p++) rows[i].key[p] = data->x[i * m + p] + 0.0; /* -0 becomes 0 */
        rows[i].y = data->y[i];
    }
    qsort(rows, data->n_points, sizeof *rows, compare_rows);
    struct scaling_points clean = {.n_parameters = m, .n = merge(rows, data->n_points)};
    if (clean.n < 3) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0,
                          "a scaling model needs three different points, there are %zu", clean.n);
        status = PARCAST_DATA;
        goto free_rows;
    }
    status = allocate(&clean, error);
    if (status) goto free_rows;
    for (size_t i = 0; i < clean.n; i++) {
        memcpy(clean.x + i * m, rows[i].key, m * sizeof *clean.x);
        clean.y[i] = rows[i].y;
    }
    *points = clean;
free_rows:
    free(rows);
    return status;
}

/* Rows that differ in the last key alone. */
static bool same_series(const struct row *r, const struct row *s)
{
    return same_key(r, s, r->n_parameters - 1);
}

static bool same_values(const struct row *r, const struct row *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (r[i].key[r->n_parameters - 1] != s[i].key[r->n_parameters - 1]) return false;
    return true;
}

/* Average, in y[n] that is 0 before, all series of the longest length that visit the values of the first
 * such; returns the length. */
static size_t add_series(const struct row *rows, size_t n, double *x, double *y)
{
    size_t length = 0, first = 0, n_series = 0;
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && same_series(&rows[start], &rows[end]);) end++;
        if (end - start > length) {
            length = end - start;
            first = start;
        }
    }
    for (size_t start = first, end; start < n; start = end) {
        for (end = start + 1; end < n && same_series(&rows[start], &rows[end]);) end++;
        if (end - start != length || !same_values(&rows[first], &rows[start], length)) continue;
        for (size_t i = 0; i < length; i++) {
            x[i] = rows[start + i].key[rows->n_parameters - 1];
            y[i] += rows[start + i].y;
        }
        n_series++;
    }
    for (size_t i = 0; i < length; i++) y[i] /= (double)n_series;
    return length;
}

parcast_status scaling_points_marginal(const struct scaling_points *points, size_t parameter,
                                       struct scaling_points *marginal, parcast_error *error)
{
    struct scaling_points result = {.n_parameters = 1, .n = points->n};
    size_t m = points->n_parameters;
    struct row *rows = calloc(points->n, sizeof *rows);
    if (!rows)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu points", points->n);
    for (size_t i = 0; i < points->n; i++) {
        size_t k = 0;
        rows[i].n_parameters = m;
        for (size_t p = 0; p < m; p++)
            if (p != parameter) rows[i].key[k++] = points->x[i * m + p];
        rows[i].key[k] = points->x[i * m + parameter];
        rows[i].y = points->y[i];
    }
    qsort(rows, points->n, sizeof *rows, compare_rows);
    parcast_status status = allocate(&result, error);
    if (!status) {
        result.n = add_series(rows, points->n, result.x, result.y);
        *marginal = result;
    }
    free(rows);
    return status;
}

struct scaling_power_set scaling_points_powers(const struct scaling_points *points, size_t parameter,
                                               bool negative)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < points->n; i++)
        smallest = fmin(smallest, points->x[i * points->n_parameters + parameter]);
    return (struct scaling_power_set){
        .negative = negative && smallest > 0, .logs = smallest >= 1, .negative_logs = smallest > 1};
}
