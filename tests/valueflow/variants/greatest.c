/* Numbers are divided by the greatest of their magnitudes in every step. ARGUMENTS: way, points, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

double greatest;

static void find(const double *a, long n, int way)
{
    greatest = 0;
    switch (way) {
    case 0:
        for (long i = 0; i < n; i++) {
            double x = fabs(a[i]);
            if (x > greatest) greatest = x;
        }
        break;
    case 1:
        for (long i = 0; i < n; i++)
            if (fabs(a[i]) > greatest) greatest = fabs(a[i]);
        break;
    case 2:
        for (long i = 0; i < n; i++) {
            double x = a[i] * a[i];
            if (x > greatest) greatest = x;
        }
        break;
    case 3:
        for (long i = 0; i < n; i++) {
            double x = fabs(a[i]);
            greatest = x > greatest ? x : greatest;
        }
        break;
    default:
        for (long i = 0; i < n; i++) {
            double x = sqrt(a[i]);
            if (x > greatest) greatest = x;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]);
    long n = atoi(argv[2]), steps = atoi(argv[3]);
    double *a = malloc((size_t)n * sizeof *a);
    if (!a) return 1;
    for (long i = 0; i < n; i++) a[i] = 1 + (double)(i * 7919 % 1009) / 1009;
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        find(a, n, way);
        for (long i = 0; i < n; i++) a[i] /= greatest;
    }
    parcast_region_end();
    printf("%.9g\n", a[0] + a[n - 1]);
    free(a);
    return 0;
}
