/* Weights that learn from all samples that they put on the wrong side, in every step: 0 what such a sample
 * adds is behind the question, 1 is it times 1 or 0, 2 each sample is asked in a function, 3 another way
 * round, by who is on the right side. Arguments: which, samples, features, steps. */
#include "../kernels/kernel.h"

static double product(const double *w, const double *x, long m)
{
    double sum = 0;
    for (long j = 0; j < m; j++) sum += w[j] * x[j];
    return sum;
}

static void add(double *change, const double *x, double side, long m)
{
    for (long j = 0; j < m; j++) change[j] += side * x[j];
}

static int is_wrong(const double *w, const double *x, double side, long m)
{
    return product(w, x, m) * side <= 0;
}

static void learn(long which, const double *w, const double *x, double side, long m, double *change)
{
    double z = 0;
    for (long j = 0; j < m && which != 2; j++) z += w[j] * x[j];
    if (which == 0 && z * side <= 0) add(change, x, side, m);
    if (which == 1) add(change, x, z * side <= 0 ? side : 0, m);
    if (which == 2 && is_wrong(w, x, side, m)) add(change, x, side, m);
    if (which == 3) {
        if (z * side > 0) return;
        for (long j = 0; j < m; j++) change[j] += side * x[j];
    }
}

__attribute__((noinline)) static void kernel(long which, double *w, const double *x, const double *side,
                                             double *change, long n, long m, long steps)
{
    for (long t = 0; t < steps; t++) {
        memset(change, 0, (size_t)m * sizeof *change);
        for (long i = 0; i < n; i++) learn(which, w, x + i * m, side[i], m, change);
        for (long j = 0; j < m; j++) w[j] += 0.01 * change[j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    double *w = filled(m), *x = filled(n * m), *side = filled(n), sum = 0;
    for (long i = 0; i < n; i++) side[i] = side[i] < 0.5 ? -1 : 1;
    kernel(argument(argc, argv, 1), w, x, side, filled(m), n, m, argument(argc, argv, 4));
    for (long j = 0; j < m; j++) sum += w[j];
    printf("%.9g\n", sum);
    return 0;
}
