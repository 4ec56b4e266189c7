/* C = C + A B by halves of all three loops, one octant after the other. Argument: side. */
#include "../kernels/kernel.h"

void kernel(double *c, const double *a, const double *b, long n)
{
    for (long o = 0; o < 8; o++)
        for (long p = 0; p < n / 2; p++)
            for (long q = 0; q < n / 2; q++)
                for (long r = 0; r < n / 2; r++) {
                    long i = o % 2 * n / 2 + p, j = o / 2 % 2 * n / 2 + q, k = o / 4 * n / 2 + r;
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
                }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *c = filled(n * n);
    kernel(c, filled(n * n), filled(n * n), n);
    printf("%g\n", c[n]);
    return 0;
}
