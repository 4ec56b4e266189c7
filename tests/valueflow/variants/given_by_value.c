/* The region is a function that is given a structure by value, more of it than fits into registers, from a
 * file of its own: a way (there is one), points, steps. */
#include <stdio.h>
#include <stdlib.h>

struct parameters {
    int first, n, every;
    float weight, rest;
    double shift;
    int unused[4];
};

__attribute__((noinline)) int kernel(const struct parameters p, double *to, const double *from)
{
    for (int i = p.first; i < p.n - 1; i += p.every)
        to[i] = p.weight * (from[i - 1] + from[i + 1]) + p.rest * from[i] + p.shift;
    return p.n;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 64, steps = argc > 3 ? atoi(argv[3]) : 4;
    int (*volatile called)(struct parameters, double *, const double *) = kernel;
    struct parameters p = {1, n, 1, 0.25F, 0.5F, 1e-3, {7, 7, 7, 7}};
    double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b), sum = 0;
    for (int i = 0; i < n; i++) a[i] = i % 7;
    for (int t = 0; t < steps; t++) {
        if (called(p, b, a) != n || p.unused[3] != 7) return 1;
        double *other = a;
        a = b;
        b = other;
    }
    for (int i = 0; i < n; i++) sum += a[i] * (i & 3);
    printf("%.17g\n", sum);
    return 0;
}
