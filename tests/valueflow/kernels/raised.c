/* What a sweep over all numbers has changed is noted in a variable that the next step reads: a flag that is
 * raised anywhere, and counts. ARGUMENTS: WAY N STEPS. */
#include <stdbool.h>

#include "kernel.h"

static int noted, counted;
static bool seen, steady;
int global;
struct state {
    int n, noted;
} state;

#define EACH  for (long i = 0; i < n; i++)
#define NEXT  0.9 * x[i] + 0.1
#define MOVED fabs(y - x[i]) > 0.02

static __attribute__((noinline)) int in_a_number(double *x, int *level, long n)
{
    noted = 0;
    EACH
    {
        double y = NEXT;
        int now = y > 0.5 ? 2 : 1;
        if (now != level[i]) noted = 1;
        level[i] = now;
        x[i] = y;
    }
    return noted;
}

static __attribute__((noinline)) bool in_a_truth(double *x, int *level, long n)
{
    seen = false;
    EACH
    {
        double y = NEXT;
        level[i] = 1;
        if (MOVED) seen = true;
        x[i] = fmax(y, 0);
    }
    return seen;
}

static __attribute__((noinline)) bool taken_back(double *x, int *level, long n)
{
    steady = true;
    EACH
    {
        double y = NEXT;
        level[i] = 1;
        if (MOVED) steady = false;
        x[i] = y;
    }
    return !steady;
}

static __attribute__((noinline)) int in_a_global(double *x, int *level, long n)
{
    global = 0;
    EACH
    {
        double y = NEXT;
        if (MOVED) global = 1;
        x[i] = y;
    }
    level[0] = 0;
    return global;
}

static __attribute__((noinline)) int in_a_structure(double *x, int *level, long n)
{
    state.noted = 0;
    EACH
    {
        double y = NEXT;
        if (MOVED) state.noted = 1;
        x[i] = y;
    }
    level[0] = 0;
    return state.noted;
}

static __attribute__((noinline)) void begin_anew(void)
{
    counted = noted = 0;
}

/* The optimiser keeps it in a register besides, in which it is used behind the loop. */
static __attribute__((noinline)) int counted_in_a_number(double *x, int *level, long n)
{
    begin_anew();
    counted = 0;
    EACH
    {
        double y = NEXT;
        if (MOVED) counted++;
        x[i] = y;
    }
    level[0] = 0;
    return counted;
}

static __attribute__((noinline)) int added_in_a_number(double *x, int *level, long n)
{
    counted = 0;
    EACH
    {
        double y = NEXT;
        if (MOVED) counted += (int)(100 * y);
        x[i] = y;
    }
    int all = counted;
    begin_anew();
    return all;
}

static __attribute__((noinline)) bool has_moved(double x, double y)
{
    return fabs(y - x) > 0.02;
}

static __attribute__((noinline)) void raise_global(double x, double y)
{
    if (fabs(y - x) > 0.02) global = 1;
}

static __attribute__((noinline)) void raise_there(int *there, double x, double y)
{
    if (fabs(y - x) > 0.02) *there = 1;
}

static __attribute__((noinline)) void tell_level(double x)
{
    if (x > 0.9)
        state.noted = 2;
    else if (x > 0.5)
        state.noted = 1;
}

static __attribute__((noinline)) int by_functions(double *x, long n, long way)
{
    int there = 0;
    global = state.noted = 0;
    EACH
    {
        double y = NEXT;
        if (way == 7) raise_global(x[i], y);
        if (way == 8) raise_there(&there, x[i], y);
        if (way == 9) tell_level(y);
        x[i] = y;
    }
    return global + there + state.noted;
}

static __attribute__((noinline)) int asked_of_a_function(double *x, long n)
{
    global = 0;
    EACH
    {
        double y = NEXT;
        if (has_moved(x[i], y)) global = 1;
        x[i] = y;
    }
    return global;
}

void kernel(double *x, int *level, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        double found = 0;
        if (way == 0) found = in_a_number(x, level, n);
        if (way == 1) found = in_a_truth(x, level, n);
        if (way == 2) found = taken_back(x, level, n);
        if (way == 3) found = in_a_global(x, level, n);
        if (way == 4) found = in_a_structure(x, level, n);
        if (way == 5) found = counted_in_a_number(x, level, n);
        if (way == 6) found = added_in_a_number(x, level, n);
        if (way >= 7 && way <= 9) found = by_functions(x, n, way);
        if (way == 10) found = asked_of_a_function(x, n);
        EACH x[i] += 0.1 * found / (double)(i + 1);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    int *level = calloc((size_t)n, sizeof *level);
    if (!level) return 1;
    kernel(x, level, n, steps, way);
    printf("%g %d %d\n", x[n / 2], level[n / 2], noted + counted + seen + steady);
    return 0;
}
