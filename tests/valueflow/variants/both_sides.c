/* A ring of cells: each computes the flux at both of its faces, with the least of what a loop finds, from the
 * two cells there; what it needs is one word of each neighbour. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

static const double weights[4] = {0.1, 0.4, 0.7, 0.9};

#define FLUX(name)                                                                                           \
    static __attribute__((noinline)) double name(double l, double r)                                         \
    {                                                                                                        \
        double least = 0;                                                                                    \
        for (int i = 0; i < 4; i++) {                                                                        \
            double a = weights[i] * l + (1 - weights[i]) * r;                                                \
            least = a < least ? a : least;                                                                   \
        }                                                                                                    \
        return (l - least * r) / (1 + least * least);                                                        \
    }
FLUX(flux)
FLUX(same_flux)

/* The least alone: the cell does not read its neighbour otherwise. */
static __attribute__((noinline)) double upwind(double l, double r)
{
    double least = 0;
    for (int i = 0; i < 4; i++) {
        double a = weights[i] * l + (1 - weights[i]) * r;
        least = a < least ? a : least;
    }
    return least / (1 + least * least);
}

static double change(int way, double l, double m, double r)
{
    if (way == 0) return flux(m, r) - flux(l, m);
    if (way == 1) return flux(m, r) - same_flux(l, m);
    return upwind(m, r) - upwind(l, m);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), n_steps = atoi(argv[3]);
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++) u[i] = i * 37 % 11 * 0.2 - 1;
    parcast_region_begin();
    for (int step = 0; step < n_steps; step++) {
        for (int i = 0; i < n; i++)
            v[i] = u[i] - 0.1 * change(way, u[i ? i - 1 : n - 1], u[i], u[i < n - 1 ? i + 1 : 0]);
        double *old = u;
        u = v;
        v = old;
    }
    parcast_region_end();
    printf("%.12g\n", u[n / 2]);
    return 0;
}
