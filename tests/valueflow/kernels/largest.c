/* The largest of an array, found by its place, and all of them with it. */
#include "kernel.h"

struct pair {
    double key, other;
};

static double by_index(const double *x, long n)
{
    long b = 0;
    for (long i = 1; i < n; i++)
        if (x[i] > x[b]) b = i;
    return x[b];
}

static double by_pointer(const double *x, long n)
{
    const double *m = x;
    for (const double *p = x + 1; p < x + n; p++)
        if (*m < *p) m = p;
    return *m;
}

static double by_size(const double *x, int n, int *where)
{
    int b = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[b])) b = i;
    *where = b;
    return x[b];
}

static double of_structures(const struct pair *pairs, long n)
{
    long b = 0;
    for (long i = 1; i < n; i++)
        if (pairs[i].key > pairs[b].key) b = i;
    return pairs[b].key;
}

void kernel(long way, double *x, double *out, int *where, long n, long t)
{
    for (long k = 0; k < t; k++) {
        if (way == 0) out[k] = by_index(x, n);
        if (way == 1) out[k] = by_pointer(x, n);
        if (way == 2) out[k] = by_size(x, (int)n, where + k);
        if (way == 3) out[k] = of_structures((const struct pair *)x, n / 2);
        for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + out[k];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), way = argument(argc, argv, 3);
    double *x = filled(n), *out = calloc((size_t)t, sizeof *out);
    int *where = calloc((size_t)t, sizeof *where);
    if (!out || !where) return 1;
    kernel(way, x, out, where, n, t);
    printf("%g %g\n", x[n / 2], out[t - 1]);
    return 0;
}
