/* A program whose functions, types and variables have names that begin like those of the tool: three points
 * are smoothed with a factor in memory. ARGUMENTS: way (0: calls, 1: by a pointer to the function), points,
 * steps. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

typedef struct {
    double *v;
    int n;
} parcast_line;

double parcast_factor = 0.25; /* a variable: every part has to be told */

__attribute__((noinline)) void parcast_smooth(const parcast_line *from, const parcast_line *to)
{
    for (int i = 1; i < from->n - 1; i++)
        to->v[i] = parcast_factor * (from->v[i - 1] + 2 * from->v[i] + from->v[i + 1]);
}

static void (*const parcast_ways[])(const parcast_line *, const parcast_line *) = {parcast_smooth};

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]);
    parcast_line a = {calloc((size_t)n, sizeof(double)), n}, b = {calloc((size_t)n, sizeof(double)), n};
    if (!a.v || !b.v) return 1;
    for (int i = 0; i < n; i++) a.v[i] = b.v[i] = i % 7;
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        if (way)
            parcast_ways[way - 1](&a, &b);
        else
            parcast_smooth(&a, &b);
        parcast_line other = a;
        a = b;
        b = other;
    }
    parcast_region_end();
    printf("%g\n", a.v[n / 2]);
    free(a.v);
    free(b.v);
    return 0;
}
