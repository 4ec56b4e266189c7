/* ROWS x COLUMNS cells that are swept along rows and then along columns, in every step: fluxes through the
 * faces of all rows, and then of all columns, in one block for both (0), or in one for each (1). Arguments:
 * which, rows, columns, steps. */
#include "../kernels/kernel.h"

static double flux_of(double before, double behind)
{
    return 0.3 * before * before - 0.1 * behind;
}

static void along_rows(double *u, double *f, long n, long m)
{
    for (long i = 0; i < n; i++)
        for (long j = 1; j < m; j++) f[i * (m + 1) + j] = flux_of(u[i * m + j - 1], u[i * m + j]);
    for (long i = 0; i < n; i++)
        for (long j = 1; j < m - 1; j++) u[i * m + j] -= 0.1 * (f[i * (m + 1) + j + 1] - f[i * (m + 1) + j]);
}

static void along_columns(double *u, double *f, long n, long m)
{
    for (long i = 1; i < n; i++)
        for (long j = 0; j < m; j++) f[i * m + j] = flux_of(u[(i - 1) * m + j], u[i * m + j]);
    for (long i = 1; i < n - 1; i++)
        for (long j = 0; j < m; j++) u[i * m + j] -= 0.1 * (f[(i + 1) * m + j] - f[i * m + j]);
}

__attribute__((noinline)) static void kernel(double *u, double *f, double *g, long n, long m, long steps)
{
    for (long t = 0; t < steps; t++) {
        along_rows(u, f, n, m);
        along_columns(u, g, n, m);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    double *u = filled(n * m), *f = filled((n + 1) * (m + 1)), *g = filled((n + 1) * (m + 1)), sum = 0;
    kernel(u, f, argument(argc, argv, 1) ? g : f, n, m, argument(argc, argv, 4));
    for (long k = 0; k < n * m; k++) sum += u[k] * (double)(k % 7);
    printf("%.9g\n", sum);
    return 0;
}
