/* Products of the columns of a matrix with each other: 0 element by element, 1 row by row from a copy, 2 of
 * their differences from the means. WAY ROWS COLUMNS. */
#include "../kernels/kernel.h"

static void by_elements(double *c, const double *x, long n, long m)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) {
            double s = 0;
            for (long k = 0; k < n; k++) s += x[k * m + i] * x[k * m + j];
            c[i * m + j] = s;
        }
}

static void by_rows(double *c, const double *x, long n, long m)
{
    for (long k = 0; k < n; k++) {
        double row[m];
        memcpy(row, x + k * m, sizeof row);
        for (long i = 0; i < m; i++)
            for (long j = 0; j < m; j++) c[i * m + j] += row[i] * row[j];
    }
}

static void from_means(double *c, double *mean, const double *x, long n, long m)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < m; i++) mean[i] += x[k * m + i];
    for (long i = 0; i < m; i++) mean[i] /= (double)n;
    for (long k = 0; k < n; k++)
        for (long i = 0; i < m; i++)
            for (long j = 0; j < m; j++) c[i * m + j] += (x[k * m + i] - mean[i]) * (x[k * m + j] - mean[j]);
}

void kernel(double *c, double *mean, const double *x, long n, long m, long way)
{
    if (way == 0) by_elements(c, x, n, m);
    if (way == 1) by_rows(c, x, n, m);
    if (way == 2) from_means(c, mean, x, n, m);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    double *x = filled(n * m), *c = calloc((size_t)(m * m), sizeof *c),
           *mean = calloc((size_t)m, sizeof *mean);
    if (!c || !mean) return 1;
    kernel(c, mean, x, n, m, way);
    printf("%g\n", c[1] + mean[0]);
    return 0;
}
