/* Bodies that all attract each other; coordinates lie together. */
#include "kernel.h"
void kernel(double *x, double *v, const double *mass, long n, long t)
{
    for (long s = 0; s < t; s++) {
        for (long i = 0; i < n; i++) {
            double f[3] = {0, 0, 0};
            for (long j = 0; j < n; j++) {
                double d[3], r = 1e-3;
                for (int k = 0; k < 3; k++) {
                    d[k] = x[3 * j + k] - x[3 * i + k];
                    r += d[k] * d[k];
                }
                for (int k = 0; k < 3; k++) f[k] += mass[j] * d[k] / (r * sqrt(r));
            }
            for (int k = 0; k < 3; k++) v[3 * i + k] += 1e-3 * f[k];
        }
        for (long i = 0; i < 3 * n; i++) x[i] += 1e-3 * v[i];
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *x = filled(3 * n), *v = filled(3 * n), *m = filled(n);
    kernel(x, v, m, n, t);
    printf("%g\n", x[0]);
    return 0;
}
