/* All numbers are divided by their sum in every step, which stands in every word of another array. ARGUMENTS:
 * way, steps. Ways: 0 it is put there; 1 row by row; 2 it is added there; 3 it is taken from there. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { N = 400, ROW = 20 };
static double a[N], b[N];

static void spread(int way)
{
    double s = 0;
    for (int i = 0; i < N; i++) b[i] = 0;
    for (int i = 0; i < N; i++) s += a[i];
    if (way == 0)
        for (int i = 0; i < N; i++) b[i] = s;
    else if (way == 1)
        for (int j = 0; j < N; j += ROW)
            for (int i = 0; i < ROW; i++) b[j + i] = s;
    else if (way == 2)
        for (int i = 0; i < N; i++) b[i] += s;
    else
        for (int i = 0; i < N; i++) b[i] -= s;
}

static void step(int way)
{
    spread(way);
    for (int i = 0; i < N; i++) a[i] = a[i] / b[i] + 2;
}

/* Each is a call of its own, so that nothing but the loop that spreads uses the sum. */
static void step_put(void)
{
    step(0);
}
static void step_rows(void)
{
    step(1);
}
static void step_added(void)
{
    step(2);
}
static void step_taken(void)
{
    step(3);
}

int main(int argc, char **argv)
{
    static void (*const ways[])(void) = {step_put, step_rows, step_added, step_taken};
    if (argc != 3) return 2;
    for (int i = 0; i < N; i++) a[i] = 1 + i * 7 % 11;
    parcast_region_begin();
    for (int t = 0; t < atoi(argv[2]); t++) ways[atoi(argv[1])]();
    parcast_region_end();
    printf("%g\n", a[N / 2]);
    return 0;
}
