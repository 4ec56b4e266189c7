/* Six fields of a periodic block, three of which change by the curl of the other three and these by theirs:
 * in one array, 0 one field after the other, 1 those of a point together. WAY N STEPS. */
#include "../kernels/kernel.h"

static long next(long n, int d, long s, const long *x)
{
    long y[3] = {x[0], x[1], x[2]};
    y[d] = (y[d] + s + n) % n;
    return (y[0] * n + y[1]) * n + y[2];
}

void kernel(double *f, long n, long steps, long of_field, long of_point)
{
    for (long t = 0; t < steps; t++)
        for (int half = 0; half < 2; half++)
            for (long c = 0; c < n * n * n; c++) {
                const long x[3] = {c / n / n, c / n % n, c % n}, s = half ? -1 : 1;
                for (int d = 0; d < 3; d++) {
                    int p = (d + 1) % 3, q = (d + 2) % 3;
                    double *to = f + (half ? d : 3 + d) * of_field, *a = f + (half ? 3 + p : p) * of_field,
                           *b = f + (half ? 3 + q : q) * of_field;
                    to[c * of_point] += 0.3 * ((b[next(n, p, s, x) * of_point] - b[c * of_point]) -
                                               (a[next(n, q, s, x) * of_point] - a[c * of_point]));
                }
            }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *f = filled(6 * n * n * n);
    kernel(f, n, argument(argc, argv, 3), way ? 1 : n * n * n, way ? 6 : 1);
    printf("%g\n", f[n] + f[5]);
    return 0;
}
