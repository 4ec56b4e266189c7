/* A wave that runs along N points, T steps, of which most are zero until it comes: what falls below a
 * threshold is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void kernel(const double *x, double *u, double *v, double *f, long n, long t)
{
    for (long i = 0; i < n; i++) u[i] = v[i] = 0;
    u[1] = x[1];
    for (long k = 0; k < t; k++) {
        for (long i = 1; i < n - 1; i++)
            f[i] = u[i - 1] - 2 * u[i] + u[i + 1] + 0.1 * (v[i - 1] - 2 * v[i] + v[i + 1]);
        for (long i = 1; i < n - 1; i++) {
            double speed = v[i] + 0.5 * f[i];
            v[i] = fabs(speed) < 1e-9 ? 0 : speed;
        }
        for (long i = 1; i < n - 1; i++) u[i] += 0.5 * v[i];
    }
}

int main(int argc, char **argv)
{
    long n = argc > 2 ? atol(argv[2]) : 256, t = argc > 3 ? atol(argv[3]) : 200;
    double *x = calloc((size_t)n, sizeof *x), *u = calloc((size_t)n, sizeof *u),
           *v = calloc((size_t)n, sizeof *v), *f = calloc((size_t)n, sizeof *f);
    if (argc < 2 || !x || !u || !v || !f) return 1;
    x[1] = 1;
    kernel(x, u, v, f, n, t);
    printf("%g\n", u[n / 2]);
    free(x);
    free(u);
    free(v);
    free(f);
    return 0;
}
