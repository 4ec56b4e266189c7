/* T cycles of two grids over N x N points, N even: red and black, a residual, a coarse sweep in place, and
 * what that corrects. Small arrays, each computed by several statements: none is a workspace. */
#include <stdio.h>
#include <stdlib.h>

static double around(const double *u, long i, long j, long width)
{
    return u[(i - 1) * width + j] + u[(i + 1) * width + j] + u[i * width + j - 1] + u[i * width + j + 1];
}

static void coarse_sweep(const double *r, double *c, long n)
{
    long w = n + 2, v = n / 2 + 2;
    for (long i = 1; i <= n / 2; i++)
        for (long j = 1; j <= n / 2; j++)
            c[i * v + j] = 0.25 * (r[(2 * i - 1) * w + 2 * j - 1] + r[2 * i * w + 2 * j - 1] +
                                   r[(2 * i - 1) * w + 2 * j] + r[2 * i * w + 2 * j]);
    for (long i = 1; i <= n / 2; i++)
        for (long j = 1; j <= n / 2; j++) c[i * v + j] = 0.25 * around(c, i, j, v);
}

void kernel(double *u, const double *b, double *r, double *c, long n, long t)
{
    long w = n + 2, v = n / 2 + 2;
    for (long k = 0; k < t; k++) {
        for (long colour = 0; colour < 2; colour++)
            for (long i = 1; i <= n; i++)
                for (long j = 1 + ((i + colour) & 1); j <= n; j += 2)
                    u[i * w + j] = 0.25 * around(u, i, j, w);
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) r[i * w + j] = b[i * w + j] - 4 * u[i * w + j] + around(u, i, j, w);
        coarse_sweep(r, c, n);
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) u[i * w + j] += c[(i + 1) / 2 * v + (j + 1) / 2];
    }
}

static double *filled(long n)
{
    double *x = malloc((size_t)n * sizeof *x);
    for (long i = 0; x && i < n; i++) x[i] = (double)(i * 7919 % 13);
    return x;
}

int main(int argc, char **argv)
{
    (void)argc;
    long n = atol(argv[2]), t = atol(argv[3]), w = (n + 2) * (n + 2), v = (n / 2 + 2) * (n / 2 + 2);
    double *u = filled(w), *b = filled(w), *r = filled(w), *c = filled(v);
    if (!u || !b || !r || !c) return 1;
    kernel(u, b, r, c, n, t);
    printf("%.17g\n", u[3 * n]);
    free(u);
    free(b);
    free(r);
    free(c);
    return 0;
}
