/* heat2d_swap in tiles of 8 x 8 points, each gathered with its rim into an array on the stack. */
#include "../kernels/kernel.h"

enum { TILE = 8 };

static void tile(const double *u, double *v, long w, long i0, long j0)
{
    double in[TILE + 2][TILE + 2], out[TILE][TILE];
    for (long i = 0; i < TILE + 2; i++)
        for (long j = 0; j < TILE + 2; j++) in[i][j] = u[(i0 + i - 1) * w + j0 + j - 1];
    for (long i = 0; i < TILE; i++)
        for (long j = 0; j < TILE; j++)
            out[i][j] = in[i + 1][j + 1] + 0.1 * (in[i][j + 1] + in[i + 2][j + 1] + in[i + 1][j] +
                                                  in[i + 1][j + 2] - 4 * in[i + 1][j + 1]);
    for (long i = 0; i < TILE; i++)
        for (long j = 0; j < TILE; j++) v[(i0 + i) * w + j0 + j] = out[i][j];
}

void kernel(double *u, double *v, long n, long t)
{
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i += TILE)
            for (long j = 1; j <= n; j += TILE) tile(u, v, n + 2, i, j);
        double *old = u;
        u = v;
        v = old;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w), *v = filled(w * w);
    kernel(u, v, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
