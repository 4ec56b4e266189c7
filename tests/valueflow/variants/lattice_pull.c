/* Nine populations of a periodic lattice that are pulled and collide: 0 one population after the other, 1 the
 * populations of a cell together, as structures; 2 as 0, with rings of copies around. WAY N STEPS. */
#include "../kernels/kernel.h"
enum { Q = 9 };
struct cell {
    double f[Q];
};
static const int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

static void collide(const double *in, double *out)
{
    double sum = 0, x = 0, y = 0;
    for (int q = 0; q < Q; q++) {
        sum += in[q];
        x += CX[q] * in[q];
        y += CY[q] * in[q];
    }
    for (int q = 0; q < Q; q++) out[q] = in[q] + 0.3 * (sum * (1 + CX[q] * x + CY[q] * y) / Q - in[q]);
}

static long at(long n, long x, long y)
{
    return (x + n) % n * n + (y + n) % n;
}

static void pull(const double *f, double *g, long n)
{
    for (long x = 0; x < n; x++)
        for (long y = 0; y < n; y++) {
            double in[Q], out[Q];
            for (int q = 0; q < Q; q++) in[q] = f[q * n * n + at(n, x - CX[q], y - CY[q])];
            collide(in, out);
            for (int q = 0; q < Q; q++) g[q * n * n + at(n, x, y)] = out[q];
        }
}

static void pull_cells(const struct cell *f, struct cell *g, long n)
{
    for (long x = 0; x < n; x++)
        for (long y = 0; y < n; y++) {
            struct cell in;
            for (int q = 0; q < Q; q++) in.f[q] = f[at(n, x - CX[q], y - CY[q])].f[q];
            collide(in.f, g[at(n, x, y)].f);
        }
}

static void pull_inside(double *f, double *g, long n)
{
    long m = n + 2;
    for (int q = 0; q < Q; q++) {
        double *p = f + q * m * m;
        for (long y = 1; y <= n; y++) {
            p[y] = p[n * m + y];
            p[(n + 1) * m + y] = p[m + y];
        }
        for (long x = 0; x < m; x++) {
            p[x * m] = p[x * m + n];
            p[x * m + n + 1] = p[x * m + 1];
        }
    }
    for (long x = 1; x <= n; x++)
        for (long y = 1; y <= n; y++) {
            double in[Q], out[Q];
            for (int q = 0; q < Q; q++) in[q] = f[(q * m + x - CX[q]) * m + y - CY[q]];
            collide(in, out);
            for (int q = 0; q < Q; q++) g[(q * m + x) * m + y] = out[q];
        }
}

void kernel(long way, double *f, double *g, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way == 0) pull(f, g, n);
        if (way == 1) pull_cells((struct cell *)f, (struct cell *)g, n);
        if (way == 2) pull_inside(f, g, n);
        double *h = f;
        f = g;
        g = h;
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = way == 2 ? n + 2 : n;
    double *f = filled(Q * m * m), *g = filled(Q * m * m);
    kernel(way, f, g, n, argument(argc, argv, 3));
    printf("%g\n", f[3 * n] + g[4 * n]);
    return 0;
}
