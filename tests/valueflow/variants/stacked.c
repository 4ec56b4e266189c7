/* Fields of a periodic plane that lie one after the other in one array; each reads its four neighbours and
 * the fields of its own place. ARGUMENTS: fields, points of a side, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

#define AT(f, i, j) (((f) * n + (i)) * n + (j))

__attribute__((noinline)) static void step(const double *u, double *v, long fields, long n)
{
    for (long f = 0; f < fields; f++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                long up = i + 1 < n ? i + 1 : 0, down = i ? i - 1 : n - 1;
                long right = j + 1 < n ? j + 1 : 0, left = j ? j - 1 : n - 1;
                double near = u[AT(f, up, j)] + u[AT(f, down, j)] + u[AT(f, i, right)] + u[AT(f, i, left)];
                double own = u[AT((f + 1) % fields, i, j)] * u[AT((f + fields - 1) % fields, i, j)];
                v[AT(f, i, j)] = 0.6 * u[AT(f, i, j)] + 0.1 * near + 0.01 * own;
            }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long fields = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]), all = fields * n * n;
    double *u = malloc((size_t)all * sizeof *u), *v = malloc((size_t)all * sizeof *v);
    if (!u || !v) return 1;
    for (long i = 0; i < all; i++) u[i] = v[i] = sin((double)(i * i));
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        step(u, v, fields, n);
        double *other = u;
        u = v;
        v = other;
    }
    parcast_region_end();
    printf("%.9g\n", u[0] + u[n]);
    return 0;
}
