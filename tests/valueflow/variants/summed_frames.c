/* Heat on a plane, and the sum of all that is there, the frame as well: rows 0 allocated one by one, 1 of one
 * array. WAY N STEPS. */
#include "../kernels/kernel.h"

static double **plane(int way, long n)
{
    double **rows = malloc((size_t)n * sizeof *rows), *all = way ? filled(n * n) : NULL;
    if (!rows) exit(1);
    for (long i = 0; i < n; i++) rows[i] = way ? all + i * n : filled(n);
    return rows;
}

__attribute__((noinline)) double kernel(double **u, double **v, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++) u[i][j] = v[i][j];
    }
    double sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) sum += u[i][j];
    return sum;
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double **u = plane(way, n), **v = plane(way, n);
    printf("%.15g\n", kernel(u, v, n, steps));
    return 0;
}
