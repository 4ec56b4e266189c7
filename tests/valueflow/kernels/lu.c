/* A = L U in place, without exchange of rows: work that moves through the matrix. */
#include "kernel.h"

void kernel(double *a, long n)
{
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (long j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *a = filled(n * n);
    for (long i = 0; i < n; i++) a[i * n + i] += (double)n;
    kernel(a, n);
    printf("%g\n", a[n + 1]);
    return 0;
}
