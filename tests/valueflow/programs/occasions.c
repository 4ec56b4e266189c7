/* occasions WAY N STEPS FIRST SECOND: a rod cools down. Every FIRST steps its heat is added up, every SECOND
 * steps its ends are warmed by their neighbours; WAY is how the new temperatures become the old ones: swap,
 * copy, or anew, in an array that is made for every step. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void step(double *next, const double *u, int n)
{
    for (int i = 1; i <= n; i++) next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static double heat_of(const double *u, int n)
{
    double sum = 0;
    for (int i = 1; i <= n; i++) sum += u[i];
    return sum;
}

static void warm(double *u, int n)
{
    for (int i = 1; i <= n / 2; i++) u[i] = 0.5 * (u[i] + u[i + n / 2]);
}

static double *make(int n)
{
    double *u = calloc((size_t)n + 2, sizeof *u);
    if (!u) exit(1);
    return u;
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    int n = atoi(argv[2]), steps = atoi(argv[3]), first = atoi(argv[4]), second = atoi(argv[5]);
    char way = argv[1][0];
    double *u = make(n), *next = make(n), heat = 0;
    parcast_region_begin();
    for (int i = 1; i <= n; i++) u[i] = i % 17;
    for (int k = 1; k <= steps; k++) {
        step(next, u, n);
        if (k % first == 0) heat = heat_of(next, n);
        if (k % second == 0) warm(next, n);
        if (way == 'c') {
            memcpy(u, next, ((size_t)n + 2) * sizeof *u);
            continue;
        }
        double *old = u;
        u = next;
        next = old;
        if (way != 'a') continue;
        free(next);
        next = make(n);
    }
    parcast_region_end();
    printf("%g %g\n", heat, heat_of(u, n));
    free(u);
    free(next);
    return 0;
}
