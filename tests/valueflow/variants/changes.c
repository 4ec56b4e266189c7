/* Means of neighbours in the plane, n x n of them, and the sum of squares of what has changed, used when all
 * steps are over and what it came of is gone: copied back (0), the arrays change places (1), or scaled into
 * the first array, with a sum over pairs in a row (2). */
#include <stdio.h>
#include <stdlib.h>

static double result;
int steps = 2;

void kernel(int way, double *u, double *w, long n)
{
    double sum = 0;
    long row = n + 2;
    for (int t = 0; way == 0 && t < steps; t++) {
        sum = 0;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                const double *at = u + i * row + j;
                double step = 0.25 * (at[-1] + at[1] + at[-row] + at[row]) - *at;
                sum += step * step;
                w[i * row + j] = *at + 0.8 * step;
            }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) u[i * row + j] = w[i * row + j];
    }
    for (int t = 0; way == 1 && t < steps; t++) {
        sum = 0;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                const double *at = u + i * row + j;
                double step = 0.25 * (at[-1] + at[1] + at[-row] + at[row]) - *at;
                sum += step * step;
                w[i * row + j] = *at + 0.8 * step;
            }
        double *other = u;
        u = w;
        w = other;
    }
    for (int t = 0; way == 2 && t < steps; t++) {
        sum = 0;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                const double *at = u + i * row + j;
                w[i * row + j] = 0.25 * (at[-1] + at[1] + at[-row] + at[row]);
                sum += (at[0] - at[-1]) * (at[0] - at[-1]);
            }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) u[i * row + j] = 0.9 * w[i * row + j];
    }
    result = sum;
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 64, all = (n + 2) * (n + 2);
    double *u = malloc((size_t)all * sizeof *u), *w = malloc((size_t)all * sizeof *w);
    if (!u || !w) return 1;
    for (long i = 0; i < all; i++) u[i] = w[i] = (double)(i * 7919 % 13);
    kernel(way, u, w, n);
    printf("%.17g\n", result);
    free(u);
    free(w);
    return 0;
}
