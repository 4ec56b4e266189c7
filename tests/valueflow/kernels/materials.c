/* Cells of several materials, listed by material, whose temporaries are of other sizes: nothing is sent
 * between cells. */
#include "kernel.h"

struct cells {
    double *energy, *pressure, *viscosity, *volume, *work;
};

static double *temporary(long n)
{
    double *p = malloc((size_t)n * sizeof *p);
    if (!p) exit(1);
    return p;
}

static void update(struct cells *c, const long *list, long n)
{
    double *old = temporary(n), *half = temporary(n), *new = temporary(n);
    for (long i = 0; i < n; i++) old[i] = c->energy[list[i]];
    for (long i = 0; i < n; i++) {
        long k = list[i];
        half[i] = old[i] + 0.5 * c->volume[k] * (c->pressure[k] + c->viscosity[k]) + 0.25 * c->work[k];
    }
    for (long i = 0; i < n; i++) {
        long k = list[i];
        new[i] = half[i] * (c->pressure[k] - c->viscosity[k]) * c->volume[k] + c->work[k] * old[i];
    }
    for (long i = 0; i < n; i++) {
        c->energy[list[i]] = new[i];
        c->pressure[list[i]] = 0.6 * half[i] * new[i];
    }
    free(old);
    free(half);
    free(new);
}

void kernel(struct cells *c, long *const *lists, const long *sizes, long materials, long steps)
{
    for (long s = 0; s < steps; s++)
        for (long m = 0; m < materials; m++) update(c, lists[m], sizes[m]);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), *lists[3], sizes[3] = {0};
    struct cells c = {filled(n), filled(n), filled(n), filled(n), filled(n)};
    for (int m = 0; m < 3; m++) lists[m] = malloc((size_t)n * sizeof **lists);
    for (long i = 0; i < n; i++) {
        int m = i % 7 < 1 ? 0 : i % 7 < 3 ? 1 : 2;
        lists[m][sizes[m]++] = i;
    }
    kernel(&c, lists, sizes, 3, steps);
    printf("%g\n", c.energy[n / 2]);
    return 0;
}
