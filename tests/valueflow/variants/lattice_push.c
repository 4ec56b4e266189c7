/* Nine populations of a periodic lattice that collide and are pushed to the cells around: 0 the populations
 * of a cell together in one flat array, collided on the stack; 1 the same, each pushed as it is computed; 2
 * one population after the other. WAY N STEPS. */
#include "../kernels/kernel.h"
enum { Q = 9 };
static const int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

static double collided(double f, int q, double sum, double x, double y)
{
    return f + 0.3 * (sum * (1 + CX[q] * x + CY[q] * y) / Q - f);
}

static void sum_up(const double *f, long stride, double *sum, double *x, double *y)
{
    *sum = *x = *y = 0;
    for (int q = 0; q < Q; q++) {
        *sum += f[q * stride];
        *x += CX[q] * f[q * stride];
        *y += CY[q] * f[q * stride];
    }
}

static long at(long n, long x, long y)
{
    return (x + n) % n * n + (y + n) % n;
}

static void push_stack(const double *f, double *g, long n)
{
    for (long x = 0; x < n; x++)
        for (long y = 0; y < n; y++) {
            const double *in = f + at(n, x, y) * Q;
            double out[Q], sum, u, v;
            sum_up(in, 1, &sum, &u, &v);
            for (int q = 0; q < Q; q++) out[q] = collided(in[q], q, sum, u, v);
            for (int q = 0; q < Q; q++) g[at(n, x + CX[q], y + CY[q]) * Q + q] = out[q];
        }
}

static void push(const double *f, double *g, long n)
{
    for (long x = 0; x < n; x++)
        for (long y = 0; y < n; y++) {
            const double *in = f + at(n, x, y) * Q;
            double sum, u, v;
            sum_up(in, 1, &sum, &u, &v);
            for (int q = 0; q < Q; q++)
                g[at(n, x + CX[q], y + CY[q]) * Q + q] = collided(in[q], q, sum, u, v);
        }
}

static void push_fields(const double *f, double *g, long n)
{
    for (long x = 0; x < n; x++)
        for (long y = 0; y < n; y++) {
            const double *in = f + at(n, x, y);
            double sum, u, v;
            sum_up(in, n * n, &sum, &u, &v);
            for (int q = 0; q < Q; q++)
                g[q * n * n + at(n, x + CX[q], y + CY[q])] = collided(in[q * n * n], q, sum, u, v);
        }
}

void kernel(long way, double *f, double *g, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way == 0) push_stack(f, g, n);
        if (way == 1) push(f, g, n);
        if (way == 2) push_fields(f, g, n);
        double *h = f;
        f = g;
        g = h;
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *f = filled(Q * n * n), *g = filled(Q * n * n);
    kernel(way, f, g, n, argument(argc, argv, 3));
    printf("%g\n", f[3 * n] + g[4 * n]);
    return 0;
}
