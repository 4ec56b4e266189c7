/* All pairs of columns of a square matrix are rotated, and then the same rows, by angles that are given, as
 * in Jacobi's way to eigenvalues. ARGUMENTS: way (0: one block; 1: each row in a block of its own), rows. */
#include "../kernels/kernel.h"

static void rotate(double *x, double *y, double c, double s)
{
    double a = *x, b = *y;
    *x = c * a - s * b;
    *y = s * a + c * b;
}

static void rotate_block(double *a, long n, double c, double s)
{
    for (long p = 0; p < n; p++)
        for (long q = p + 1; q < n; q++) {
            for (long k = 0; k < n; k++) rotate(&a[k * n + p], &a[k * n + q], c, s);
            for (long k = 0; k < n; k++) rotate(&a[p * n + k], &a[q * n + k], c, s);
        }
}

static void rotate_rows(double **a, long n, double c, double s)
{
    for (long p = 0; p < n; p++)
        for (long q = p + 1; q < n; q++) {
            for (long k = 0; k < n; k++) rotate(&a[k][p], &a[k][q], c, s);
            for (long k = 0; k < n; k++) rotate(&a[p][k], &a[q][k], c, s);
        }
}

void kernel(long way, double *a, double **rows, long n)
{
    if (way)
        rotate_rows(rows, n, cos(0.3), sin(0.3));
    else
        rotate_block(a, n, cos(0.3), sin(0.3));
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n * n), **rows = malloc((size_t)n * sizeof *rows);
    if (!rows) return 1;
    for (long i = 0; i < n; i++) rows[i] = filled(n);
    kernel(way, a, rows, n);
    printf("%g\n", a[n + 1] + rows[1][1]);
    return 0;
}
