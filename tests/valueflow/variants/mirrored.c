/* The symmetric part of a square matrix, beside it: 0 in structures, 1 in place, for T steps. WAY N T. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    double a, part;
};

static void beside(struct pair *u, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) u[i * n + j].part = 0.5 * (u[i * n + j].a + u[j * n + i].a);
}

static void in_place(double *u, long n, long t)
{
    for (long s = 0; s < t; s++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < i; j++) {
                double x = u[i * n + j], y = u[j * n + i];
                u[i * n + j] = 0.75 * x + 0.25 * y;
                u[j * n + i] = 0.75 * y + 0.25 * x;
            }
}

void kernel(struct pair *u, double *v, long way, long n, long t)
{
    if (way == 0)
        beside(u, n);
    else
        in_place(v, n, t);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long way = atol(argv[1]), n = atol(argv[2]), t = atol(argv[3]);
    struct pair *u = calloc((size_t)(n * n), sizeof *u);
    double *v = malloc((size_t)(n * n) * sizeof *v);
    if (!u || !v) return 1;
    for (long i = 0; i < n * n; i++) u[i].a = v[i] = (double)(i * 7919 % 13);
    kernel(u, v, way, n, t);
    printf("%.17g\n", u[1].part + v[1]);
    free(u);
    free(v);
    return 0;
}
