/* A solver that is called again and again: its steps stand inside of a loop that the region begins in.
 *     solves WORDS SOLVES STEPS */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

static void step(double *u, double *v, int n)
{
    for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
}

int main(int argc, char **argv)
{
    int n = argc == 4 ? atoi(argv[1]) : 0, solves = argc == 4 ? atoi(argv[2]) : 0,
        steps = argc == 4 ? atoi(argv[3]) : 0;
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v), sum = 0;
    if (n < 3 || !u || !v) return 2;
    for (int solve = 0; solve < solves; solve++) {
        for (int i = 0; i < n; i++) u[i] = i % (solve + 2);
        parcast_region_begin();
        for (int k = 0; k < steps; k++) step(u, v, n);
        parcast_region_end();
        sum += u[n / 2];
    }
    printf("%g\n", sum);
    free(u);
    free(v);
    return 0;
}
