/* spmv_laplacian with all products in an array first, which is added up then. */
#include "../kernels/kernel.h"

void kernel(double *y, double *x, const double *value, const int *column, const int *row, long n, long t)
{
    double *product = malloc((size_t)row[n] * sizeof *product);
    if (!product) exit(1);
    for (long k = 0; k < t; k++) {
        for (int e = 0; e < row[n]; e++) product[e] = value[e] * x[column[e]];
        for (long r = 0; r < n; r++) {
            y[r] = 0;
            for (int e = row[r]; e < row[r + 1]; e++) y[r] += product[e];
        }
        memcpy(x, y, (size_t)n * sizeof *x);
    }
    free(product);
}

int main(int argc, char **argv)
{
    long m = argument(argc, argv, 1), t = argument(argc, argv, 2), n = m * m;
    double *y = filled(n), *x = filled(n), *value = filled(5 * n);
    int *column = malloc((size_t)(5 * n) * sizeof *column), *row = malloc((size_t)(n + 1) * sizeof *row),
        e = 0;
    if (!column || !row) return 1;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) {
            row[i * m + j] = e;
            if (i > 0) column[e++] = (int)((i - 1) * m + j);
            if (j > 0) column[e++] = (int)(i * m + j - 1);
            column[e++] = (int)(i * m + j);
            if (j < m - 1) column[e++] = (int)(i * m + j + 1);
            if (i < m - 1) column[e++] = (int)((i + 1) * m + j);
        }
    row[n] = e;
    for (int i = 0; i < e; i++) value[i] *= 0.2;
    kernel(y, x, value, column, row, n, t);
    printf("%g\n", y[n / 2]);
    return 0;
}
