/* A matrix that is factorised in place: 0 with its factors below the diagonal, 1 from the last row and column
 * upwards, 2 by columns.
 */
#include "../kernels/kernel.h"

static void from_above(double *a, long n)
{
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (long j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
}

static void from_below(double *a, long n)
{
    for (long k = n - 1; k >= 0; k--)
        for (long i = 0; i < k; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (long j = 0; j < k; j++) a[i * n + j] -= factor * a[k * n + j];
        }
}

static void by_columns(double *a, long n)
{
    for (long k = 0; k < n; k++) {
        for (long i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
        for (long j = k + 1; j < n; j++)
            for (long i = k + 1; i < n; i++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

void kernel(long which, double *a, long n)
{
    if (which == 0) from_above(a, n);
    if (which == 1) from_below(a, n);
    if (which == 2) by_columns(a, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n * n), sum = 0;
    for (long i = 0; i < n; i++) a[i * n + i] += (double)n;
    kernel(which, a, n);
    for (long i = 0; i < n * n; i++) sum += a[i] * (double)(i % 7);
    printf("%g\n", sum);
    return 0;
}
