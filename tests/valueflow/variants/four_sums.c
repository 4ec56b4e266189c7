/* Numbers are divided by their sum in every step, which four sums come to. ARGUMENTS: way (four variables; an
 * array on the stack, put together at once or in a loop; one to whose first sum what is left over is added),
 * points, steps. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

__attribute__((noinline)) static double variables(const double *a, long n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (long i = 0; i < n; i += 4) {
        s0 += a[i];
        s1 += a[i + 1];
        s2 += a[i + 2];
        s3 += a[i + 3];
    }
    return (s0 + s1) + (s2 + s3);
}

__attribute__((noinline)) static double array(const double *a, long n)
{
    double s[4] = {0};
    for (long i = 0; i < n; i += 4)
        for (int q = 0; q < 4; q++) s[q] += a[i + q];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

__attribute__((noinline)) static double loop(const double *a, long n)
{
    double s[4] = {0}, t = 0;
    for (long i = 0; i < n; i += 4)
        for (int q = 0; q < 4; q++) s[q] += a[i + q];
    for (int q = 0; q < 4; q++) t += s[q];
    return t;
}

/* In the function that divides, too. */
static void rest(double *a, long n)
{
    double s[4] = {0};
    long i = 0;
    for (; i + 3 < n; i += 4)
        for (int q = 0; q < 4; q++) s[q] += a[i + q];
    for (; i < n; i++) s[0] += a[i];
    double sum = s[0] + s[1] + s[2] + s[3];
    for (i = 0; i < n; i++) a[i] = a[i] / sum + 0.1;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    double (*const ways[])(const double *, long) = {variables, array, loop};
    int way = atoi(argv[1]);
    long n = atoi(argv[2]), steps = atoi(argv[3]);
    double *a = malloc((size_t)n * sizeof *a);
    if (!a) return 1;
    for (long i = 0; i < n; i++) a[i] = 1 + (double)(i * 7919 % 1009) / 1009;
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        if (way == 3) {
            rest(a, n);
            continue;
        }
        double sum = ways[way](a, n);
        for (long i = 0; i < n; i++) a[i] = a[i] / sum + 0.1;
    }
    parcast_region_end();
    printf("%.9g\n", a[0] + a[n - 1]);
    free(a);
    return 0;
}
