/* Nine-point sweep, the sum in a register; two arrays that change places. */
#include "kernel.h"
void kernel(double *u, double *v, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                double sum = 0;
                for (long a = -1; a <= 1; a++)
                    for (long b = -1; b <= 1; b++) sum += u[(i + a) * w + j + b];
                v[i * w + j] = sum / 9;
            }
        double *x = u;
        u = v;
        v = x;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w), *v = filled(w * w);
    kernel(u, v, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
