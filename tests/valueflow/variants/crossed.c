/* A plane of which all rows are transformed, and then all columns of what came out, each into a plane of its
 * own. ARGUMENTS: way (0: rows lie together; 1: columns do; 2: each row in a block of its own), rows,
 * columns. */
#include "../kernels/kernel.h"

static void transform(const double *from, double *to, long step, long n)
{
    for (long k = 0; k < n; k++) {
        double sum = 0;
        for (long i = 0; i < n; i++) sum += from[i * step] * cos(3.14159 / (double)n * ((double)i + 0.5) * k);
        to[k * step] = sum;
    }
}

static void by_rows(double *const *from, double *const *to, long n, long m)
{
    for (long i = 0; i < n; i++) transform(from[i], to[i], 1, m);
}

static void by_columns(double *const *from, double *const *to, long n, long m)
{
    for (long j = 0; j < m; j++)
        for (long k = 0; k < n; k++) {
            double sum = 0;
            for (long i = 0; i < n; i++) sum += from[i][j] * cos(3.14159 / (double)n * ((double)i + 0.5) * k);
            to[k][j] = sum;
        }
}

void kernel(double *const *planes, double *const *const *rows, long way, long n, long m)
{
    for (long i = 0; way == 0 && i < n; i++) transform(planes[0] + i * m, planes[1] + i * m, 1, m);
    for (long j = 0; way == 0 && j < m; j++) transform(planes[1] + j, planes[2] + j, m, n);
    for (long i = 0; way == 1 && i < n; i++) transform(planes[0] + i, planes[1] + i, n, m);
    for (long j = 0; way == 1 && j < m; j++) transform(planes[1] + j * n, planes[2] + j * n, 1, n);
    if (way == 2) by_rows(rows[0], rows[1], n, m);
    if (way == 2) by_columns(rows[1], rows[2], n, m);
}

static double **rows_of(long n, long m)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    for (long i = 0; rows && i < n; i++) rows[i] = filled(m);
    return rows;
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    double *planes[3] = {filled(n * m), filled(n * m), filled(n * m)};
    double **from = rows_of(n, m), **between = rows_of(n, m), **to = rows_of(n, m);
    double *const *const rows[3] = {from, between, to};
    if (!from || !between || !to) return 1;
    kernel(planes, rows, way, n, m);
    printf("%g\n", way == 2 ? to[1][1] : planes[2][n + 1]);
    return 0;
}
