/* A matrix of five-point stars on ROWS x COLUMNS points times a vector, again and again: each row added up in
 * one variable (0), or in four, and what is left over in the first of them (1): rows of three entries have
 * nothing in the others. Arguments: which, rows, columns, steps. */
#include "../kernels/kernel.h"

static long *first, *column;
static double *weight;

static void one(const double *x, double *y, long row)
{
    double a = 0;
    for (long e = first[row]; e < first[row + 1]; e++) a += weight[e] * x[column[e]];
    y[row] = a;
}

static void four(const double *x, double *y, long row)
{
    double a = 0, b = 0, c = 0, d = 0;
    long e = first[row];
    for (; e + 3 < first[row + 1]; e += 4) {
        a += weight[e] * x[column[e]];
        b += weight[e + 1] * x[column[e + 1]];
        c += weight[e + 2] * x[column[e + 2]];
        d += weight[e + 3] * x[column[e + 3]];
    }
    for (; e < first[row + 1]; e++) a += weight[e] * x[column[e]];
    y[row] = (a + b) + (c + d);
}

__attribute__((noinline)) static double kernel(long which, double *x, double *y, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long row = 0; row < n && !which; row++) one(x, y, row);
        for (long row = 0; row < n && which; row++) four(x, y, row);
        double *other = x;
        x = y;
        y = other;
    }
    return x[0];
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2), columns = argument(argc, argv, 3), n = rows * columns, k = 0;
    first = malloc((size_t)(n + 1) * sizeof *first);
    column = malloc((size_t)(5 * n) * sizeof *column);
    weight = filled(5 * n);
    if (!first || !column) return 1;
    for (long row = 0; row < n; row++) {
        first[row] = k;
        if (row >= columns) column[k++] = row - columns;
        if (row % columns) column[k++] = row - 1;
        column[k++] = row;
        if ((row + 1) % columns) column[k++] = row + 1;
        if (row + columns < n) column[k++] = row + columns;
    }
    first[n] = k;
    printf("%.9g\n", kernel(argument(argc, argv, 1), filled(n), filled(n), n, argument(argc, argv, 4)));
    return 0;
}
