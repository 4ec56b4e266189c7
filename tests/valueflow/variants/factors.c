/* The Cholesky factors of an N x N matrix, in place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void kernel(double *a, long n)
{
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) {
            for (long k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
        for (long k = 0; k < i; k++) a[i * n + i] -= a[i * n + k] * a[i * n + k];
        a[i * n + i] = sqrt(a[i * n + i]);
    }
}

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 64;
    double *a = malloc((size_t)(n * n) * sizeof *a);
    if (!a) return 1;
    for (long i = 0; i < n * n; i++) a[i] = i % (n + 1) ? 1 / (double)(1 + i / n + i % n) : 30.0 * (double)n;
    kernel(a, n);
    printf("%.17g\n", a[n * n - 1]);
    free(a);
    return 0;
}
