/* Heat on a plane whose rows are allocated one by one in the region: they begin with zeros, and so with
 * values that come of nothing, but own what they hold. */
#include "kernel.h"

static double **rows(long n)
{
    double **u = malloc((size_t)n * sizeof *u);
    if (!u) exit(1);
    for (long i = 0; i < n; i++) {
        u[i] = calloc((size_t)n, sizeof **u);
        if (!u[i]) exit(1);
    }
    for (long i = 0; i < n; i++) u[0][i] = 1;
    return u;
}

void kernel(long n, long steps)
{
    double **u = rows(n + 2), **v = rows(n + 2);
    for (long s = 0; s < steps; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        double **other = u;
        u = v;
        v = other;
    }
    printf("%g\n", u[1][1]);
}

int main(int argc, char **argv)
{
    kernel(argument(argc, argv, 1), argument(argc, argv, 2));
    return 0;
}
