/* y = A x, x = y, with a dense matrix. */
#include "kernel.h"

void kernel(double *y, const double *a, double *x, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) {
            double s = 0;
            for (long j = 0; j < n; j++) s += a[i * n + j] * x[j];
            y[i] = s;
        }
        for (long i = 0; i < n; i++) x[i] = y[i];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *y = filled(n), *a = filled(n * n), *x = filled(n);
    kernel(y, a, x, n, t);
    printf("%g\n", y[n / 2]);
    return 0;
}
