/* m fields of a cube one after the other in one array; each diffuses and is made from the next. */
#include "kernel.h"
void kernel(double *u, double *v, long n, long m, long t)
{
    long w = n + 2, l = w * w * w;
    for (long s = 0; s < t; s++) {
        for (long f = 0; f < m; f++)
            for (long i = 1; i <= n; i++)
                for (long j = 1; j <= n; j++)
                    for (long k = 1; k <= n; k++) {
                        long at = f * l + (i * w + j) * w + k, from = (f + 1) % m * l + (i * w + j) * w + k;
                        v[at] = u[at] +
                                0.1 * (u[at - 1] + u[at + 1] + u[at - w] + u[at + w] + u[at - w * w] +
                                       u[at + w * w]) +
                                0.01 * u[from];
                    }
        double *x = u;
        u = v;
        v = x;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), m = argument(argc, argv, 2), t = argument(argc, argv, 3), w = n + 2;
    double *u = filled(m * w * w * w), *v = filled(m * w * w * w);
    kernel(u, v, n, m, t);
    printf("%g\n", u[w * w]);
    return 0;
}
