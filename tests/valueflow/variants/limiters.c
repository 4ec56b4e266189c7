/* Advection of a ring with slopes that are limited (minmod), written in many ways. ARGUMENTS: way, points,
 * steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

static double chosen(double a, double b)
{
    return a * b > 0 ? (fabs(a) < fabs(b) ? a : b) : 0;
}

/* 0 a function; 1 a variable; branches that store: 2 one in the other, 3 one after the other, 4 ends of
 * turns, 5 by sign, 6 what is nothing first. */
static void limit(double *slope, double a, double b, int way)
{
    switch (way) {
    case 0:
        *slope = chosen(a, b);
        break;
    case 1: {
        double r;
        if (a * b > 0) {
            if (fabs(a) < fabs(b))
                r = a;
            else
                r = b;
        } else {
            r = 0;
        }
        *slope = r;
        break;
    }
    case 2:
        if (a * b > 0) {
            if (fabs(a) < fabs(b))
                *slope = a;
            else
                *slope = b;
        } else {
            *slope = 0;
        }
        break;
    case 3:
        if (a * b <= 0)
            *slope = 0;
        else if (fabs(a) < fabs(b))
            *slope = a;
        else
            *slope = b;
        break;
    case 4:
        if (a * b <= 0) {
            *slope = 0;
            return;
        }
        if (fabs(a) < fabs(b)) {
            *slope = a;
            return;
        }
        *slope = b;
        break;
    case 5:
        if (a > 0 && b > 0) {
            if (a < b)
                *slope = a;
            else
                *slope = b;
        } else if (a < 0 && b < 0) {
            if (a > b)
                *slope = a;
            else
                *slope = b;
        } else {
            *slope = 0;
        }
        break;
    default:
        *slope = 0;
        if (a * b > 0) *slope = fabs(a) < fabs(b) ? a : b;
    }
}

__attribute__((noinline)) static void step(double *u, double *slope, double *flux, long n, int way)
{
    for (long i = 0; i < n; i++) {
        double a = u[i] - u[i ? i - 1 : n - 1], b = u[i + 1 < n ? i + 1 : 0] - u[i];
        limit(&slope[i], a, b, way);
    }
    for (long i = 0; i < n; i++) flux[i] = u[i] + 0.3 * slope[i];
    for (long i = 0; i < n; i++) u[i] -= 0.4 * (flux[i] - flux[i ? i - 1 : n - 1]);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), steps = atoi(argv[3]);
    long n = atoi(argv[2]);
    double *u = malloc((size_t)n * sizeof *u), *slope = malloc((size_t)n * sizeof *slope),
           *flux = malloc((size_t)n * sizeof *flux);
    if (!u || !slope || !flux) return 1;
    for (long i = 0; i < n; i++) u[i] = sin((double)(i * i));
    parcast_region_begin();
    for (int t = 0; t < steps; t++) step(u, slope, flux, n, way);
    parcast_region_end();
    printf("%.9g\n", u[0] + u[n / 2]);
    return 0;
}
