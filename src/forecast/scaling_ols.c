/*
 * Least squares by QR with every leave-one-out prediction from one factorisation: the residual without row i
 * is r_i / (1 - h_i), h the diagonal of the hat matrix Q Q' (Allen 1974). Columns are scaled first, since x^3
 * beside a constant spans ten decades.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scaling_internal.h"

enum { LAPACK_WORK = 64 * SCALING_MAX_COLUMNS };

parcast_status scaling_workspace_create(size_t n, struct scaling_workspace *work, parcast_error *error)
{
    double *block = malloc((SCALING_MAX_COLUMNS + 4) * n * sizeof *block);
    if (!block)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit of %zu points", n);
    *work = (struct scaling_workspace){.n = n,
                                       .columns = block,
                                       .target = block + (SCALING_MAX_COLUMNS + 0) * n,
                                       .fitted = block + (SCALING_MAX_COLUMNS + 1) * n,
                                       .loo = block + (SCALING_MAX_COLUMNS + 2) * n,
                                       .leverage = block + (SCALING_MAX_COLUMNS + 3) * n};
    return PARCAST_OK;
}

void scaling_workspace_clear(struct scaling_workspace *work)
{
    free(work->columns);
    *work = (struct scaling_workspace){0};
}

static bool scale_columns(struct scaling_workspace *work, size_t k, double *scale)
{
    for (size_t c = 0; c < k; c++) {
        double *column = work->columns + c * work->n;
        double sum = 0, largest = 0;
        for (size_t i = 0; i < work->n; i++) largest = fmax(largest, fabs(column[i]));
        if (!(largest > 0) || !isfinite(largest)) return false;
        for (size_t i = 0; i < work->n; i++) sum += column[i] / largest * (column[i] / largest);
        scale[c] = largest * sqrt(sum);
        for (size_t i = 0; i < work->n; i++) column[i] /= scale[c];
        if (!isfinite(scale[c])) return false;
    }
    return true;
}

/* Q'y, then back substitution. */
static void solve(const struct scaling_workspace *work, struct scaling_ols *ols)
{
    for (size_t c = ols->k; c-- > 0;) {
        double sum = 0;
        for (size_t i = 0; i < work->n; i++) sum += work->columns[c * work->n + i] * work->target[i];
        for (size_t j = c + 1; j < ols->k; j++) sum -= ols->r[j * ols->k + c] * ols->coefficients[j];
        ols->coefficients[c] = sum / ols->r[c * ols->k + c];
    }
}

/* Fitted and leave-one-out values from the columns of Q; false when a row cannot be left out. */
static bool leave_out(struct scaling_workspace *work, const struct scaling_ols *ols)
{
    double projection[SCALING_MAX_COLUMNS];
    for (size_t c = 0; c < ols->k; c++) {
        projection[c] = 0;
        for (size_t i = 0; i < work->n; i++)
            projection[c] += work->columns[c * work->n + i] * work->target[i];
    }
    for (size_t i = 0; i < work->n; i++) {
        double fitted = 0, leverage = 0;
        for (size_t c = 0; c < ols->k; c++) {
            double q = work->columns[c * work->n + i];
            fitted += q * projection[c];
            leverage += q * q;
        }
        if (1 - leverage < 1e-9) return false;
        work->fitted[i] = fitted;
        work->leverage[i] = leverage;
        work->loo[i] = work->target[i] - (work->target[i] - fitted) / (1 - leverage);
    }
    return true;
}

bool scaling_ols_fit(struct scaling_workspace *work, size_t k, struct scaling_ols *ols)
{
    double tau[SCALING_MAX_COLUMNS], scratch[LAPACK_WORK];
    lapack_int n = (lapack_int)work->n, columns = (lapack_int)k;
    if (work->n <= k) return false;
    *ols = (struct scaling_ols){.n = work->n, .k = k};
    if (!scale_columns(work, k, ols->scale)) return false;
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, columns, work->columns, n, tau, scratch, LAPACK_WORK) != 0)
        return false;
    for (size_t c = 0; c < k; c++) {
        memcpy(ols->r + c * k, work->columns + c * work->n, (c + 1) * sizeof(double));
        if (fabs(ols->r[c * k + c]) < 1e-11) return false;
    }
    if (LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, columns, columns, work->columns, n, tau, scratch,
                            LAPACK_WORK) != 0)
        return false;
    solve(work, ols);
    if (!leave_out(work, ols)) return false;
    for (size_t c = 0; c < k; c++) {
        ols->coefficients[c] /= ols->scale[c];
        if (!isfinite(ols->coefficients[c])) return false;
    }
    return true;
}

double scaling_ols_leverage(const struct scaling_ols *ols, const double *row)
{
    double z[SCALING_MAX_COLUMNS], sum = 0;
    for (size_t c = 0; c < ols->k; c++) { /* forward substitution with R' */
        z[c] = row[c] / ols->scale[c];
        for (size_t j = 0; j < c; j++) z[c] -= ols->r[c * ols->k + j] * z[j];
        z[c] /= ols->r[c * ols->k + c];
        sum += z[c] * z[c];
    }
    return sum;
}

double scaling_student_t(size_t degrees_of_freedom)
{
    static const double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                       2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    size_t n = sizeof quantiles / sizeof quantiles[0];
    if (degrees_of_freedom == 0) return quantiles[0];
    if (degrees_of_freedom <= n) return quantiles[degrees_of_freedom - 1];
    return 1.96 + 2.5 / (double)degrees_of_freedom; /* within 0.002 from 21 on */
}

double scaling_error_ratio(size_t degrees_of_freedom)
{
    static const double ratios[] = {6.31, 3.00, 2.32, 2.03, 1.86, 1.75, 1.67, 1.61, 1.56};
    size_t n = sizeof ratios / sizeof ratios[0];
    if (degrees_of_freedom == 0) return ratios[0];
    if (degrees_of_freedom <= n) return ratios[degrees_of_freedom - 1];
    return exp(1.2816 / sqrt((double)(degrees_of_freedom - 1))); /* ln F is nearly normal: within 1 % */
}

double scaling_smape(double p, double y)
{
    double sum = fabs(p) + fabs(y);
    return sum > 0 ? 200 * fabs(p - y) / sum : 0;
}
