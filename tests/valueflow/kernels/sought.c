/* The first number above a limit, near the end of all that are looked at: whether there is one, which, or
 * where it is, as functions tell it. What is found goes back to all numbers. ARGUMENTS: WAY N STEPS. */
#include <stdbool.h>

#include "kernel.h"

#define EACH  for (long i = 0; i < n; i++)
#define APART static __attribute__((noinline))
static const double limit = 0.995;

APART bool is_any(const double *x, long n)
{
    EACH if (x[i] > limit) return true;
    return false;
}

APART bool are_all(const double *x, long n)
{
    EACH if (x[i] > limit) return false;
    return true;
}

APART double value(const double *x, long n)
{
    double found = 0;
    EACH if (x[i] > limit)
    {
        found = x[i];
        break;
    }
    return found;
}

APART long in_a_variable(const double *x, long n)
{
    static long where;
    where = -1;
    EACH if (x[i] > limit)
    {
        where = i;
        break;
    }
    return where;
}

APART long downwards(const double *x, long n)
{
    while (n > 0) {
        if (x[n - 1] > limit) break;
        n--;
    }
    return n;
}

APART const double *place(const double *x, const double *end)
{
    for (; x < end; x++)
        if (*x > limit) return x;
    return NULL;
}

APART long from_there(const double *x, long n, long i)
{
    while (i < n && x[i] <= limit) ++i;
    return i;
}

static double find(const double *x, long n, long way)
{
    if (way == 0) return is_any(x, n);
    if (way == 1) return are_all(x, n);
    if (way == 2) return value(x, n);
    if (way == 3) return (double)in_a_variable(x, n);
    if (way == 4) return (double)downwards(x, n);
    if (way == 5) return (double)from_there(x, n, 0);
    const double *p = place(x, x + n);
    return p ? (double)(p - x) : -1;
}

void kernel(double *x, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        double found = find(x, n, way);
        EACH x[i] = 0.9999 * x[i] + 1e-9 * found;
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    EACH x[i] = fmin(x[i], 0.99);
    x[way == 4 ? n / 20 : n - n / 20] = 1;
    kernel(x, n, steps, way);
    printf("%g\n", x[n / 2]);
    return 0;
}
