/* A plane of cells, closed to a torus: what goes through a face is the difference of the cells' values times
 * the face's area, which both sides compute in a loop from coordinates of the two cells, again in each step.
 * These never change: each part needs those of the cells around it once. WAY 0: arrays change places; 1: one
 * is copied back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/region.h"

enum { D = 3 };
static const double weights[D] = {0.1, 0.4, 0.7};

struct plane {
    int n;
    double *u, *v, *x;
};

static __attribute__((noinline)) double area(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < D; k++) sum += weights[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return sum > 0 ? sum : -sum;
}

/* From cell a to cell b. */
static double flow(const struct plane *p, int a, int b)
{
    return (p->u[b] - p->u[a]) * area(p->x + (size_t)D * a, p->x + (size_t)D * b);
}

static int cell(const struct plane *p, int i, int j)
{
    return (i + p->n) % p->n * p->n + (j + p->n) % p->n;
}

static void change(const struct plane *p, int i, int j)
{
    int m = cell(p, i, j);
    p->v[m] = p->u[m] - 0.1 * (flow(p, m, cell(p, i, j + 1)) - flow(p, cell(p, i, j - 1), m) +
                               flow(p, m, cell(p, i + 1, j)) - flow(p, cell(p, i - 1, j), m));
}

static void step(struct plane *p, int way)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) change(p, i, j);
    if (way == 1) {
        memcpy(p->u, p->v, sizeof *p->u * p->n * p->n);
        return;
    }
    double *u = p->u;
    p->u = p->v;
    p->v = u;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), n_steps = atoi(argv[3]);
    struct plane p = {.n = n};
    p.u = malloc(sizeof *p.u * n * n);
    p.v = malloc(sizeof *p.v * n * n);
    p.x = malloc(sizeof *p.x * D * n * n);
    for (int i = 0; i < n * n; i++) p.u[i] = i * 37 % 11 * 0.2 - 1;
    for (int i = 0; i < D * n * n; i++) p.x[i] = i * 17 % 13 * 0.3;
    parcast_region_begin();
    for (int t = 0; t < n_steps; t++) step(&p, way);
    parcast_region_end();
    printf("%.12g\n", p.u[n / 2]);
    return 0;
}
