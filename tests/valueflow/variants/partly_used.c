/* Elements with four nodes, in arrays that are allocated for more of both than there are: static (0) or on
 * the heap (1). ARGUMENTS: way, steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 32, NY = 16, CORNERS = 4, MOST_ELEMENTS = 700, MOST_NODES = 800 };
static double x[MOST_NODES], force[MOST_NODES], pressure[MOST_ELEMENTS];
static int corner[MOST_ELEMENTS][CORNERS];

static void step(double *at, double *f, double *p)
{
    for (int i = 0; i < (NX + 1) * (NY + 1); i++) f[i] = 0;
    for (int e = 0; e < NX * NY; e++) {
        double sum = 0;
        for (int k = 0; k < CORNERS; k++) sum += at[corner[e][k]];
        p[e] += 0.25 * sum;
        for (int k = 0; k < CORNERS; k++) f[corner[e][k]] += p[e];
    }
    for (int i = 0; i < (NX + 1) * (NY + 1); i++) at[i] += 0.1 * f[i];
}

void kernel(int times, double *at, double *f, double *p)
{
    for (int t = 0; t < times; t++) step(at, f, p);
}

int main(int argc, char **argv)
{
    int on_heap = argc > 1 ? atoi(argv[1]) : 0, times = argc > 2 ? atoi(argv[2]) : 3;
    double *all = malloc(sizeof x), *f = malloc(sizeof force), *p = calloc(MOST_ELEMENTS, sizeof *p), sum = 0;
    if (!all || !f || !p) return 1;
    for (int i = 0; i < (NX + 1) * (NY + 1); i++) all[i] = x[i] = i % (NX + 1) * 0.1 + i / (NX + 1);
    for (int e = 0; e < NX * NY; e++) {
        int first = e / NX * (NX + 1) + e % NX;
        int at[CORNERS] = {first, first + 1, first + NX + 2, first + NX + 1};
        memcpy(corner[e], at, sizeof at);
    }
    kernel(times, on_heap ? all : x, on_heap ? f : force, on_heap ? p : pressure);
    for (int i = 0; i < (NX + 1) * (NY + 1); i++) sum += x[i] + all[i];
    printf("%.10g\n", sum);
    free(all);
    free(f);
    free(p);
    return 0;
}
