/* Nodes of a plane that is closed to a torus: each reads what its four elements make of their four nodes in a
 * loop, so each element is computed four times a step. WAY 0: their mean; 1: their least. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { CORNERS = 4 };

static int n;

static int node(int i, int j)
{
    return (i + n) % n * n + (j + n) % n;
}

static __attribute__((noinline)) double mean(const double *u, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < CORNERS; k++) sum += u[node(i + k / 2, j + k % 2)];
    return sum / CORNERS;
}

static __attribute__((noinline)) double least(const double *u, int i, int j)
{
    double found = 1e9;
    for (int k = 0; k < CORNERS; k++) {
        double one = u[node(i + k / 2, j + k % 2)];
        found = one < found ? one : found;
    }
    return found;
}

static double around(int way, const double *u, int i, int j)
{
    if (way == 0) return mean(u, i, j) * mean(u, i - 1, j) + mean(u, i, j - 1) * mean(u, i - 1, j - 1);
    return least(u, i, j) * least(u, i - 1, j) + least(u, i, j - 1) * least(u, i - 1, j - 1);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n_steps = atoi(argv[3]);
    n = atoi(argv[2]);
    double *u = malloc(sizeof *u * n * n), *v = malloc(sizeof *v * n * n);
    for (int i = 0; i < n * n; i++) u[i] = i * 37 % 11 * 0.2 - 1;
    parcast_region_begin();
    for (int step = 0; step < n_steps; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) v[node(i, j)] = 0.5 * u[node(i, j)] + 0.1 * around(way, u, i, j);
        double *old = u;
        u = v;
        v = old;
    }
    parcast_region_end();
    printf("%.12g\n", u[n / 2]);
    return 0;
}
