/* Particles lose weight in the cells that they pass. Many pass the same ones: each is computed on its own.
 * WAY 0: what is left of each; 1: what it left in the cells, too; 2: as 1, weights in memory; 3: as 0, each
 * begins with a number of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { TURNS = 8 };

struct cells {
    int n;
    double *loss, *sum;
};

static int next_cell(unsigned *seed, int n)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)((*seed >> 16) % (unsigned)n);
}

static double walk(const struct cells *cells, unsigned seed, double weight)
{
    for (int k = 0; k < TURNS; k++) weight -= 0.5 * weight * cells->loss[next_cell(&seed, cells->n)];
    return weight;
}

static double walk_and_leave(const struct cells *cells, unsigned seed)
{
    double weight = 1;
    for (int k = 0; k < TURNS; k++) {
        int cell = next_cell(&seed, cells->n);
        double lost = 0.5 * weight * cells->loss[cell];
        cells->sum[cell] += lost;
        weight -= lost;
    }
    return weight;
}

static void walk_in_memory(const struct cells *cells, unsigned seed, double *weight)
{
    for (int k = 0; k < TURNS; k++) {
        int cell = next_cell(&seed, cells->n);
        double lost = 0.5 * *weight * cells->loss[cell];
        cells->sum[cell] += lost;
        *weight -= lost;
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]);
    struct cells cells = {.n = atoi(argv[3])};
    cells.loss = malloc(cells.n * sizeof *cells.loss);
    cells.sum = calloc(cells.n, sizeof *cells.sum);
    double *left = malloc(n * sizeof *left), *first = malloc(n * sizeof *first);
    for (int i = 0; i < cells.n; i++) cells.loss[i] = 0.3 + 0.1 * i / cells.n;
    for (int i = 0; i < n; i++) first[i] = 1 + 0.1 * (i % 3), left[i] = 1;
    parcast_region_begin();
    for (int i = 0; i < n; i++) {
        unsigned seed = (unsigned)i * 2654435761u;
        if (way == 0) left[i] = walk(&cells, seed, 1);
        if (way == 1) left[i] = walk_and_leave(&cells, seed);
        if (way == 2) walk_in_memory(&cells, seed, &left[i]);
        if (way == 3) left[i] = walk(&cells, seed, first[i]);
    }
    parcast_region_end();
    printf("%.10g %.10g\n", left[3], cells.sum[cells.n / 2]);
    return 0;
}
