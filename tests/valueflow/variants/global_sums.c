/* All numbers are divided by their sum in every step. Numbers, sum and sizes are variables of the file.
 * ARGUMENTS: way, points of a side, steps. Ways: 0 columns, the sum in a register; 1 rows, the mean; 2 in
 * memory; 3 planes; 4 rows, and which is the last; 5 rows of different lengths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

long n;
double *a, total, last;

static void divide(double by)
{
    for (long q = 0; q < n * n; q++) a[q] = a[q] / by + 0.1;
}

static void add_planes(long m)
{
    for (long k = 0; k < n; k++)
        for (long j = 0; j < m; j++)
            for (long i = 0; i < n / m; i++) total += a[(k * m + j) * (n / m) + i];
}

static void add_and_tell(void)
{
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < n; i++) total += a[j * n + i];
        last = (double)j;
    }
}

static void add_ragged(void)
{
    long at = 0;
    for (long j = 0; j < n; j++) {
        long end = j + 1 < n ? at + n - (j % 2 ? -3 : 3) : n * n;
        for (; at < end; at++) total += a[at];
    }
}

static void add_columns(void)
{
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) total += a[i * n + j];
}

static void step(int way)
{
    total = 0;
    switch (way) {
    case 0:
        add_columns();
        divide(total);
        break;
    case 1:
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) total += a[i * n + j];
        total /= (double)(n * n);
        divide(sqrt(total));
        break;
    case 2:
        add_columns();
        for (long q = 0; q < n * n; q++) a[q] = a[q] / total + 0.1;
        break;
    case 3:
        add_planes(4);
        divide(total);
        break;
    case 4:
        add_and_tell();
        divide(total);
        break;
    default:
        add_ragged();
        divide(total);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), steps = atoi(argv[3]);
    n = atoi(argv[2]);
    a = malloc((size_t)(n * n) * sizeof *a);
    if (!a) return 1;
    for (long q = 0; q < n * n; q++) a[q] = 1 + (double)(q * 7 % 11);
    parcast_region_begin();
    for (int t = 0; t < steps; t++) step(way);
    parcast_region_end();
    printf("%g %g\n", a[n + 1], last);
    return 0;
}
