/* A relaxation on a plane whose rows are allocated one by one: in the loop, by a function of its own, in a
 * loop that ends where there is no memory left. */
#include <stdio.h>
#include <stdlib.h>

static double *row(long n)
{
    double *new = malloc((size_t)n * sizeof *new);
    if (!new) exit(1);
    return new;
}

static double **plane(long n, int way)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    if (!rows) exit(1);
    if (way == 0)
        for (long i = 0; i < n; i++) rows[i] = malloc((size_t)n * sizeof **rows);
    if (way == 1)
        for (long i = 0; i < n; i++) rows[i] = row(n);
    if (way == 2)
        for (long i = 0; i < n; i++) {
            rows[i] = malloc((size_t)n * sizeof **rows);
            if (!rows[i]) return NULL;
        }
    return rows;
}

static double **copy_of(double *const *u, long n, int way)
{
    double **copy = plane(n, way);
    if (!copy) exit(1);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) copy[i][j] = u[i][j];
    return copy;
}

static double **kernel(double *const *u, long n, int steps, int way)
{
    double **v = copy_of(u, n, way);
    for (int step = 0; step < steps; step++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                v[i][j] = 0.2 * (v[i][j] + v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1]);
    return v;
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 16;
    int steps = argc > 3 ? atoi(argv[3]) : 3;
    double **u = plane(n, way);
    if (!u) return 1;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) u[i][j] = (double)(i * j % 7);
    double **v = kernel(u, n, steps, way);
    printf("%.17g\n", v[n / 2][n / 3]);
    for (long i = 0; i < n; i++) {
        free(u[i]);
        free(v[i]);
    }
    free(u);
    free(v);
    return 0;
}
