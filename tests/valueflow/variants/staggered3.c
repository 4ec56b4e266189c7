/* Pressures in cells and speeds at their faces, in arrays of their own, of which no two are of one length.
 * ARGUMENTS: planes, rows, columns of cells, steps. */
#include <stdio.h>
#include <stdlib.h>

#define P(i, j, k) p[((i) * m + (j)) * l + (k)]
#define U(i, j, k) u[((i) * m + (j)) * l + (k)]
#define V(i, j, k) v[((i) * (m + 1) + (j)) * l + (k)]
#define W(i, j, k) w[((i) * m + (j)) * (l + 1) + (k)]

void kernel(double *p, double *u, double *v, double *w, int n, int m, int l, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < l; k++) U(i, j, k) += 0.1 * (P(i - 1, j, k) - P(i, j, k));
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                for (int k = 0; k < l; k++) V(i, j, k) += 0.1 * (P(i, j - 1, k) - P(i, j, k));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 1; k < l; k++) W(i, j, k) += 0.1 * (P(i, j, k - 1) - P(i, j, k));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < l; k++)
                    P(i, j, k) -= 0.1 * (U(i + 1, j, k) - U(i, j, k) + V(i, j + 1, k) - V(i, j, k) +
                                         W(i, j, k + 1) - W(i, j, k));
    }
}

static double *make(int n)
{
    double *field = malloc((size_t)n * sizeof *field);
    for (int i = 0; i < n; i++) field[i] = i * 7 % 11;
    return field;
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]);
    double *p = make(n * m * l), *u = make((n + 1) * m * l), *v = make(n * (m + 1) * l),
           *w = make(n * m * (l + 1)), sum = 0;
    kernel(p, u, v, w, n, m, l, atoi(argv[4]));
    for (int i = 0; i < n * m * l; i++) sum += p[i] + u[i] + v[i] + w[i];
    printf("%g\n", sum);
    return 0;
}
