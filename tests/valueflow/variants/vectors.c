/* A dense matrix times a vector again and again, N words, T times: by rows, by columns, and with a vector of
 * length 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void kernel(int variant, const double *a, double *x, double *y, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) y[i] = 0;
        if (variant == 1) {
            for (long i = 0; i < n; i++)
                for (long j = 0; j < n; j++) y[j] += a[i * n + j] * x[i];
        } else {
            for (long i = 0; i < n; i++) {
                double sum = 0;
                for (long j = 0; j < n; j++) sum += a[i * n + j] * x[j];
                y[i] = sum;
            }
        }
        double norm = 0;
        for (long i = 0; variant == 2 && i < n; i++) norm += y[i] * y[i];
        norm = variant == 2 ? sqrt(norm) : 1;
        for (long i = 0; i < n; i++) x[i] = variant == 2 ? y[i] / norm : y[i];
    }
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 128, t = argc > 3 ? atol(argv[3]) : 10;
    double *a = malloc((size_t)(n * n) * sizeof *a), *x = malloc((size_t)n * sizeof *x),
           *y = malloc((size_t)n * sizeof *y);
    if (!a || !x || !y) return 1;
    for (long i = 0; i < n * n; i++) a[i] = 1.0 / (double)(1 + i % 97);
    for (long i = 0; i < n; i++) x[i] = 1 + (double)(i % 3);
    kernel(variant, a, x, y, n, t);
    printf("%.17g\n", x[n / 2]);
    free(a);
    free(x);
    free(y);
    return 0;
}
