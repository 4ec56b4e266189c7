/* heat2d_copyback in arrays of variable length: the fields, of one size, in the frame of main, a row in every
 * turn of a loop. */
#include "../kernels/kernel.h"

void kernel(long n, long t, double u[n + 2][n + 2], double v[n + 2][n + 2])
{
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i++) {
            double row[n + 2];
            for (long j = 1; j <= n; j++) {
                double sum = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
                row[j] = u[i][j] + 0.1 * (sum - 4 * u[i][j]);
            }
            for (long j = 1; j <= n; j++) v[i][j] = row[j];
        }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) u[i][j] = v[i][j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double u[n + 2][n + 2], v[n + 2][n + 2];
    for (long i = 0; i < n + 2; i++)
        for (long j = 0; j < n + 2; j++) v[i][j] = u[i][j] = (double)(i * j);
    kernel(n, t, u, v);
    printf("%g\n", u[n / 2][n / 2]);
    return 0;
}
