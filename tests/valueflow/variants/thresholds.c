/* A line of cells in REGIONS regions, whose cells lie anywhere: what is below a threshold is taken as 0, each
 * region after the other, in
 *     0  a register     1  an array of each region's own     2  one array that all of them use */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REGIONS = 12, MOST = 1 << 13 };
static int n, list[REGIONS][MOST], count[REGIONS];
static double *e, *next, *kept, *weight; /* one cell is above */

static double above(double x)
{
    return fabs(x) < 1e3 ? 0 : log(fabs(x)); /* which is a call: no store comes of both */
}

static double moved(int cell, double more)
{
    return 0.5 * (e[cell - 1] + e[cell + 1]) + 0.25 * more;
}

static void in_register(const int *cells, int m)
{
    for (int k = 0; k < m; k++) next[cells[k]] = moved(cells[k], above(weight[cells[k]] * e[cells[k]]));
}

static void in_array(double *p, const int *cells, int m)
{
    for (int k = 0; k < m; k++) p[k] = above(weight[cells[k]] * e[cells[k]]);
    for (int k = 0; k < m; k++) next[cells[k]] = moved(cells[k], p[k]);
}

static void in_own_array(const int *cells, int m)
{
    double *p = malloc((size_t)m * sizeof *p);
    in_array(p, cells, m);
    free(p);
}

int main(int argc, char **argv)
{
    int way = argc > 3 ? atoi(argv[1]) : 0, steps = argc > 3 ? atoi(argv[3]) : 0;
    n = argc > 3 ? atoi(argv[2]) : 0;
    if (n < 1 || n > MOST) return 2;
    e = calloc((size_t)n + 2, sizeof *e);
    next = calloc((size_t)n + 2, sizeof *next);
    kept = calloc((size_t)n / REGIONS + 1, sizeof *kept);
    weight = calloc((size_t)n + 2, sizeof *weight);
    for (int i = 1; i <= n; i++) {
        int region = i * 7 % REGIONS;
        list[region][count[region]++] = i;
        e[i] = sin(i);
        weight[i] = i == n / 2 ? 1e9 : 3;
    }
    for (int t = 0; t < steps; t++) {
        for (int r = 0; r < REGIONS; r++) {
            if (way == 0) in_register(list[r], count[r]);
            if (way == 1) in_own_array(list[r], count[r]);
            if (way == 2) in_array(kept, list[r], count[r]);
        }
        double *old = e;
        e = next;
        next = old;
    }
    printf("%g\n", e[n / 2]);
}
