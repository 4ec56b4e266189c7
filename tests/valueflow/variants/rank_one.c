/* a += x y^T, then new x and y, in every step. ARGUMENTS: way, points, steps. Ways: 0 rows are as long as
 * they were before; 1 as the region has computed and noted it in a structure; 2 in a variable; 3 a workspace
 * on the stack beside it; 4 of a few points, that goes into some. */
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    double *a;
    long n, ld;
};

static long noted;

__attribute__((noinline)) static void add(const struct matrix *m, const double *x, const double *y)
{
    for (long i = 0; i < m->n; i++)
        for (long j = 0; j < m->n; j++) m->a[i * m->ld + j] += x[i] * y[j];
}

__attribute__((noinline)) static void add_noted(const struct matrix *m, const double *x, const double *y)
{
    for (long i = 0; i < m->n; i++)
        for (long j = 0; j < m->n; j++) m->a[i * noted + j] += x[i] * y[j];
}

__attribute__((noinline)) static void smooth(double *x, long n)
{
    double w[8];
    for (int k = 0; k < 8; k++) {
        w[k] = 0;
        for (int i = 0; i < 6; i++) w[k] += k + i;
    }
    for (long i = 0; i < n; i++) x[i] = 0.9 * x[i] + 0.001 * w[i & 7];
}

__attribute__((noinline)) static void mix(double *x)
{
    double w[8];
    for (int k = 0; k < 8; k++) {
        w[k] = 0;
        for (int i = 0; i < 6; i++) w[k] += x[i] * (k + i);
    }
    for (int k = 0; k < 8; k++) x[k] += 1e-9 * w[k];
}

__attribute__((noinline)) void kernel(struct matrix *m, double *x, double *y, int way, int steps)
{
    if (way == 1) m->ld = (m->n + 7) / 8 * 8;
    if (way == 2) noted = (m->n + 7) / 8 * 8;
    for (int t = 0; t < steps; t++) {
        if (way == 4) mix(x);
        if (way == 2)
            add_noted(m, x, y);
        else
            add(m, x, y);
        if (way == 3) smooth(x, m->n);
        for (long i = 0; i < m->n; i++) {
            if (way != 3) x[i] = 0.9 * x[i] + 0.1;
            y[i] = 0.8 * y[i] + 0.1;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), steps = atoi(argv[3]);
    long n = atoi(argv[2]);
    struct matrix *m = malloc(sizeof *m);
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    if (!m || !x || !y) return 1;
    *m = (struct matrix){malloc((size_t)(n * n) * sizeof *m->a), n, n};
    if (!m->a) return 1;
    for (long i = 0; i < n; i++) x[i] = (double)(i % 7), y[i] = (double)(i % 5);
    for (long i = 0; i < n * n; i++) m->a[i] = (double)i;
    kernel(m, x, y, way, steps);
    printf("%g\n", m->a[n + 1] + x[0] + y[0]);
    return 0;
}
