/* gauss_seidel2d by columns, each copied into an array of the frame, relaxed there and copied back: what is
 * computed there are the values of the plane. */
#include "../kernels/kernel.h"

void kernel(double *u, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++)
        for (long j = 1; j <= n; j++) {
            double column[n + 2];
            for (long i = 0; i < w; i++) column[i] = u[i * w + j];
            for (long i = 1; i <= n; i++)
                column[i] = 0.25 * (column[i - 1] + column[i + 1] + u[i * w + j - 1] + u[i * w + j + 1]);
            for (long i = 1; i <= n; i++) u[i * w + j] = column[i];
        }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w);
    kernel(u, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
