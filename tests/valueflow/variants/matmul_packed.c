/* matmul_ijk in tiles of 6 x 6 that are packed and padded with zeros: the matrix is no multiple of the tile.
 */
#include "../kernels/kernel.h"

enum { TILE = 6 };

static void pack(double tile[TILE][TILE], const double *a, long i, long j, long n)
{
    for (int k = 0; k < TILE; k++)
        for (int m = 0; m < TILE; m++) tile[k][m] = i + k < n && j + m < n ? a[(i + k) * n + j + m] : 0;
}

void kernel(double *c, const double *a, const double *b, long n)
{
    double left[TILE][TILE], right[TILE][TILE], sum[TILE][TILE];
    for (long i = 0; i < n; i += TILE)
        for (long j = 0; j < n; j += TILE) {
            memset(sum, 0, sizeof sum);
            for (long k = 0; k < n; k += TILE) {
                pack(left, a, i, k, n);
                pack(right, b, k, j, n);
                for (int x = 0; x < TILE; x++)
                    for (int y = 0; y < TILE; y++)
                        for (int z = 0; z < TILE; z++) sum[x][y] += left[x][z] * right[z][y];
            }
            for (int x = 0; x < TILE; x++)
                for (int y = 0; y < TILE; y++)
                    if (i + x < n && j + y < n) c[(i + x) * n + j + y] += sum[x][y];
        }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *c = filled(n * n), *a = filled(n * n), *b = filled(n * n);
    kernel(c, a, b, n);
    printf("%g\n", c[n * n / 2]);
    return 0;
}
