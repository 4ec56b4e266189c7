/* A ring of gas: three numbers of each cell flow over both of its faces, whose fluxes are computed in small
 * arrays on the stack. ARGUMENTS: way (0: the pressure is part of an expression; 1: is added afterwards),
 * cells, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { FIELDS = 3 };

static int way;
static volatile int direction; /* nobody knows before */

static inline void flux(const double *q, int d, double *z)
{
    double u = q[1 + d] / q[0];
    for (int k = 0; k < FIELDS; k++) z[k] = q[k] * u;
    if (way == 0)
        z[1 + d] = q[1 + d] * u + 0.5 * q[0] * q[0];
    else
        z[1 + d] += 0.5 * q[0] * q[0];
}

__attribute__((noinline)) static void face(const double *l, const double *r, int d, double *z)
{
    double a[FIELDS], b[FIELDS];
    flux(l, d, a);
    flux(r, d, b);
    for (int k = 0; k < FIELDS; k++) z[k] = 0.05 * (a[k] + b[k]) - 0.25 * (r[k] - l[k]);
}

__attribute__((noinline)) static void step(const double *u, double *v, long n, int d)
{
    for (long i = 0; i < n; i++) {
        double a[FIELDS], b[FIELDS];
        long next = i + 1 < n ? i + 1 : 0, before = i ? i - 1 : n - 1;
        face(u + FIELDS * i, u + FIELDS * next, d, a);
        face(u + FIELDS * before, u + FIELDS * i, d, b);
        for (int k = 0; k < FIELDS; k++) v[FIELDS * i + k] = u[FIELDS * i + k] - (a[k] - b[k]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    way = atoi(argv[1]);
    long n = atoi(argv[2]), steps = atoi(argv[3]);
    size_t bytes = (size_t)n * FIELDS * sizeof(double);
    double *u = malloc(bytes), *v = malloc(bytes);
    if (!u || !v) return 1;
    for (long i = 0; i < FIELDS * n; i++) u[i] = v[i] = 1.5 + 0.5 * sin((double)(i * i));
    int d = direction;
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        step(u, v, n, d);
        double *other = u;
        u = v;
        v = other;
    }
    parcast_region_end();
    printf("%.9g\n", u[0] + u[n]);
    return 0;
}
