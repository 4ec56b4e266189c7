/* a = b + s c with s in memory: one word to every other part, once. */
#include "kernel.h"

void kernel(double *a, const double *b, const double *c, const double *s, long n, long t)
{
    for (long k = 0; k < t; k++)
        for (long i = 0; i < n; i++) a[i] = b[i] + *s * c[i];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *a = filled(n), *b = filled(n), *c = filled(n), *s = filled(1);
    kernel(a, b, c, s, n, t);
    printf("%g\n", a[n / 2]);
    return 0;
}
