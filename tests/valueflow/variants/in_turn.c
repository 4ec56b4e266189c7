/* The seven-point sweep in one array of several fields, that are written in turn: one after the other, or
 * side by side. Arguments: which, N, T. */
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 3 };
static const long fields[WAYS] = {2, 3, 2};

static void one_after_the_other(double *u, long n, long t, long of)
{
    double(*a)[n + 2][n + 2][n + 2] = (void *)u;
    for (long s = 0; s < t; s++) {
        long p = s % of, q = (s + 1) % of;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                for (long k = 1; k <= n; k++)
                    a[q][i][j][k] = 0.25 * a[p][i][j][k] +
                                    0.125 * (a[p][i - 1][j][k] + a[p][i + 1][j][k] + a[p][i][j - 1][k] +
                                             a[p][i][j + 1][k] + a[p][i][j][k - 1] + a[p][i][j][k + 1]);
    }
}

static void side_by_side(double *u, long n, long t)
{
    double(*a)[n + 2][n + 2][2] = (void *)u;
    for (long s = 0; s < t; s++) {
        long p = s % 2, q = 1 - p;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                for (long k = 1; k <= n; k++)
                    a[i][j][k][q] = 0.25 * a[i][j][k][p] +
                                    0.125 * (a[i - 1][j][k][p] + a[i + 1][j][k][p] + a[i][j - 1][k][p] +
                                             a[i][j + 1][k][p] + a[i][j][k - 1][p] + a[i][j][k + 1][p]);
    }
}

void kernel(double *u, long n, long t, long way)
{
    if (way < 2)
        one_after_the_other(u, n, t, fields[way]);
    else
        side_by_side(u, n, t);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long way = atol(argv[1]), n = atol(argv[2]), t = atol(argv[3]);
    if (way < 0 || way >= WAYS || n < 1) return 2;
    long words = fields[way] * (n + 2) * (n + 2) * (n + 2);
    double *u = malloc((size_t)words * sizeof *u);
    if (!u) return 1;
    for (long i = 0; i < words; i++) u[i] = (double)(i * 7919 % 13);
    kernel(u, n, t, way);
    printf("%.17g\n", u[words / 2]);
    free(u);
    return 0;
}
