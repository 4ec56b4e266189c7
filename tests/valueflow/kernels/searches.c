/* The first number above a limit, in a search that ends there, written in many ways; what was found goes back
 * to all numbers. ARGUMENTS: WAY N STEPS. */
#include "kernel.h"

#define EACH for (long i = 0; i < n; i++)
static const double limit = 0.99;

static __attribute__((noinline)) long returned(const double *x, long n)
{
    EACH if (x[i] > limit) return i;
    return -1;
}

static long left(const double *x, long n)
{
    long found = -1;
    EACH if (x[i] > limit)
    {
        found = i;
        break;
    }
    return found;
}

static long counted(const double *x, long n)
{
    long i = 0;
    while (i < n && x[i] < limit) i++;
    return i;
}

static long two_limits(const double *x, long n)
{
    long found = 0;
    EACH
    {
        if (x[i] > limit) {
            found = i;
            break;
        }
        if (x[i] < -limit) {
            found = -i;
            break;
        }
    }
    return found;
}

static long in_vain(const double *x, long n)
{
    long is_below = 1;
    EACH if (x[i] > 1e6)
    {
        is_below = 0;
        break;
    }
    return is_below;
}

static long (*const ways[])(const double *, long) = {returned, left, counted, two_limits, in_vain};

void kernel(double *x, long n, long steps, size_t way)
{
    for (long t = 0; t < steps; t++) {
        double found = (double)ways[way](x, n);
        EACH x[i] = 0.99 * x[i] + 1e-6 * found;
    }
}

int main(int argc, char **argv)
{
    size_t way = (size_t)argument(argc, argv, 1);
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    EACH x[i] *= 0.5;
    x[3 * n / 4] = 1.2;
    kernel(x, n, steps, way);
    printf("%g\n", x[n / 2]);
    return 0;
}
