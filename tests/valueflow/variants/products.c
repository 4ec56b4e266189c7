/* Factorisations and products with a vector, each in several orders. Arguments: which, side. */
#include "../kernels/kernel.h"

#define A(i, j) a[(i) * n + (j)]
enum { BLOCK = 4, STEPS = 3 };

static void lu_right(double *a, long n)
{
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            A(i, k) /= A(k, k);
            for (long j = k + 1; j < n; j++) A(i, j) -= A(i, k) * A(k, j);
        }
}

static void lu_left(double *a, long n)
{
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) {
            double s = A(i, j);
            for (long k = 0; k < (i < j ? i : j); k++) s -= A(i, k) * A(k, j);
            A(i, j) = s;
        }
        for (long i = j + 1; i < n; i++) A(i, j) /= A(j, j);
    }
}

static void lu_blocked(double *a, long n)
{
    for (long b = 0; b < n; b += BLOCK) {
        for (long k = b; k < b + BLOCK; k++)
            for (long i = k + 1; i < n; i++) {
                A(i, k) /= A(k, k);
                for (long j = k + 1; j < b + BLOCK; j++) A(i, j) -= A(i, k) * A(k, j);
            }
        for (long j = b + BLOCK; j < n; j++)
            for (long k = b; k < b + BLOCK; k++)
                for (long i = k + 1; i < b + BLOCK; i++) A(i, j) -= A(i, k) * A(k, j);
        for (long i = b + BLOCK; i < n; i++)
            for (long j = b + BLOCK; j < n; j++)
                for (long k = b; k < b + BLOCK; k++) A(i, j) -= A(i, k) * A(k, j);
    }
}

static void cholesky_right(double *a, long n)
{
    for (long k = 0; k < n; k++) {
        A(k, k) = sqrt(A(k, k));
        for (long i = k + 1; i < n; i++) A(i, k) /= A(k, k);
        for (long j = k + 1; j < n; j++)
            for (long i = j; i < n; i++) A(i, j) -= A(i, k) * A(j, k);
    }
}

static void cholesky_left(double *a, long n)
{
    for (long j = 0; j < n; j++) {
        for (long k = 0; k < j; k++)
            for (long i = j; i < n; i++) A(i, j) -= A(i, k) * A(j, k);
        A(j, j) = sqrt(A(j, j));
        for (long i = j + 1; i < n; i++) A(i, j) /= A(j, j);
    }
}

static void rows_unrolled(const double *a, const double *x, double *y, long n)
{
    for (long i = 0; i < n; i++) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (long j = 0; j < n; j += 4) {
            s0 += A(i, j) * x[j];
            s1 += A(i, j + 1) * x[j + 1];
            s2 += A(i, j + 2) * x[j + 2];
            s3 += A(i, j + 3) * x[j + 3];
        }
        y[i] = (s0 + s1) + (s2 + s3);
    }
}

static void rows_in_arrays(const double *a, const double *x, double *y, long n)
{
    for (long i = 0; i < n; i++) {
        double s[4] = {0};
        for (long j = 0; j < n; j += 4)
            for (int k = 0; k < 4; k++) s[k] += A(i, j + k) * x[j + k];
        y[i] = (s[0] + s[1]) + (s[2] + s[3]);
    }
}

static void columns(const double *a, const double *x, double *y, long n)
{
    memset(y, 0, (size_t)n * sizeof *y);
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) y[i] += A(i, j) * x[j];
}

static void tiles(const double *a, const double *x, double *y, long n)
{
    memset(y, 0, (size_t)n * sizeof *y);
    for (long i = 0; i < n; i += BLOCK)
        for (long j = 0; j < n; j += BLOCK) {
            double in[BLOCK], out[BLOCK] = {0};
            for (int k = 0; k < BLOCK; k++) in[k] = x[j + k];
            for (int k = 0; k < BLOCK; k++)
                for (int m = 0; m < BLOCK; m++) out[k] += A(i + k, j + m) * in[m];
            for (int k = 0; k < BLOCK; k++) y[i + k] += out[k];
        }
}

static void powers(long which, const double *a, double *x, double *y, long n)
{
    for (int s = 0; s < STEPS; s++) {
        switch (which) {
        case 5:
            rows_unrolled(a, x, y, n);
            break;
        case 6:
            rows_in_arrays(a, x, y, n);
            break;
        case 7:
            columns(a, x, y, n);
            break;
        default:
            tiles(a, x, y, n);
        }
        memcpy(x, y, (size_t)n * sizeof *x);
    }
}

void kernel(long which, double *a, double *x, double *y, long n)
{
    switch (which) {
    case 0:
        lu_right(a, n);
        break;
    case 1:
        lu_left(a, n);
        break;
    case 2:
        lu_blocked(a, n);
        break;
    case 3:
        cholesky_right(a, n);
        break;
    case 4:
        cholesky_left(a, n);
        break;
    default:
        powers(which, a, x, y, n);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n * n), *x = filled(n), *y = filled(n);
    for (long i = 0; i < n; i++) A(i, i) += (double)n;
    kernel(which, a, x, y, n);
    printf("%g %g\n", a[n * n - 1], x[0]);
    return 0;
}
