/* Inner product into one word. */
#include "kernel.h"

void kernel(double *out, const double *x, const double *y, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) s += x[i] * y[i];
    *out = s;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *x = filled(n), *y = filled(n), *out = filled(1);
    kernel(out, x, y, n);
    printf("%g\n", *out);
    return 0;
}
