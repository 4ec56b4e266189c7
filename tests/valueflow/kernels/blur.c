/* Nine-point sweep with weights from memory, copied back as a whole. */
#include "kernel.h"
void kernel(double *u, double *v, const double *k, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                double sum = 0;
                for (long a = 0; a < 3; a++)
                    for (long b = 0; b < 3; b++) sum += k[a * 3 + b] * u[(i + a - 1) * w + j + b - 1];
                v[i * w + j] = sum;
            }
        memcpy(u, v, (size_t)(w * w) * sizeof *u);
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *u = filled(w * w), *v = filled(w * w), *k = filled(9);
    kernel(u, v, k, n, t);
    printf("%g\n", u[w * w / 2]);
    return 0;
}
