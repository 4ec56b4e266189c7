/* Implicit sweeps along the rows, then the columns of an N x N plane, T times; each line is solved in a
 * workspace: what stands before a border goes across it once on the way there and once on the way back. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static void forth(double *c, double *d, const double *u, long n, long stride)
{
    c[0] = -0.25;
    d[0] = u[0];
    for (long i = 1; i < n; i++) {
        double m = 1 / (1.5 + 0.25 * c[i - 1]);
        c[i] = -0.25 * m;
        d[i] = (u[i * stride] + 0.25 * d[i - 1]) * m;
    }
}

static void back(const double *c, const double *d, double *u, long n, long stride)
{
    u[(n - 1) * stride] = d[n - 1];
    for (long i = n - 2; i >= 0; i--) u[i * stride] = d[i] - c[i] * u[(i + 1) * stride];
}

static void in_loop(double *u, long n)
{
    for (long i = 0; i < n; i++) {
        double c[n], d[n];
        forth(c, d, u + i * n, n, 1);
        back(c, d, u + i * n, n, 1);
    }
    for (long j = 0; j < n; j++) {
        double c[MOST], d[MOST];
        forth(c, d, u + j, n, n);
        back(c, d, u + j, n, n);
    }
}

static void in_these(double *c, double *d, double *u, long n)
{
    for (long i = 0; i < n; i++) {
        forth(c, d, u + i * n, n, 1);
        back(c, d, u + i * n, n, 1);
    }
    for (long j = 0; j < n; j++) {
        forth(c, d, u + j, n, n);
        back(c, d, u + j, n, n);
    }
}

static void on_stack(double *u, long n)
{
    double c[MOST], d[MOST];
    in_these(c, d, u, n);
}

/* One record a point. */
static void in_records(double *u, long n)
{
    struct {
        double c, d;
    } w[MOST];
    for (long line = 0; line < 2 * n; line++) {
        double *at = line < n ? u + line * n : u + line - n;
        long stride = line < n ? 1 : n;
        w[0].c = -0.25;
        w[0].d = at[0];
        for (long i = 1; i < n; i++) {
            double m = 1 / (1.5 + 0.25 * w[i - 1].c);
            w[i].c = -0.25 * m;
            w[i].d = (at[i * stride] + 0.25 * w[i - 1].d) * m;
        }
        at[(n - 1) * stride] = w[n - 1].d;
        for (long i = n - 2; i >= 0; i--) at[i * stride] = w[i].d - w[i].c * at[(i + 1) * stride];
    }
}

static double global_c[MOST], global_d[MOST];

/* Of coefficients that are input: both numbers of the workspace go across a border, and what comes back. */
static void with_input(double *c, double *d, double *u, const double *b, long n)
{
    for (long line = 0; line < 2 * n; line++) {
        long from = line < n ? line * n : line - n, stride = line < n ? 1 : n;
        c[0] = -0.25 / b[from];
        d[0] = u[from] / b[from];
        for (long i = 1; i < n; i++) {
            double m = 1 / (b[from + i * stride] + 0.25 * c[i - 1]);
            c[i] = -0.25 * m;
            d[i] = (u[from + i * stride] + 0.25 * d[i - 1]) * m;
        }
        back(c, d, u + from, n, stride);
    }
}

void kernel(int variant, double *u, const double *b, long n, long t)
{
    double c[n], d[n], *heap = malloc(2 * (size_t)n * sizeof *heap);
    for (long k = 0; k < t; k++) {
        if (variant == 0) in_these(c, d, u, n);
        if (variant == 1) in_loop(u, n);
        if (variant == 2) in_these(heap, heap + n, u, n);
        if (variant == 3) on_stack(u, n);
        if (variant == 4) in_these(global_c, global_d, u, n);
        if (variant == 5) in_records(u, n);
        if (variant == 6) with_input(heap, heap + n, u, b, n);
        if (variant == 7) with_input(c, d, u, b, n);
    }
    free(heap);
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 24, t = argc > 3 ? atol(argv[3]) : 4;
    double *u = malloc((size_t)(n * n) * sizeof *u), *b = malloc((size_t)(n * n) * sizeof *b);
    if (!u || !b || n > MOST) return 1;
    for (long i = 0; i < n * n; i++) {
        u[i] = (double)(i * 7919 % 13);
        b[i] = 1.5 + (double)(i % 3);
    }
    kernel(variant, u, b, n, t);
    printf("%.17g\n", u[n * n / 2]);
    free(u);
    free(b);
    return 0;
}
