/* A sum over a plane or a block is kept in a word: by a pointer that nothing else has, in a variable of the
 * program, while the plane is changed; the loops have bounds of their own, so that an inner one may have no
 * turn. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 16, COLUMNS = 12, LAYERS = 4 };

static double total, plane[ROWS][COLUMNS];

static void add_up(const double *restrict u, long rows, long columns, double *restrict sum)
{
    *sum = 0;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) *sum += u[i * columns + j] * u[i * columns + j];
}

static void change(double *restrict u, long rows, long columns, double *restrict sum)
{
    *sum = 0;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) {
            u[i * columns + j] += 0.5;
            *sum += u[i * columns + j] * u[i * columns + j];
        }
}

static void in_variable(long rows, long columns)
{
    total = 0;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) total += plane[i][j] * 3;
}

static void of_block(const double *restrict u, long rows, long columns, long layers, double *restrict sum)
{
    *sum = 0;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns / layers; j++)
            for (long k = 0; k < layers; k++) *sum += u[i * columns + j * layers + k] * 2;
}

static void kernel(double *u, int way, long rows, long columns, long layers)
{
    if (way == 0) add_up(u, rows, columns, &total);
    if (way == 1) change(u, rows, columns, &total);
    if (way == 2) in_variable(rows, columns);
    if (way == 3) of_block(u, rows, columns, layers, &total);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long rows = argc > 2 ? atol(argv[2]) : ROWS, columns = argc > 3 ? atol(argv[3]) : COLUMNS;
    double *u = way == 2 ? plane[0] : malloc((size_t)(rows * columns) * sizeof *u);
    if (!u || (way == 2 && (rows != ROWS || columns != COLUMNS))) return 1;
    for (long i = 0; i < rows * columns; i++) u[i] = (double)(i % 7);
    kernel(u, way, rows, columns, LAYERS);
    printf("%.17g\n", total);
    return 0;
}
