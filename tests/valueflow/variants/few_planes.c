/* Fields of which few steps to neighbours tell where planes end. WAY 0: planes that have nothing in common,
 * five points in each; 1: two fields of structures, along planes and rows but not from row to row.
 * ARGUMENTS: way, planes, rows, columns, steps. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double a, b;
};

static void images(double *a, double *b, int n, int m, int l)
{
#define AT(i, j, k) (((i) * m + (j)) * l + (k))
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                b[AT(i, j, k)] = 0.5 * a[AT(i, j, k)] + (j > 0 ? 0.1 * a[AT(i, j - 1, k)] : 0) +
                                 (j + 1 < m ? 0.1 * a[AT(i, j + 1, k)] : 0) +
                                 (k > 0 ? 0.2 * a[AT(i, j, k - 1)] : 0) +
                                 (k + 1 < l ? 0.2 * a[AT(i, j, k + 1)] : 0);
    for (int i = 0; i < n * m * l; i++) a[i] = 0.9 * b[i];
}

static void slices(struct cell *cell, int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                cell[AT(i, j, k)].b += (i > 0 ? 0.1 * cell[AT(i - 1, j, k)].a : 0) +
                                       (i + 1 < n ? 0.1 * cell[AT(i + 1, j, k)].a : 0) +
                                       (k > 0 ? 0.2 * cell[AT(i, j, k - 1)].a : 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                cell[AT(i, j, k)].a = 0.5 * cell[AT(i, j, k)].a +
                                      (i + 1 < n ? 0.1 * cell[AT(i + 1, j, k)].b : 0) +
                                      (k + 1 < l ? 0.2 * cell[AT(i, j, k + 1)].b : 0);
}

void kernel(int way, void *first, void *second, int n, int m, int l, int steps)
{
    for (int t = 0; t < steps; t++)
        if (way)
            slices(first, n, m, l);
        else
            images(first, second, n, m, l);
}

int main(int argc, char **argv)
{
    if (argc < 6) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]), l = atoi(argv[4]);
    size_t words = (size_t)n * (size_t)m * (size_t)l * (way ? 2 : 1);
    double *first = calloc(words, sizeof *first), *second = calloc(words, sizeof *second), sum = 0;
    for (size_t i = 0; i < words; i++) first[i] = (double)(i * 7 % 11);
    kernel(way, first, second, n, m, l, atoi(argv[5]));
    for (size_t i = 0; i < words; i++) sum += first[i];
    printf("%g\n", sum);
    return 0;
}
