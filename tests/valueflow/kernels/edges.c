/* Fluxes over the edges of a grid, which only lists of their ends tell. */
#include "kernel.h"
void kernel(double *u, double *r, const int *from, const int *to, long n, long e, long t)
{
    for (long s = 0; s < t; s++) {
        for (long i = 0; i < n; i++) r[i] = 0;
        for (long k = 0; k < e; k++) {
            double flux = 0.1 * (u[from[k]] - u[to[k]]);
            r[from[k]] -= flux;
            r[to[k]] += flux;
        }
        for (long i = 0; i < n; i++) u[i] += r[i];
    }
}
int main(int argc, char **argv)
{
    long m = argument(argc, argv, 1), t = argument(argc, argv, 2), n = m * m, e = 0;
    double *u = filled(n), *r = filled(n);
    int *from = malloc((size_t)(2 * n) * sizeof *from), *to = malloc((size_t)(2 * n) * sizeof *to);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) {
            if (j + 1 < m) {
                from[e] = (int)(i * m + j);
                to[e++] = (int)(i * m + j + 1);
            }
            if (i + 1 < m) {
                from[e] = (int)(i * m + j);
                to[e++] = (int)((i + 1) * m + j);
            }
        }
    kernel(u, r, from, to, n, e, t);
    printf("%g\n", u[0]);
    return 0;
}
