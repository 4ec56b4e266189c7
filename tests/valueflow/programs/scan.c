/* scan N: every word of b is computed from the one before it, which is in a register then. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void scan(double *restrict b, const double *restrict a, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        s = s * 0.5 + a[i] * s;
        b[i] = s;
    }
}

/* The pivot is the largest of a row, or what it was before: a choice that comes of itself. */
__attribute__((noinline)) static void settle(double *restrict b, double *restrict p, const double *restrict a,
                                             int n)
{
    double largest = 0, last = 0;
    for (int i = 0; i < n; i++) {
        double x = a[i] * last;
        largest = x > b[i] ? x : largest;
        p[0] = largest;
        b[i] += p[0];
        last = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *a = calloc((size_t)n + 1, sizeof *a), *b = calloc((size_t)n + 1, sizeof *b), p[1] = {0};
    if (n < 1 || !a || !b) return 1;
    for (int i = 0; i < n; i++) a[i] = 0.25 + i % 3 * 0.125;
    parcast_region_begin();
    scan(b, a, n);
    parcast_region_end();
    settle(b, p, a, n);
    printf("%.17g %.17g\n", b[n - 1], p[0]);
    free(a);
    free(b);
    return 0;
}
