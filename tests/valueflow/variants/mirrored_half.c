/* The symmetric part of a square matrix, one half of it and its mirror image. N. */
#include "../kernels/kernel.h"

void kernel(double *restrict part, const double *restrict a, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++) part[i * n + j] = part[j * n + i] = a[i * n + j] + a[j * n + i];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *a = filled(n * n), *part = filled(n * n);
    kernel(part, a, n);
    printf("%g\n", part[1]);
    return 0;
}
