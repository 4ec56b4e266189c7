/* heat2d_copyback with a row on the heap that is used for one row after the other. */
#include "../kernels/kernel.h"

void kernel(double *u, double *v, double *row, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i++) {
            for (long j = 1; j <= n; j++)
                row[j] = u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] + u[i * w + j + 1] -
                         4 * u[i * w + j];
            for (long j = 1; j <= n; j++) v[i * w + j] = u[i * w + j] + 0.1 * row[j];
        }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) u[i * w + j] = v[i * w + j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w), *v = filled(w * w), *row = filled(w);
    kernel(u, v, row, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
