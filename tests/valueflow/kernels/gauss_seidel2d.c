/* Five-point sweep in place. */
#include "kernel.h"

void kernel(double *u, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++)
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                u[i * w + j] =
                    0.25 * (u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] + u[i * w + j + 1]);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w);
    kernel(u, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
