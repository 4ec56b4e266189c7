/* Fourier transform of n numbers that stand in the order of their reversed bits, in place. */
#include "kernel.h"

static void butterfly(double *re, double *im, long a, long b, double c, double s)
{
    double x = c * re[b] - s * im[b], y = s * re[b] + c * im[b];
    re[b] = re[a] - x;
    im[b] = im[a] - y;
    re[a] = re[a] + x;
    im[a] = im[a] + y;
}

void kernel(double *re, double *im, long n)
{
    for (long half = 1; half < n; half *= 2)
        for (long first = 0; first < n; first += 2 * half)
            for (long k = 0; k < half; k++) {
                double angle = -3.141592653589793 * (double)k / (double)half;
                butterfly(re, im, first + k, first + k + half, cos(angle), sin(angle));
            }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *re = filled(n), *im = filled(n);
    kernel(re, im, n);
    printf("%g %g\n", re[1], im[1]);
    return 0;
}
