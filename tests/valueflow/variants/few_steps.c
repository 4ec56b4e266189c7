/* Fields of which few steps to neighbours tell how long a row is. WAY 0: two fields of structures along rows
 * and diagonals; 1: rings, one in each row, with room behind them that nobody uses.
 * ARGUMENTS: way, rows, columns, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { SPARE = 3 };

struct cell {
    double a, b;
};

static void diagonals(struct cell *cell, int n, int m)
{
#define CELL(i, j) cell[(i) * m + (j)]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            CELL(i, j).b = 0.2 * CELL(i, j).b + (i + 1 < n && j + 1 < m ? 0.3 * CELL(i + 1, j + 1).a : 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            CELL(i, j).a = (j + 1 < m ? 0.1 * CELL(i, j + 1).b : 0) + (j > 0 ? 0.2 * CELL(i, j - 1).b : 0) +
                           (i + 1 < n && j > 0 ? 0.4 * CELL(i + 1, j - 1).b : 0);
}

static void rings(double *a, double *b, int n, int m)
{
    int row = m + SPARE;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * row + j] =
                0.5 * a[i * row + j] + 0.2 * a[i * row + (j + 1) % m] + 0.3 * a[i * row + (j + m - 1) % m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * row + j] = 0.9 * b[i * row + j];
}

void kernel(int way, void *first, void *second, int n, int m, int steps)
{
    for (int t = 0; t < steps; t++)
        if (way)
            rings(first, second, n, m);
        else
            diagonals(first, n, m);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
    size_t words = (size_t)n * (size_t)(way ? m + SPARE : 2 * m);
    double *first = calloc(words, sizeof *first), *second = calloc(words, sizeof *second), sum = 0;
    for (size_t i = 0; i < words; i++) first[i] = (double)(i * 7 % 11);
    kernel(way, first, second, n, m, atoi(argv[4]));
    for (size_t i = 0; i < words; i++) sum += first[i];
    printf("%g\n", sum);
    return 0;
}
