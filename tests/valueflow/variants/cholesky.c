/* A symmetric matrix is factored in place, its lower triangle. ARGUMENTS: way (0: what is to the right is
 * made less by each column; 1: columns by inner products of rows; 2: rows), side. */
#include "../kernels/kernel.h"

static void by_columns(double *a, long n)
{
    for (long k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (long i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (long j = k + 1; j < n; j++)
            for (long i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

static double less_products(const double *a, long n, long i, long j)
{
    double left = a[i * n + j];
    for (long k = 0; k < j; k++) left -= a[i * n + k] * a[j * n + k];
    return left;
}

static void by_products(double *a, long n)
{
    for (long j = 0; j < n; j++) {
        a[j * n + j] = sqrt(less_products(a, n, j, j));
        for (long i = j + 1; i < n; i++) a[i * n + j] = less_products(a, n, i, j) / a[j * n + j];
    }
}

static void by_rows(double *a, long n)
{
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) a[i * n + j] = less_products(a, n, i, j) / a[j * n + j];
        a[i * n + i] = sqrt(less_products(a, n, i, i));
    }
}

void kernel(int way, double *a, long n)
{
    if (way == 0) by_columns(a, n);
    if (way == 1) by_products(a, n);
    if (way == 2) by_rows(a, n);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    double *a = filled(n * n);
    for (long i = 0; i < n; i++) a[i * n + i] += (double)n;
    kernel((int)argument(argc, argv, 1), a, n);
    printf("%g\n", a[n * n - 1]);
    return 0;
}
