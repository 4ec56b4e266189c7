/*
 * scaling_published FILE: extrapolation error of the empirical timing model and of four simple forms.
 *
 * FILE holds tables of published scaling runs ("published-scaling-1"). Every table is fitted on the counts up
 * to a quarter of its largest and judged on the rest: the mean of |T_predicted / T - 1|. Tables with fewer
 * than three points to fit are left out. Prints the error of each table, the medians over the tables, and how
 * many held-out points the 95 % interval holds, as JSON. Exit status 1 when our median is not below that of
 * the best single simple form, 3 for a file that cannot be used.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "parcast/scaling.h"

enum { MAX_POINTS = 64, MAX_TABLES = 256, N_FORMS = 4, MAX_COEFFICIENTS = 3 };
static const char *const form_names[N_FORMS] = {"a+b/p", "a+b/p+c*log2(p)", "a+b/p+c*p", "a*p^b"};

struct table {
    parcast_scaling_timing fit[MAX_POINTS], rest[MAX_POINTS];
    size_t n_fit, n_rest;
    bool weak;
};

struct fitted {
    size_t form;
    double c[MAX_COEFFICIENTS];
};

static double basis(size_t form, size_t k, double p)
{
    if (k == 0) return 1;
    if (k == 1) return 1 / p;
    return form == 1 ? log2(p) : p;
}

static double value(const struct fitted *fitted, double p)
{
    if (fitted->form == 3) return fitted->c[0] * pow(p, fitted->c[1]);
    double sum = 0;
    for (size_t k = 0; k < (fitted->form == 0 ? 2 : 3); k++) sum += fitted->c[k] * basis(fitted->form, k, p);
    return sum;
}

static double misfit(const struct fitted *fitted, const struct table *table)
{
    double sum = 0;
    for (size_t i = 0; i < table->n_fit; i++) {
        double error = value(fitted, table->fit[i].processes) / table->fit[i].time_s - 1;
        sum += error * error;
    }
    return sum;
}

/* Relative least squares of the columns in a bit mask: normal equations, at most 3 x 3, by elimination. */
static bool solve_subset(size_t form, unsigned mask, const struct table *table, struct fitted *fitted)
{
    size_t columns[MAX_COEFFICIENTS], n = 0;
    double a[MAX_COEFFICIENTS][MAX_COEFFICIENTS + 1] = {{0}};
    for (size_t k = 0; k < MAX_COEFFICIENTS; k++)
        if (mask & 1u << k) columns[n++] = k;
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < table->n_fit; i++) {
            double row = basis(form, columns[r], table->fit[i].processes) / table->fit[i].time_s;
            for (size_t c = 0; c < n; c++)
                a[r][c] += row * basis(form, columns[c], table->fit[i].processes) / table->fit[i].time_s;
            a[r][n] += row;
        }
    for (size_t r = 0; r < n; r++) { /* symmetric and positive definite: no pivoting */
        if (!(a[r][r] > 0)) return false;
        for (size_t s = 0; s < n; s++) {
            if (s == r) continue;
            double factor = a[s][r] / a[r][r];
            for (size_t c = r; c <= n; c++) a[s][c] -= factor * a[r][c];
        }
    }
    *fitted = (struct fitted){.form = form};
    for (size_t r = 0; r < n; r++) {
        fitted->c[columns[r]] = a[r][n] / a[r][r];
        if (!(fitted->c[columns[r]] >= 0)) return false;
    }
    return true;
}

/* Non-negative: the best of all subsets of the columns with non-negative coefficients. */
static struct fitted fit_linear(size_t form, const struct table *table)
{
    struct fitted best = {.form = form}, candidate;
    double least = INFINITY;
    for (unsigned mask = 1; mask < (form == 0 ? 4u : 8u); mask++) {
        if (!solve_subset(form, mask, table, &candidate)) continue;
        double error = misfit(&candidate, table);
        if (error >= least) continue;
        least = error;
        best = candidate;
    }
    return best;
}

static struct fitted fit_power(const struct table *table)
{
    struct fitted best = {.form = 3}, candidate = {.form = 3};
    double least = INFINITY;
    for (int step = -3000; step <= 3000; step++) {
        double sum = 0, squares = 0;
        candidate.c[1] = 1e-3 * step;
        for (size_t i = 0; i < table->n_fit; i++) {
            double row = pow(table->fit[i].processes, candidate.c[1]) / table->fit[i].time_s;
            sum += row;
            squares += row * row;
        }
        candidate.c[0] = sum / squares;
        double error = misfit(&candidate, table);
        if (error >= least) continue;
        least = error;
        best = candidate;
    }
    return best;
}

