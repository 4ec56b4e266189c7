/* matmul_ijk in tiles of 4 x 4, with packed operands and sums on the stack. */
#include "../kernels/kernel.h"

enum { TILE = 4 };

static void multiply(double *c, const double *a, const double *b, long n)
{
    double left[TILE][TILE], right[TILE][TILE], sum[TILE][TILE];
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) {
            left[i][j] = a[i * n + j];
            right[i][j] = b[i * n + j];
            sum[i][j] = 0;
        }
    for (int i = 0; i < TILE; i++)
        for (int k = 0; k < TILE; k++)
            for (int j = 0; j < TILE; j++) sum[i][j] += left[i][k] * right[k][j];
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) c[i * n + j] += sum[i][j];
}

void kernel(double *c, const double *a, const double *b, long n)
{
    for (long i = 0; i < n; i += TILE)
        for (long j = 0; j < n; j += TILE)
            for (long k = 0; k < n; k += TILE) multiply(c + i * n + j, a + i * n + k, b + k * n + j, n);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *c = filled(n * n), *a = filled(n * n), *b = filled(n * n);
    kernel(c, a, b, n);
    printf("%g\n", c[n * n / 2]);
    return 0;
}
