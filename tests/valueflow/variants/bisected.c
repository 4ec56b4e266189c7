/* Squares in n rows of n, each cut into two triangles, which exchange fluxes with their up to three
 * neighbours: with the other one of their square, with one of the next square, and with one of the next row,
 * 2 n + 1 triangles on, or 2 n - 1 where they are numbered the other way round. ARGUMENTS: way, n, steps.
 * WAY 0: 2 n + 1; 1: 2 n - 1; 2: 2 n + 1, in structures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

struct edge {
    long from, to;
};

struct cell {
    double mass, other;
};

static long n_edges, n_cells;
static struct edge *edges;
static double *mass, *flux;
static struct cell *cells;

static void step(void)
{
    for (long i = 0; i < n_edges; i++) flux[i] = sqrt(1 + mass[edges[i].from] * mass[edges[i].to]);
    for (long i = 0; i < n_edges; i++) {
        mass[edges[i].from] -= 0.01 * flux[i];
        mass[edges[i].to] += 0.01 * flux[i];
    }
}

static void step_structures(void)
{
    for (long i = 0; i < n_edges; i++) {
        const struct cell *from = &cells[edges[i].from], *to = &cells[edges[i].to];
        flux[i] = sqrt(1 + from->mass * to->mass + from->other * to->other);
    }
    for (long i = 0; i < n_edges; i++) {
        cells[edges[i].from].mass -= 0.01 * flux[i];
        cells[edges[i].from].other -= 0.02 * flux[i];
        cells[edges[i].to].mass += 0.01 * flux[i];
        cells[edges[i].to].other += 0.02 * flux[i];
    }
}

static void meet(long from, long to)
{
    edges[n_edges++] = (struct edge){from, to};
}

static void make_mesh(int way, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            long first = 2 * (i * n + j), below = first + 2 * n;
            meet(first, first + 1);
            if (j + 1 < n) meet(first + 1, first + 2);
            if (i + 1 < n && way != 1) meet(first, below + 1);
            if (i + 1 < n && way == 1) meet(first + 1, below);
        }
}

static void *make(size_t n, size_t size)
{
    void *words = calloc(n, size);
    if (!words) exit(1);
    return words;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), steps = atoi(argv[3]);
    long n = atol(argv[2]);
    n_cells = 2 * n * n;
    edges = make((size_t)(3 * n * n), sizeof *edges);
    flux = make((size_t)(3 * n * n), sizeof *flux);
    mass = make((size_t)n_cells, sizeof *mass);
    cells = make((size_t)n_cells, sizeof *cells);
    make_mesh(way, n);
    for (long i = 0; i < n_cells; i++) {
        mass[i] = 1 + (double)(i % 7);
        cells[i] = (struct cell){mass[i], mass[i] / 2};
    }
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        if (way == 2)
            step_structures();
        else
            step();
    }
    parcast_region_end();
    printf("%.9g %.9g\n", mass[n], cells[n].mass);
    return 0;
}
