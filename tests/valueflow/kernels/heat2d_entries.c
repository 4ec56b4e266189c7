/* The region is one step: it is entered again and again. */
#include "kernel.h"

void kernel(double *v, const double *u, long n)
{
    long w = n + 2;
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            v[i * w + j] = u[i * w + j] + 0.1 * (u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] +
                                                 u[i * w + j + 1] - 4 * u[i * w + j]);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w), *v = filled(w * w);
    for (long s = 0; s < t; s++) {
        kernel(v, u, n);
        double *swap = u;
        u = v;
        v = swap;
    }
    printf("%g\n", u[w * w / 2]);
    return 0;
}
