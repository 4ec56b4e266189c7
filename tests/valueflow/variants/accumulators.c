/* An inner product, and its like, that is added up in memory from a number. Arguments: which, how many. */
#include "../kernels/kernel.h"

static double total, totals[4];

static void from_zero(double *out, const double *x, const double *y, long n)
{
    *out = 0;
    for (long i = 0; i < n; i++) *out += x[i] * y[i];
}

static void from_one(double *out, const double *x, const double *y, long n)
{
    *out = 1;
    for (long i = 0; i < n; i++) *out *= 1 + 1e-6 * x[i] * y[i];
}

static void taken_away(double *out, const double *x, const double *y, long n)
{
    double *restrict sum = out;
    *sum = 0;
    for (long i = 0; i < n; i++) *sum -= x[i] * y[i];
}

static void row_by_row(double *out, const double *x, const double *y, long n)
{
    out[1] = 0;
    for (long i = 0; i < n / 64; i++)
        for (long j = 0; j < 64; j++) out[1] += x[i * 64 + j] * y[i * 64 + j];
}

static void row_by_row_and_more(double *out, const double *x, const double *y, long n)
{
    total = 0;
    for (long i = 0; i < n / 64; i++) {
        for (long j = 0; j < 64; j++) total += x[i * 64 + j] * y[i * 64 + j];
        total += y[i * 64];
    }
    *out = total;
}

static void in_one_of_several(double *out, const double *x, const double *y, long n)
{
    memset(totals, 0, sizeof totals);
    for (long i = 0; i < n; i++) totals[1] += x[i] * y[i];
    *out = totals[1];
}

static void largest(double *out, const double *x, const double *y, long n)
{
    *out = 0;
    for (long i = 0; i < n; i++) *out = fmax(*out, fabs(x[i] - y[i]));
}

static void some_of_them(double *out, const double *x, const double *y, long n)
{
    *out = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 0.3) *out += x[i] * y[i];
}

static void but_for_small_ones(double *out, const double *x, const double *y, long n)
{
    *out = 0;
    for (long i = 0; i < n; i++) {
        double product = x[i] * y[i];
        if (product < 0.1) continue;
        *out += product;
    }
}

static void either(double *out, const double *x, const double *y, long n)
{
    total = 0;
    for (long i = 0; i < n; i++) {
        if (x[i] > 0.3)
            total += x[i] * y[i];
        else
            total += x[i] - y[i];
    }
    *out = total;
}

static void in_float(double *out, const double *x, const double *y, long n)
{
    float sum = 0;
    for (long i = 0; i < n; i++) sum += x[i] * y[i];
    *out = sum;
}

static void in_float_in_memory(float *out, const double *x, const double *y, long n)
{
    *out = 0;
    for (long i = 0; i < n; i++) *out += x[i] * y[i];
}

void kernel(double *out, const double *x, const double *y, long n, long which)
{
    if (which == 0) from_zero(out, x, y, n);
    if (which == 1) from_one(out, x, y, n);
    if (which == 2) taken_away(out, x, y, n);
    if (which == 3) row_by_row(out, x, y, n);
    if (which == 4) row_by_row_and_more(out, x, y, n);
    if (which == 5) in_one_of_several(out, x, y, n);
    if (which == 6) largest(out, x, y, n);
    if (which == 7) some_of_them(out, x, y, n);
    if (which == 8) but_for_small_ones(out, x, y, n);
    if (which == 9) either(out, x, y, n);
    if (which == 10) in_float(out, x, y, n);
    if (which == 11) in_float_in_memory((float *)out, x, y, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *x = filled(n), *y = filled(n), *out = filled(2);
    for (long i = 0; i < n; i++) y[i] = 0.9 * y[i] + 0.01 * (double)(i % 7);
    kernel(out, x, y, n, which);
    printf("%g %g\n", out[0], out[1]);
    return 0;
}
