/* Five points of a plane of N x N in every step; in a corner of a third of each side there is more to do.
 * ARGUMENTS: points of a side, steps. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

__attribute__((noinline)) static void step(const double *u, double *v, long n)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++) {
            double here = u[i * n + j],
                   near = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
            if (3 * i < n && 3 * j < n)
                here =
                    ((((((here * 0.5 + 0.1) * here - 0.2) * here + 0.3) * here - 0.4) * here + 0.5) * here -
                     0.6) *
                    here;
            v[i * n + j] = 0.5 * here + 0.125 * near;
        }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int steps = atoi(argv[2]);
    long n = atoi(argv[1]);
    double *u = malloc((size_t)(n * n) * sizeof *u), *v = malloc((size_t)(n * n) * sizeof *v);
    if (!u || !v) return 1;
    for (long i = 0; i < n * n; i++) u[i] = v[i] = (double)(i * i % 17) / 17;
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        step(u, v, n);
        double *other = u;
        u = v;
        v = other;
    }
    parcast_region_end();
    printf("%.9g\n", u[n + 1]);
    return 0;
}
