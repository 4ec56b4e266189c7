/* Forces between particles of a periodic lattice and those beside them. Arguments: 0, every pair in the lists
 * of both, or 1, of the first one, to whom the other gets the opposite force; particles of a cell, one or
 * four (in its corner and in the middle of three faces); cells along a side; steps. */
#include <stdbool.h>

#include "../kernels/kernel.h"

enum { D = 3, NEIGHBOURS = 26 };

struct particles {
    long n, in_cell;
    double (*x)[D], (*v)[D], (*f)[D];
    int *listed, (*list)[NEIGHBOURS];
};

/* In cells or, where there are four in each, in halves of one. */
static long place(const struct particles *p, long i, long cells, int d)
{
    static const long beside[][D] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    long cell = i / p->in_cell, at[D] = {cell / cells / cells, cell / cells % cells, cell % cells};
    return p->in_cell == 1 ? at[d] : 2 * at[d] + beside[i % p->in_cell][d];
}

/* The 26 around one, or 18. */
static bool is_beside(const struct particles *p, long i, long j, long cells)
{
    long square = 0, period = p->in_cell == 1 ? cells : 2 * cells;
    for (int d = 0; d < D; d++) {
        long apart = labs(place(p, i, cells, d) - place(p, j, cells, d));
        if (2 * apart > period) apart = period - apart;
        square += apart * apart;
    }
    return i != j && square <= (p->in_cell == 1 ? 3 : 4);
}

static void list_neighbours(struct particles *p, long cells, bool both)
{
    for (long i = 0; i < p->n; i++)
        for (long j = both ? 0 : i + 1; j < p->n; j++)
            if (is_beside(p, i, j, cells)) p->list[i][p->listed[i]++] = (int)j;
}

static void push(struct particles *p, long i, bool both)
{
    double f[D] = {0};
    for (int k = 0; k < p->listed[i]; k++) {
        long j = p->list[i][k];
        double r[D], square = 1;
        for (int d = 0; d < D; d++) {
            r[d] = p->x[i][d] - p->x[j][d];
            square += r[d] * r[d];
        }
        for (int d = 0; d < D; d++) {
            f[d] += r[d] / square;
            if (!both) p->f[j][d] -= r[d] / square;
        }
    }
    for (int d = 0; d < D; d++) p->f[i][d] += f[d];
}

static void kernel(struct particles *p, bool both, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < p->n; i++)
            for (int d = 0; d < D; d++) p->f[i][d] = 0;
        for (long i = 0; i < p->n; i++) push(p, i, both);
        for (long i = 0; i < p->n; i++)
            for (int d = 0; d < D; d++) {
                p->v[i][d] += 0.01 * p->f[i][d];
                p->x[i][d] += 0.01 * p->v[i][d];
            }
    }
}

int main(int argc, char **argv)
{
    bool both = argument(argc, argv, 1) == 0;
    long in_cell = argument(argc, argv, 2), cells = argument(argc, argv, 3), steps = argument(argc, argv, 4);
    struct particles p = {.n = in_cell * cells * cells * cells, .in_cell = in_cell};
    size_t n = (size_t)p.n;
    p.x = (void *)filled(p.n * D);
    p.v = calloc(n, sizeof *p.v);
    p.f = calloc(n, sizeof *p.f);
    p.listed = calloc(n, sizeof *p.listed);
    p.list = calloc(n, sizeof *p.list);
    list_neighbours(&p, cells, both);
    kernel(&p, both, steps);
    printf("%g\n", p.x[1][0]);
    free(p.x);
    free(p.v);
    free(p.f);
    free(p.listed);
    free(p.list);
    return 0;
}
