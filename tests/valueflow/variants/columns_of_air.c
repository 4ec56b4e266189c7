/* Systems of equations along columns, none of which has to do with another one: those of the elimination are
 * on the stack (0) or in blocks for each column (1). Arguments: way, columns, levels, steps. */
#include "../kernels/kernel.h"

enum { MOST_LEVELS = 64 };

static void solve(const double *a, double *u, double *c, double *d, long levels)
{
    c[0] = -a[0] / 2.5;
    d[0] = u[0] / 2.5;
    for (long k = 1; k < levels; k++) {
        double w = 2.5 + a[k] * c[k - 1];
        c[k] = -a[k] / w;
        d[k] = (u[k] + a[k] * d[k - 1]) / w;
    }
    u[levels - 1] = d[levels - 1];
    for (long k = levels - 2; k >= 0; k--) u[k] = d[k] - c[k] * u[k + 1];
}

static void on_stack(const double *a, double *u, long columns, long levels)
{
    for (long i = 0; i < columns; i++) {
        double c[MOST_LEVELS], d[MOST_LEVELS];
        solve(a + i * levels, u + i * levels, c, d, levels);
    }
}

static void in_blocks(const double *a, double *u, long columns, long levels)
{
    for (long i = 0; i < columns; i++) {
        double *c = malloc((size_t)levels * sizeof *c), *d = malloc((size_t)levels * sizeof *d);
        if (!c || !d) exit(1);
        solve(a + i * levels, u + i * levels, c, d, levels);
        free(c);
        free(d);
    }
}

void kernel(long way, const double *a, double *u, long columns, long levels, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way == 0) on_stack(a, u, columns, levels);
        if (way == 1) in_blocks(a, u, columns, levels);
    }
}

int main(int argc, char **argv)
{
    long columns = argument(argc, argv, 2), levels = argument(argc, argv, 3);
    if (levels > MOST_LEVELS) return 1;
    double *a = filled(columns * levels), *u = filled(columns * levels), sum = 0;
    kernel(argument(argc, argv, 1), a, u, columns, levels, argument(argc, argv, 4));
    for (long i = 0; i < columns * levels; i++) sum += u[i];
    printf("%.9g\n", sum);
    return 0;
}
