/* A five-point sweep from one plane of rows to another and back. All rows are allocated in one place; of the
 * first and the last one of the second plane no word is used. ARGUMENTS: ignored, rows, columns, steps. */
#include "../kernels/kernel.h"

static void sweep(double **to, double **from, long n, long m)
{
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= m; j++)
            to[i][j] = 0.2 * (from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

void kernel(double ***u, long n, long m, long steps)
{
    for (long k = 0; k < steps; k++) {
        sweep(u[1], u[0], n, m);
        for (long i = 1; i <= n; i++) memcpy(u[0][i] + 1, u[1][i] + 1, (size_t)m * sizeof ***u);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), m = argument(argc, argv, 3), steps = argument(argc, argv, 4);
    double ***u = malloc(2 * sizeof *u);
    for (int k = 0; k < 2; k++) {
        u[k] = malloc((size_t)(n + 2) * sizeof *u[k]);
        for (long i = 0; i < n + 2; i++) u[k][i] = filled(m + 2);
    }
    kernel(u, n, m, steps);
    printf("%g\n", u[0][1][1]);
    return 0;
}
