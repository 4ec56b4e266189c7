/* Calls that must be jumps: of what computes a value, and of what allocates one. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

static double total;

__attribute__((noinline)) static double add(double x)
{
    total += x;
    return total * 2;
}

__attribute__((noinline)) double add_more(double x)
{
    total += 1;
    __attribute__((musttail)) return add(x);
}

__attribute__((noinline)) static double *vector(int n)
{
    return calloc((size_t)n, sizeof(double));
}

__attribute__((noinline)) double *make_vector(int n)
{
    __attribute__((musttail)) return vector(n);
}

int main(void)
{
    parcast_region_begin();
    double *x = make_vector(4);
    for (int i = 0; i < 3; i++) x[i + 1] = x[i] + 1;
    x[0] = add_more(x[3] + 2);
    parcast_region_end();
    printf("%g %g\n", x[0], x[3]);
    free(x);
    return 0;
}
