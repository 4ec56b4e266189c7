/* uneven N STEPS FROM MOST: a rod cools down; from step FROM on 0 to MOST of its points are corrected,
 * another number in every step. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

static void step(double *next, const double *u, int n)
{
    for (int i = 1; i <= n; i++) next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static void correct(double *u, int n)
{
    for (int i = 1; i <= n; i++) u[i] += 0.125 * u[i] * u[i];
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    int n = atoi(argv[1]), steps = atoi(argv[2]), from = atoi(argv[3]);
    long most = atol(argv[4]);
    double *u = calloc((size_t)n + 2, sizeof *u), *next = calloc((size_t)n + 2, sizeof *next);
    if (!u || !next || most > n) return 1;
    for (int i = 1; i <= n; i++) u[i] = i % 17 * 0.01;
    parcast_region_begin();
    for (int k = 1; k <= steps; k++) {
        step(next, u, n);
        if (k >= from) correct(next, (int)(k * 7919L % 97 * most / 96));
        double *old = u;
        u = next;
        next = old;
    }
    parcast_region_end();
    printf("%g\n", u[n / 2]);
    free(u);
    free(next);
    return 0;
}