static bool read_table(const json_t *source, struct table *table)
{
    const json_t *points = json_object_get(source, "points");
    const char *kind = json_string_value(json_object_get(source, "kind"));
    size_t n = json_array_size(points);
    int largest = 0;
    *table = (struct table){.weak = kind && strcmp(kind, "weak") == 0};
    if (n > MAX_POINTS) return false;
    for (size_t i = 0; i < n; i++) {
        int processes = (int)json_integer_value(json_object_get(json_array_get(points, i), "processes"));
        if (processes > largest) largest = processes;
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *point = json_array_get(points, i), *time = json_object_get(point, "time_s");
        if (!time) time = json_object_get(point, "time_per_step_s");
        parcast_scaling_timing timing = {.processes =
                                             (int)json_integer_value(json_object_get(point, "processes")),
                                         .nodes = (int)json_integer_value(json_object_get(point, "nodes")),
                                         .time_s = json_number_value(time)};
        if (timing.processes < 1 || !(timing.time_s > 0)) return false;
        if (4 * timing.processes <= largest)
            table->fit[table->n_fit++] = timing;
        else
            table->rest[table->n_rest++] = timing;
    }
    return true;
}

static double error_of(const struct fitted *fitted, const struct table *table)
{
    double sum = 0;
    for (size_t i = 0; i < table->n_rest; i++)
        sum += fabs(value(fitted, table->rest[i].processes) / table->rest[i].time_s - 1);
    return sum / (double)table->n_rest;
}

static bool forecast(const struct table *table, double *mean_error, size_t *inside, json_t *points)
{
    parcast_scaling_timings *model = NULL;
    if (parcast_scaling_fit_timings(table->fit, table->n_fit, table->weak, &model, NULL)) return false;
    double sum = 0;
    for (size_t i = 0; i < table->n_rest; i++) {
        double time_s = 0, low_s = 0, high_s = 0, measured_s = table->rest[i].time_s;
        if (parcast_scaling_predict(model, table->rest[i].processes, table->rest[i].nodes, &time_s, &low_s,
                                    &high_s, NULL)) {
            parcast_scaling_timings_destroy(&model);
            return false;
        }
        sum += fabs(time_s / measured_s - 1);
        *inside += low_s <= measured_s && measured_s <= high_s;
        json_array_append_new(points, json_pack("{s:i, s:f, s:f, s:f, s:f}", "processes",
                                                table->rest[i].processes, "measured_s", measured_s, "time_s",
                                                time_s, "low_s", low_s, "high_s", high_s));
    }
    *mean_error = sum / (double)table->n_rest;
    parcast_scaling_timings_destroy(&model);
    return true;
}

struct result {
    double errors[N_FORMS + 1][MAX_TABLES]; /* ours last */
    size_t n_tables, inside, n_points;
    json_t *tables;
};

static bool judge(const json_t *source, struct result *result)
{
    struct table table;
    if (!read_table(source, &table)) return false;
    if (table.n_fit < 3 || table.n_rest == 0 || result->n_tables == MAX_TABLES) return true;
    json_t *points = json_array(), *errors = json_object();
    size_t t = result->n_tables++;
    for (size_t f = 0; f < N_FORMS; f++) {
        struct fitted fitted = f < 3 ? fit_linear(f, &table) : fit_power(&table);
        result->errors[f][t] = error_of(&fitted, &table);
        json_object_set_new(errors, form_names[f], json_real(result->errors[f][t]));
    }
    bool done = forecast(&table, &result->errors[N_FORMS][t], &result->inside, points);
    json_object_set_new(errors, "parcast", json_real(result->errors[N_FORMS][t]));
    result->n_points += table.n_rest;
    json_array_append_new(result->tables,
                          json_pack("{s:O, s:i, s:o, s:o}", "id", json_object_get(source, "id"),
                                    "fitted_points", (int)table.n_fit, "error_ratio", errors, "held_out",
                                    points));
    return done;
}

static int report(struct result *result)
{
    json_t *medians = json_object();
    double best = INFINITY, ours = median(result->errors[N_FORMS], result->n_tables);
    for (size_t f = 0; f < N_FORMS; f++) {
        double form = median(result->errors[f], result->n_tables);
        best = fmin(best, form);
        json_object_set_new(medians, form_names[f], json_real(form));
    }
    json_object_set_new(medians, "parcast", json_real(ours));
    json_t *root =
        json_pack("{s:s, s:i, s:o, s:f, s:i, s:O}", "schema", "parcast.scaling-published/1", "tables_judged",
                  (int)result->n_tables, "median_error_ratio", medians, "interval_coverage_ratio",
                  result->n_points ? (double)result->inside / (double)result->n_points : 0.0,
                  "held_out_points", (int)result->n_points, "tables", result->tables);
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(root);
    return ours < best ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct result result;
    json_error_t error;
    if (argc != 2) {
        fprintf(stderr, "usage: scaling_published FILE\n");
        return 2;
    }
    json_t *root = json_load_file(argv[1], 0, &error);
    const json_t *tables = json_object_get(root, "tables");
    int status = 3;
    result.tables = json_array();
    bool good = json_is_array(tables);
    for (size_t i = 0; good && i < json_array_size(tables); i++)
        good = judge(json_array_get(tables, i), &result);
    if (good && result.n_tables > 0)
        status = report(&result);
    else
        fprintf(stderr, "scaling_published: %s: no table that can be judged\n", argv[1]);
    json_decref(result.tables);
    json_decref(root);
    return status;
}
