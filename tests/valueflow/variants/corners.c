/* Cells that look at their neighbours and at corners of their own: the largest array is no grid of cells.
 * Arguments: cells in a row, steps. */
#include "../kernels/kernel.h"

enum { CORNERS = 4 };

static void turn(double *restrict to, const double *restrict from, const double *restrict cell, long cells)
{
    for (long i = 0; i < cells; i++)
        for (long c = 0; c < CORNERS; c++)
            to[CORNERS * i + c] = 0.5 * (from[CORNERS * i + (c ^ 1)] + cell[i]);
}

static void sweep(double *restrict to, const double *restrict from, const double *restrict corner, long n)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++) {
            long k = i * n + j;
            const double *c = corner + CORNERS * k;
            to[k] = 0.2 * (from[k - n] + from[k - 1] + from[k] + from[k + 1] + from[k + n]) +
                    1e-3 * (c[0] * c[1] - c[2] * c[3]);
        }
}

__attribute__((noinline)) void kernel(double *cell[2], double *corner[2], long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        turn(corner[(s + 1) & 1], corner[s & 1], cell[s & 1], n * n);
        sweep(cell[(s + 1) & 1], cell[s & 1], corner[(s + 1) & 1], n);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2);
    double *cell[2] = {filled(n * n), filled(n * n)};
    double *corner[2] = {filled(CORNERS * n * n), filled(CORNERS * n * n)};
    kernel(cell, corner, n, steps);
    printf("%.6f\n", cell[steps & 1][n * n / 2]);
    for (int i = 0; i < 2; i++) {
        free(cell[i]);
        free(corner[i]);
    }
    return 0;
}
