/* Cells of a line, each a structure: three fields, what flows in from the cell before, and what is not used.
 * ARGUMENTS: way (0: each allocated by itself; 1: all in one array), how many, steps. */
#include "../kernels/kernel.h"

enum { FIELDS = 3 };

struct cell {
    double q[FIELDS], flow[FIELDS], unused[FIELDS];
};

static void step(struct cell *const *cells, long n)
{
    for (long i = 1; i < n; i++) {
        const double *a = cells[i - 1]->q, *b = cells[i]->q;
        double speed = a[1] / a[0], other = b[1] / b[0];
        cells[i]->flow[0] = 0.5 * (a[1] + b[1]) - 0.5 * (b[0] - a[0]);
        cells[i]->flow[1] = 0.5 * (a[1] * speed + b[1] * other) - 0.5 * (b[1] - a[1]);
        cells[i]->flow[2] = 0.5 * (a[2] * speed + b[2] * other) - 0.5 * (b[2] - a[2]);
    }
    for (long i = 1; i + 1 < n; i++)
        for (int k = 0; k < FIELDS; k++) cells[i]->q[k] -= 0.1 * (cells[i + 1]->flow[k] - cells[i]->flow[k]);
}

void kernel(struct cell *const *cells, long n, long steps)
{
    for (long s = 0; s < steps; s++) step(cells, n);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    struct cell **cells = malloc((size_t)n * sizeof *cells), *all = malloc((size_t)n * sizeof *all);
    double *x = filled(n * FIELDS);
    if (!cells || !all) return 1;
    for (long i = 0; i < n; i++) {
        cells[i] = way ? &all[i] : malloc(sizeof **cells);
        if (!cells[i]) return 1;
        for (int k = 0; k < FIELDS; k++) cells[i]->q[k] = x[i * FIELDS + k];
    }
    kernel((struct cell *const *)cells, n, argument(argc, argv, 3));
    printf("%g\n", cells[n / 2]->q[0]);
    return 0;
}
