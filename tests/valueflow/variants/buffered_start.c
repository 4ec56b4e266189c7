/* A plane that begins with what its indices say is relaxed row by row: in place of what a row held (WAY 0),
 * or through a buffer on the stack (1) or one on the heap that is kept (2), from which it is copied back.
 * Arguments: way, points along a side, steps. */
#include "../kernels/kernel.h"

enum { MOST = 256 };

static void relax(const double *row, const double *above, const double *below, double *to, long n)
{
    for (long j = 1; j < n - 1; j++)
        to[j] = row[j] + 0.1 * (row[j - 1] + row[j + 1]) + 0.1 * (above[j] + below[j]) - 0.4 * row[j];
}

__attribute__((noinline)) void kernel(long way, double *u, double *v, long n, long steps)
{
    double *kept = malloc(MOST * sizeof *kept);
    if (!kept) exit(1);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) u[i * n + j] = v[i * n + j] = sin(0.1 * (double)(i * j));
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++) {
            double here[MOST], *buffer = way == 1 ? here : kept;
            const double *row = u + i * n;
            relax(row, row - n, row + n, way ? buffer : v + i * n, n);
            if (way) memcpy(v + i * n + 1, buffer + 1, (size_t)(n - 2) * sizeof *buffer);
        }
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++) u[i * n + j] = v[i * n + j];
    }
    free(kept);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *u = filled(n * n), *v = filled(n * n);
    kernel(way, u, v, n, steps);
    printf("%g\n", u[n * n / 2]);
}
