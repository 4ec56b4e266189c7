/* The region is a function of any number of arguments, among which are structures: one that is named, more of
 * it than fits into registers, and one behind it; what it returns is a structure, too (there is one way,
 * points, steps). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct parameters {
    int first, n, every;
    float weight, rest;
    double shift;
    int unused[4];
};

struct bounds {
    int first, last;
    double least, largest;
};

__attribute__((noinline)) struct bounds kernel(const struct parameters p, int n_arrays, ...)
{
    double *array[4];
    va_list arguments;

    va_start(arguments, n_arrays);
    for (int i = 0; i < n_arrays; i++) array[i] = va_arg(arguments, double *);
    struct bounds bounds = va_arg(arguments, struct bounds);
    va_end(arguments);
    double *to = array[n_arrays - 2];
    const double *from = array[n_arrays - 1];
    for (int i = p.first; i < p.n - 1; i += p.every)
        to[i] = p.weight * (from[i - 1] + from[i + 1]) + p.rest * from[i] + p.shift;
    bounds.first = p.n;
    return bounds;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 64, steps = argc > 3 ? atoi(argv[3]) : 4;
    struct bounds (*volatile called)(struct parameters, int, ...) = kernel;
    struct parameters p = {1, n, 1, 0.25F, 0.5F, 1e-3, {7, 7, 7, 7}};
    const struct bounds given = {1, 2, 3.0, 4.0};
    double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b), sum = 0;
    for (int i = 0; i < n; i++) a[i] = i % 7;
    for (int t = 0; t < steps; t++) {
        struct bounds got = called(p, 4, NULL, NULL, b, a, given);
        if (got.first != n || got.last != 2 || got.least != 3.0 || got.largest != 4.0) return 1;
        double *other = a;
        a = b;
        b = other;
    }
    for (int i = 0; i < n; i++) sum += a[i] * (i & 3);
    printf("%.17g\n", sum);
    return 0;
}
