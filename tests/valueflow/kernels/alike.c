/* Materials of nearly equal numbers of cells, some of equal ones, each computed in arrays of its own size
 * that live for one call: every cell by itself, through a list. */
#include "kernel.h"

static double *make(long n)
{
    double *p = malloc((size_t)n * sizeof *p);
    if (!p) exit(1);
    return p;
}

static void state(double *energy, double *pressure, const int *list, long n)
{
    double *old = make(n), *half = make(n), *found = make(n);
    for (long i = 0; i < n; i++) old[i] = energy[list[i]];
    for (long i = 0; i < n; i++) half[i] = old[i] - 0.5 * pressure[list[i]];
    for (long i = 0; i < n; i++) found[i] = 0.4 * half[i] + 0.1 * old[i] * half[i];
    for (long i = 0; i < n; i++) pressure[list[i]] = found[i] * (1 + old[i]);
    for (long i = 0; i < n; i++) energy[list[i]] = old[i] - 0.25 * (found[i] + half[i]);
    free(found);
    free(half);
    free(old);
}

/* Cells are dealt out in runs of 1, 2, ... 7, so that the materials lie in pieces all over the array. */
static int *cells_of(long n, long materials, long which, long *count)
{
    int *list = malloc((size_t)n * sizeof *list);
    if (!list) exit(1);
    *count = 0;
    for (long i = 0, run = 0; i < n; run++)
        for (long k = 0; k <= run % 7 && i < n; k++, i++)
            if (run % materials == which) list[(*count)++] = (int)i;
    return list;
}

void kernel(double *energy, double *pressure, int **lists, const long *counts, long materials, long t)
{
    for (long k = 0; k < t; k++)
        for (long m = 0; m < materials; m++) state(energy, pressure, lists[m], counts[m]);
}

int main(int argc, char **argv)
{
    enum { MOST = 16 };
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), materials = argument(argc, argv, 3);
    double *energy = filled(n), *pressure = filled(n);
    int *lists[MOST];
    long counts[MOST];
    if (materials > MOST) return 2;
    for (long m = 0; m < materials; m++) lists[m] = cells_of(n, materials, m, &counts[m]);
    kernel(energy, pressure, lists, counts, materials, t);
    printf("%g\n", energy[n / 2]);
    return 0;
}
