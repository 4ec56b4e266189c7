/* Directions of Lanczos' method on an M x M grid: each is what the 5-point operator makes of the one before,
 * made orthogonal to all so far. The first is normalised where it was read in (0), or as a copy (1). WAY M
 * STEPS. */
#include <math.h>

#include "../kernels/kernel.h"

static void apply(const double *x, double *y, long m)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) {
            double sum = 4 * x[i * m + j];
            if (i) sum -= x[(i - 1) * m + j];
            if (i < m - 1) sum -= x[(i + 1) * m + j];
            if (j) sum -= x[i * m + j - 1];
            if (j < m - 1) sum -= x[i * m + j + 1];
            y[i * m + j] = sum;
        }
}

static double dot(const double *a, const double *b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void scale(const double *from, double factor, double *to, long n)
{
    for (long i = 0; i < n; i++) to[i] = factor * from[i];
}

__attribute__((noinline)) void kernel(double **v, double *w, const double *start, long m, long steps)
{
    long n = m * m;
    scale(start, 1 / sqrt(dot(start, start, n)), v[0], n);
    for (long k = 0; k < steps; k++) {
        apply(v[k], w, m);
        for (long j = 0; j <= k; j++) {
            double product = dot(v[j], w, n);
            for (long i = 0; i < n; i++) w[i] -= product * v[j][i];
        }
        scale(w, 1 / sqrt(dot(w, w, n)), v[k + 1], n);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), m = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double **v = malloc(((size_t)steps + 1) * sizeof *v), *w = filled(m * m), *start;
    if (!v) return 1;
    for (long k = 0; k <= steps; k++) v[k] = filled(m * m);
    start = way ? filled(m * m) : v[0];
    kernel(v, w, start, m, steps);
    printf("%g\n", v[steps][3]);
    return 0;
}
