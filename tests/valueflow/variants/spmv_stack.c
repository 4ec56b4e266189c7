/* spmv_laplacian with a row's values and operands gathered into arrays on the stack. */
#include "../kernels/kernel.h"

enum { MOST = 8 };

static double row_times(const double *value, const int *column, int n, const double *x)
{
    double coefficient[MOST], operand[MOST], product[MOST], sum = 0;
    for (int e = 0; e < n; e++) {
        coefficient[e] = value[e];
        operand[e] = x[column[e]];
    }
    for (int e = 0; e < n; e++) product[e] = coefficient[e] * operand[e];
    for (int e = 0; e < n; e++) sum += product[e];
    return sum;
}

void kernel(double *y, double *x, const double *value, const int *column, const int *row, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long r = 0; r < n; r++)
            y[r] = row_times(value + row[r], column + row[r], row[r + 1] - row[r], x);
        for (long r = 0; r < n; r++) x[r] = y[r];
    }
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
