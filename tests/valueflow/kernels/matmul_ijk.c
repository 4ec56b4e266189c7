/* C = C + A B. */
#include "kernel.h"

void kernel(double *c, const double *a, const double *b, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *c = filled(n * n), *a = filled(n * n), *b = filled(n * n);
    kernel(c, a, b, n);
    printf("%g\n", c[n * n / 2]);
    return 0;
}
