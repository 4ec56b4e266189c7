/* x = x / |x|; the norm lives in a register only. */
#include "kernel.h"

void kernel(double *x, long n, long t)
{
    for (long k = 0; k < t; k++) {
        double s = 0;
        for (long i = 0; i < n; i++) s += x[i] * x[i];
        for (long i = 0; i < n; i++) x[i] /= sqrt(s);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *x = filled(n);
    kernel(x, n, t);
    printf("%g\n", x[n / 2]);
    return 0;
}
