/* rounding WAY N STEPS: arithmetic that heeds the rounding mode, which the program may change. Of points on a
 * ring each reads its two neighbours; of all numbers sum, smallest and largest, one beside the other. */
#include <fenv.h>

#include "../kernels/kernel.h"

#pragma STDC FENV_ACCESS ON

static double rounded(double x)
{
    return floor(x) + (double)lrint(3 * x) + (double)(float)x;
}

static void averaged(double *a, double *b, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long i = 0; i < n; i++) {
            double left = a[(i + n - 1) % n], right = a[(i + 1) % n];
            b[i] = left > right ? 0.5 * rounded(left) - right : sqrt(fabs(left)) + fma(right, 0.25, 1);
        }
        memcpy(a, b, (size_t)n * sizeof *a);
    }
}

static void found_in_all(double *out, const double *x, long n)
{
    out[0] = 0;
    out[1] = out[2] = x[0];
    for (long i = 0; i < n; i++) {
        out[0] += x[i] / 3;
        if (x[i] < out[1]) out[1] = x[i];
        out[2] = fmax(out[2], x[i]);
    }
}

void kernel(double *a, double *b, double *out, long n, long steps, long which)
{
    fesetround(FE_UPWARD);
    if (which == 0) averaged(a, b, n, steps);
    if (which == 1) found_in_all(out, a, n);
    fesetround(FE_TONEAREST);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *a = filled(n), *b = filled(n), *out = filled(3);
    kernel(a, b, out, n, steps, which);
    printf("%g %g %g %g\n", a[n / 2], out[0], out[1], out[2]);
    return 0;
}
