/*
 * What the files of the empirical scaling models share: powers of a parameter, least squares with
 * leave-one-out residuals, Student's t.
 */
#ifndef PARCAST_FORECAST_SCALING_INTERNAL_H
#define PARCAST_FORECAST_SCALING_INTERNAL_H

#include "parcast/scaling.h"

enum {
    SCALING_MAX_POWERS = 256,
    SCALING_MAX_COLUMNS = PARCAST_SCALING_MAX_TERMS + 1, /* the constant and the terms */
};

/* x^(numerator/denominator) * log2(x)^log2_exponent */
struct scaling_power {
    int numerator, denominator, log2_exponent;
};

/* Which powers the coordinates of a parameter allow. */
struct scaling_power_set {
    bool negative;      /* negative exponents: all coordinates above 0 */
    bool logs;          /* logarithms: all from 1 */
    bool negative_logs; /* negative powers of logarithms: all above 1 */
};

/* The exponent set, simplest first; returns the number of powers, at most SCALING_MAX_POWERS. */
size_t scaling_powers(struct scaling_power_set set, struct scaling_power powers[SCALING_MAX_POWERS]);
double scaling_power_value(struct scaling_power power, double x);
/* Length of its description: 1 for x or log2(x), 2 for x^(1/2) or x log2(x), ... */
int scaling_power_cost(struct scaling_power power);

/* A least-squares fit of n rows by k columns, k <= SCALING_MAX_COLUMNS. */
struct scaling_ols {
    size_t n, k;
    double coefficients[SCALING_MAX_COLUMNS];
    double
        r[SCALING_MAX_COLUMNS * SCALING_MAX_COLUMNS]; /* upper triangle of QR, column-major, scaled columns */
    double scale[SCALING_MAX_COLUMNS];                /* of the columns */
};

/* Room for fits of up to n rows, allocated once. */
struct scaling_workspace {
    size_t n;
    double *columns;  /* [SCALING_MAX_COLUMNS][n] the design, destroyed by a fit */
    double *target;   /* [n] */
    double *fitted;   /* [n] out: fitted values */
    double *loo;      /* [n] out: value predicted by a fit without the row */
    double *leverage; /* [n] out: diagonal of the hat matrix */
};
parcast_status scaling_workspace_create(size_t n, struct scaling_workspace *work, parcast_error *error);
void scaling_workspace_clear(struct scaling_workspace *work);

/* Fit work->target by the first k columns of work->columns. False when the rows cannot tell the columns apart
 * or a row is the only one to determine a coefficient, so that it cannot be left out. */
bool scaling_ols_fit(struct scaling_workspace *work, size_t k, struct scaling_ols *ols);
/* x'(X'X)^-1 x of a new row: its leverage. */
double scaling_ols_leverage(const struct scaling_ols *ols, const double *row);

/* 0.975 quantile of Student's t; 1.96 for many degrees of freedom. */
double scaling_student_t(size_t degrees_of_freedom);
/* Root of the 0.9 quantile of F(n, n): two spreads estimated from n degrees of freedom each differ by more
 * only once in ten times when they are equal. */
double scaling_error_ratio(size_t degrees_of_freedom);
/* 100 |p - y| / ((|p| + |y|) / 2), 0 when both are 0 [%] */
double scaling_smape(double p, double y);

#endif
