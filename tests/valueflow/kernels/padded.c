/* A plane or a block of points in an array that has some words more. */
#include "kernel.h"
static double around(const double *u, long at, long step)
{
    return u[at - step] + u[at + step];
}
void kernel(double *u, double *v, long n, long d, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++) {
        for (long i = d == 3 ? 1 : 0; i <= (d == 3 ? n : 0); i++)
            for (long j = 1; j <= n; j++)
                for (long k = 1; k <= n; k++) {
                    long at = (i * w + j) * w + k;
                    v[at] = u[at] + 0.1 * (around(u, at, 1) + around(u, at, w));
                    if (d == 3) v[at] += 0.1 * around(u, at, w * w);
                }
        double *x = u;
        u = v;
        v = x;
    }
}
int main(int argc, char **argv)
{
    long d = argument(argc, argv, 1), n = argument(argc, argv, 2), t = argument(argc, argv, 3);
    long words = (n + 2) * (n + 2) * (d == 3 ? n + 2 : 1) + argument(argc, argv, 4);
    double *u = filled(words), *v = filled(words);
    kernel(u, v, n, d, t);
    printf("%g\n", u[n + 3]);
    return 0;
}
