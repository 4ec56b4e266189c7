/* A slope limited by its neighbours on a ring: none where both sides differ in sign, otherwise the smaller
 * one, or their harmonic mean with -DHARMONIC. What is 0 has been compared, too. */
#include "kernel.h"

static double limited(double a, double b)
{
    if (a * b <= 0) return 0;
#ifdef HARMONIC
    return 2 * a * b / (a + b);
#else
    return fabs(a) < fabs(b) ? a : b;
#endif
}

void kernel(double *u, double *slope, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) {
            double left = u[i] - u[(i + n - 1) % n], right = u[(i + 1) % n] - u[i];
            slope[i] = limited(left, right);
        }
        for (long i = 0; i < n; i++) u[i] = 0.5 * u[i] + slope[i];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *u = filled(n), *slope = filled(n);
    kernel(u, slope, n, t);
    printf("%g\n", u[n / 2]);
    return 0;
}
