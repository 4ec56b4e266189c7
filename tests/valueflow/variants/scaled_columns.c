/* The Cholesky factor of a matrix of N x N by columns; these are divided by the root of the diagonal (0) or
 * multiplied by what that comes to (1). ARGUMENTS: way, rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

__attribute__((noinline)) static void factorise(double *a, long n, int way)
{
    for (long k = 0; k < n; k++) {
        double d = sqrt(a[k * n + k]);
        a[k * n + k] = d;
        if (way == 0)
            for (long i = k + 1; i < n; i++) a[i * n + k] /= d;
        else
            for (long i = k + 1; i < n; i++) a[i * n + k] *= 1 / d;
        for (long i = k + 1; i < n; i++)
            for (long j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int way = atoi(argv[1]);
    long n = atoi(argv[2]);
    double *a = malloc((size_t)(n * n) * sizeof *a);
    if (!a) return 1;
    for (long i = 0; i < n * n; i++) a[i] = i % (n + 1) ? 0.5 : (double)n;
    parcast_region_begin();
    factorise(a, n, way);
    parcast_region_end();
    printf("%.9g\n", a[n * n - 1]);
    free(a);
    return 0;
}
