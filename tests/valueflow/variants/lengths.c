/* A vector is divided by its length, the hypot of all its words: in a register (0), in memory (1), of floats
 * that are copied (2). WAY N STEPS. */
#include "../kernels/kernel.h"

static double length;

static void in_a_register(double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum = hypot(sum, x[i]);
    for (long i = 0; i < n; i++) x[i] /= sum;
}

static void in_memory(double *x, long n)
{
    length = 0;
    for (long i = 0; i < n; i++) length = hypot(x[i], length);
    for (long i = 0; i < n; i++) x[i] /= length;
}

static void of_floats(double *x, float *y, long n)
{
    float sum = 0;
    for (long i = 0; i < n; i++) y[i] = (float)x[i];
    for (long i = 0; i < n; i++) sum = hypotf(sum, y[i]);
    for (long i = 0; i < n; i++) x[i] /= sum;
}

void kernel(long way, double *x, float *y, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        if (way == 0) in_a_register(x, n);
        if (way == 1) in_memory(x, n);
        if (way == 2) of_floats(x, y, n);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    double *x = filled(n);
    float *y = calloc((size_t)n, sizeof *y);
    if (!y) return 1;
    kernel(argument(argc, argv, 1), x, y, n, argument(argc, argv, 3));
    printf("%g\n", x[n / 2]);
    return 0;
}
