/* Of one of two arrays of the same shape only the first row is written, from the other (0); sums in one field
 * of a few structures (1). ARGUMENTS: way, N. */
#include <stdio.h>
#include <stdlib.h>

struct bin {
    double sum, unused;
};

void kernel(int way, double *a, double *b, struct bin *bins, long n)
{
    for (long i = 0; i < n * n; i++) a[i] = 2 * a[i] + 1;
    if (way == 0)
        for (long i = 0; i < n; i++) b[i] = a[i * n] + a[i * n + 1];
    else
        for (long i = 0; i < n * n; i++) bins[i % 3].sum += a[i];
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    long n = atol(argv[2]);
    double *a = malloc((size_t)(n * n) * sizeof *a), *b = malloc((size_t)(n * n) * sizeof *b);
    struct bin *bins = calloc(3, sizeof *bins);
    if (!a || !b || !bins) return 1;
    for (long i = 0; i < n * n; i++) a[i] = b[i] = (double)i;
    kernel(atoi(argv[1]), a, b, bins, n);
    printf("%.9g\n", a[n] + b[1] + bins[0].sum);
    free(a);
    free(b);
    free(bins);
    return 0;
}
