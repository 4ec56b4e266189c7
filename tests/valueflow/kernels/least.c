/* The least of all numbers, kept in a word that a pointer leads to: which number it is compared with, and
 * what is added in its place, depends on a table. ARGUMENTS: WAY N STEPS. */
#include "kernel.h"

#define EACH     for (long i = 0; i < n; i++)
#define FUNCTION static __attribute__((noinline)) void

FUNCTION by_function(double *least, const double *x, const int *kind, long n)
{
    EACH
    {
        if (kind[i])
            *least = fmin(*least, x[i]);
        else
            *least = fmin(2 * x[i], *least);
    }
}

FUNCTION by_choice(double *least, const double *x, const int *kind, long n)
{
    EACH
    {
        if (kind[i])
            *least = x[i] < *least ? x[i] : *least;
        else
            *least = 2 * x[i] < *least ? 2 * x[i] : *least;
    }
}

FUNCTION in_three_ways(double *least, const double *x, const int *kind, long n)
{
    EACH
    {
        switch (kind[i]) {
        case 0:
            *least = fmin(*least, x[i]);
            break;
        case 1:
            *least = fmin(*least, 2 * x[i]);
            break;
        default:
            *least = fmin(*least, x[i] * x[i]);
        }
    }
}

FUNCTION added_and_taken(double *sum, const double *x, const int *kind, long n)
{
    EACH
    {
        if (kind[i])
            *sum += x[i];
        else
            *sum -= x[i] * x[i];
    }
}

void kernel(double *x, const int *kind, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        double found = way == 3 ? 0 : 10;
        if (way == 0) by_function(&found, x, kind, n);
        if (way == 1) by_choice(&found, x, kind, n);
        if (way == 2) in_three_ways(&found, x, kind, n);
        if (way == 3) added_and_taken(&found, x, kind, n);
        EACH x[i] = 0.9 * x[i] + 0.01 * found / (double)(i + 1);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    int *kind = calloc((size_t)n, sizeof *kind);
    if (!kind) return 1;
    for (long i = 0; i < n; i++) kind[i] = i % 3 == 0;
    kernel(x, kind, n, steps, way);
    printf("%g\n", x[n / 2]);
    return 0;
}
