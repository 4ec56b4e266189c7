/* y = y + 0.5 x, again and again: nothing is sent. */
#include "kernel.h"

void kernel(double *restrict y, const double *restrict x, long n, long t)
{
    for (long s = 0; s < t; s++)
        for (long i = 0; i < n; i++) y[i] += 0.5 * x[i];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *y = filled(n), *x = filled(n);
    kernel(y, x, n, t);
    printf("%g\n", y[n / 2]);
    return 0;
}
