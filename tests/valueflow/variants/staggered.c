/* Waves on a staggered mesh: velocities of the first n - 1 rows and columns, pressures of the last n - 1.
 * Arguments: n, steps. */
#include "../kernels/kernel.h"

__attribute__((noinline)) void kernel(double *p, double *u, double *v, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < n - 1; j++) {
                u[i * n + j] -= 0.1 * (p[(i + 1) * n + j] - p[i * n + j]);
                v[i * n + j] -= 0.1 * (p[i * n + j + 1] - p[i * n + j]);
            }
        for (long i = 1; i < n; i++)
            for (long j = 1; j < n; j++)
                p[i * n + j] -= 0.1 * (u[i * n + j] - u[(i - 1) * n + j] + v[i * n + j] - v[i * n + j - 1]);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2);
    double *p = filled(n * n), *u = filled(n * n), *v = filled(n * n);
    kernel(p, u, v, n, steps);
    printf("%.6f\n", p[n + 1]);
    free(p);
    free(u);
    free(v);
    return 0;
}
