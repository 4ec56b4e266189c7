/* C = A + transpose of A. */
#include "kernel.h"

void kernel(double *c, const double *a, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) c[i * n + j] = a[i * n + j] + a[j * n + i];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *c = filled(n * n), *a = filled(n * n);
    kernel(c, a, n);
    printf("%g\n", c[n]);
    return 0;
}
