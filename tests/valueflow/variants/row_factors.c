/* Five points of a plane of N x N, the middle one times a factor of its row; how many points there are is a
 * variable of the file, which calls may change. ARGUMENTS: way (0: a root; 1: an exponential; 2: neither),
 * points of a side, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

static long n;
static double alpha;

__attribute__((noinline)) static void step(const double *q, double *v, int way)
{
    for (long i = 1; i <= n; i++) {
        double factor = alpha * (double)i;
        for (long j = 1; j <= n; j++) {
            double here = q[i * (n + 2) + j], own = way == 0 ? sqrt(here) : way == 1 ? exp(here) : here;
            v[i * (n + 2) + j] = factor * own + 0.01 * (q[(i - 1) * (n + 2) + j] + q[(i + 1) * (n + 2) + j] +
                                                        q[i * (n + 2) + j - 1] + q[i * (n + 2) + j + 1]);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), steps = atoi(argv[3]);
    n = atoi(argv[2]);
    size_t all = (size_t)((n + 2) * (n + 2));
    double *q = malloc(all * sizeof *q), *v = malloc(all * sizeof *v);
    if (!q || !v) return 1;
    for (size_t i = 0; i < all; i++) q[i] = v[i] = 1 + (double)(i * 7919 % 1009) / 1009;
    alpha = 0.01 / (double)n;
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        step(q, v, way);
        double *other = q;
        q = v;
        v = other;
    }
    parcast_region_end();
    printf("%.9g\n", q[n + 3]);
    return 0;
}
