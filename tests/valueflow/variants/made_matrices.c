/* y += A x in every step of a periodic plane, with the matrix made in the region: of inputs that nobody else
 * reads, of these and a parameter, of a word of the row, of words of row and column, or read as it is.
 * Arguments: which, points along each side, steps. */
#include "../kernels/kernel.h"

enum { NEAR = 5 };

static void make(double *a, const double *in, const double *d, const double *scale, const long *column,
                 long rows, long which)
{
    for (long r = 0; r < rows; r++)
        for (long k = NEAR * r; k < NEAR * (r + 1); k++)
            a[k] = which == 1   ? 1 / (in[k] + 2)
                   : which == 2 ? in[k] * *scale
                   : which == 3 ? d[r] * in[k]
                                : d[r] * in[k] * d[column[k]];
}

__attribute__((noinline)) void kernel(double *a, const double *in, const double *d, const double *scale,
                                      const long *column, double *x, double *y, long rows, long steps,
                                      long which)
{
    if (which) make(a, in, d, scale, column, rows, which);
    for (long k = 0; k < steps; k++) {
        for (long r = 0; r < rows; r++) x[r] = 0.5 * x[r] + 1;
        for (long r = 0; r < rows; r++) {
            double sum = 0;
            for (long i = NEAR * r; i < NEAR * (r + 1); i++) sum += a[i] * x[column[i]];
            y[r] += sum;
        }
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    long rows = n * n, *column = malloc((size_t)(NEAR * rows) * sizeof *column);
    double *a = filled(NEAR * rows), *in = filled(NEAR * rows), *d = filled(rows), *x = filled(rows),
           *y = filled(rows), *scale = filled(1);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            long row[NEAR] = {i * n + j, i * n + (j + 1) % n, i * n + (j + n - 1) % n, (i + 1) % n * n + j,
                              (i + n - 1) % n * n + j};
            for (int k = 0; k < NEAR; k++) column[NEAR * (i * n + j) + k] = row[k];
        }
    kernel(a, in, d, scale, column, x, y, rows, steps, which);
    printf("%.6f\n", y[rows / 2]);
    free(a);
    free(in);
    free(d);
    free(x);
    free(y);
    free(scale);
    free(column);
    return 0;
}
