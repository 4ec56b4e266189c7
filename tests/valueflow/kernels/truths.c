/* Whether any number is above a limit, none is in fact, written in many ways; what was found goes back to all
 * numbers. ARGUMENTS: WAY N STEPS. */
#include <stdbool.h>

#include "kernel.h"

#define EACH  for (long i = 0; i < n; i++)
#define ABOVE (x[i] > limit)
static const double limit = 1e6;

static bool any_before(const double *x, long n)
{
    bool any = false;
    EACH any = any || ABOVE;
    return any;
}

static bool any_behind(const double *x, long n)
{
    bool any = false;
    EACH any = ABOVE || any;
    return any;
}

static bool any_number(const double *x, long n)
{
    int any = 0;
    EACH any = any || ABOVE;
    return any;
}

static bool not_all(const double *x, long n)
{
    bool all = true;
    EACH all = all && x[i] < limit;
    return !all;
}

static bool not_all_behind(const double *x, long n)
{
    bool all = true;
    EACH all = x[i] < limit && all;
    return !all;
}

static bool any_of_two(const double *x, long n)
{
    bool any = false;
    for (long i = 0; i + 1 < n; i += 2) any = any || (x[i] > -limit && x[i + 1] > limit);
    return any;
}

static bool by_rows(const double *x, long n)
{
    bool any = false;
    for (long row = 0; row < n; row += 10)
        for (long i = row; i < row + 10; i++) any = any || ABOVE;
    return any;
}

static bool by_bits(const double *x, long n)
{
    bool any = false;
    EACH any |= ABOVE;
    return any;
}

static bool by_branches(const double *x, long n)
{
    bool any = false;
    EACH if (ABOVE) any = true;
    return any;
}

static void put_before(bool *any, const double *x, long n)
{
    *any = false;
    EACH *any = *any || ABOVE;
}

static void put_behind(bool *any, const double *x, long n)
{
    *any = false;
    EACH *any = ABOVE || *any;
}

static bool (*const asks[])(const double *, long) = {
    any_before, any_behind, any_number, not_all, not_all_behind, any_of_two, by_rows, by_bits, by_branches,
};
static void (*const puts_it[])(bool *, const double *, long) = {put_before, put_behind};

void kernel(bool *found, double *x, long n, long steps, size_t way)
{
    size_t n_asks = sizeof asks / sizeof *asks;
    for (long t = 0; t < steps; t++) {
        if (way < n_asks)
            *found = asks[way](x, n);
        else
            puts_it[way - n_asks](found, x, n);
        EACH x[i] = 0.9 * x[i] + 0.1 * *found;
    }
}

int main(int argc, char **argv)
{
    size_t way = (size_t)argument(argc, argv, 1);
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    bool *found = malloc(sizeof *found);
    if (!found) return 1;
    kernel(found, x, n, steps, way);
    printf("%g %d\n", x[n / 2], *found);
    return 0;
}
