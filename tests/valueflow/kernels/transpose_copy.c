/* B is the transpose of A: copies. */
#include "kernel.h"

void kernel(double *b, const double *a, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) b[j * n + i] = a[i * n + j];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *b = filled(n * n), *a = filled(n * n);
    kernel(b, a, n);
    printf("%g\n", b[n]);
    return 0;
}
