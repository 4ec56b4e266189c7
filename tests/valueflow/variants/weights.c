/* Sums whose terms have something in common: a weight that is input, one of two factors, one in a least
 * value, a sum of two weights, the mean in a variance. Arguments: which, words, steps. */
#include "../kernels/kernel.h"

struct settings {
    double weight, other, result;
};

static double weighted(const struct settings *s, const double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += s->weight * x[i];
    return sum;
}

static double product(const struct settings *s, const double *x, const double *y, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += s->weight * x[i] * y[i];
    return sum;
}

static double least(const struct settings *s, const double *x, const double *y, long n)
{
    double result = 1e9;
    for (long i = 0; i < n; i++) {
        double d = x[i] * x[i] + s->weight * y[i] * y[i];
        if (d < result) result = d;
    }
    return result;
}

static double both(const struct settings *s, const double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += (s->weight + s->other) * x[i];
    return sum;
}

static double variance(const double *x, long n)
{
    double mean = 0, sum = 0;
    for (long i = 0; i < n; i++) mean += x[i];
    mean /= (double)n;
    for (long i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)n;
}

__attribute__((noinline)) void kernel(struct settings *s, double *x, double *y, long n, long steps,
                                      long which)
{
    for (long k = 0; k < steps; k++) {
        s->result = which == 0   ? weighted(s, x, n)
                    : which == 1 ? product(s, x, y, n)
                    : which == 2 ? least(s, x, y, n)
                    : which == 3 ? both(s, x, n)
                                 : variance(x, n);
        for (long i = 0; i < n; i++) {
            x[i] = 0.5 * x[i] + 1e-3 * s->result;
            y[i] += 0.1 * x[i];
        }
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *in = filled(2), *x = filled(n), *y = filled(n);
    struct settings s = {in[0], in[1], 0};
    kernel(&s, x, y, n, steps, which);
    printf("%.6f\n", s.result);
    free(in);
    free(x);
    free(y);
    return 0;
}
