/* Lloyd's k-means: N points, m features, k centroids, T steps. With APART the points are k groups far from
 * each other, in turn: members never change. */
#include "kernel.h"

void kernel(const double *x, double *c, double *s, int *count, int *member, long n, long m, long k, long t)
{
    for (long step = 0; step < t; step++) {
        for (long i = 0; i < k * m; i++) s[i] = 0;
        for (long i = 0; i < k; i++) count[i] = 0;
        for (long i = 0; i < n; i++) {
            double best = 1e300;
            int b = 0;
            for (long j = 0; j < k; j++) {
                double d = 0;
                for (long f = 0; f < m; f++)
                    d += (x[i * m + f] - c[j * m + f]) * (x[i * m + f] - c[j * m + f]);
                if (d < best) {
                    best = d;
                    b = (int)j;
                }
            }
            member[i] = b;
            count[b]++;
            for (long f = 0; f < m; f++) s[b * m + f] += x[i * m + f];
        }
        for (long j = 0; j < k; j++)
            for (long f = 0; f < m; f++) c[j * m + f] = s[j * m + f] / count[j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), m = argument(argc, argv, 2), k = argument(argc, argv, 3),
         t = argument(argc, argv, 4);
    double *x = filled(n * m), *c = malloc((size_t)(k * m) * sizeof *c), *s = filled(k * m);
    int *count = malloc((size_t)k * sizeof *count), *member = malloc((size_t)n * sizeof *member);
    if (!c || !count || !member) return 1;
#ifdef APART
    for (long i = 0; i < n * m; i++) x[i] += 10.0 * (double)(i / m % k) * (double)(1 + i % m);
    for (long j = 0; j < k; j++) memcpy(c + j * m, x + j * m, (size_t)m * sizeof *c);
#else
    for (long j = 0; j < k; j++) memcpy(c + j * m, x + j * (n / k) * m, (size_t)m * sizeof *c);
#endif
    kernel(x, c, s, count, member, n, m, k, t);
    printf("%g\n", c[0]);
    return 0;
}
