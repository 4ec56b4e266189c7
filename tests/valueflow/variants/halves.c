/* x = A x / 100, T times, N x N: a sum for each row (0), or two that are added, of every second product (1)
 * or of halves of the row (2). */
#include <stdio.h>
#include <stdlib.h>

static double row(int way, const double *a, const double *x, long n)
{
    double s = 0, t = 0;
    if (way == 0)
        for (long j = 0; j < n; j++) s += a[j] * x[j];
    else if (way == 1)
        for (long j = 0; j < n; j += 2) {
            s += a[j] * x[j];
            t += a[j + 1] * x[j + 1];
        }
    else {
        for (long j = 0; j < n / 2; j++) s += a[j] * x[j];
        for (long j = n / 2; j < n; j++) t += a[j] * x[j];
    }
    return s + t;
}

void kernel(int way, const double *a, double *x, double *y, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) y[i] = row(way, a + i * n, x, n);
        for (long i = 0; i < n; i++) x[i] = y[i] * 0.01;
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 64, t = argc > 3 ? atol(argv[3]) : 4;
    double *a = malloc((size_t)(n * n) * sizeof *a), *x = malloc((size_t)n * sizeof *x),
           *y = malloc((size_t)n * sizeof *y);
    if (!a || !x || !y) return 1;
    for (long i = 0; i < n * n; i++) a[i] = (double)(i * 7919 % 13);
    for (long i = 0; i < n; i++) x[i] = (double)(i % 5);
    kernel(way, a, x, y, n, t);
    printf("%.17g\n", x[3]);
    free(a);
    free(x);
    free(y);
    return 0;
}
