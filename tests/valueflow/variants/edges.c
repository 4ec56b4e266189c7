/* Edges of an unstructured mesh, n x n points numbered row by row: what flows along an edge is added to the
 * point at one end and taken from that at the other. It is no sum of what comes of either end, so each end
 * has to know the other: a border between rows costs 2 n words in each step. WAY 0: edge by edge; what flows
 * along 8 edges, or all of them, in an array on the stack: 1, 2; along 8 in one on the heap: 3; along each of
 * the edges of a point, which both ends compute: 4; in a matrix of an element on the stack, for its two
 * rows: 5. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { TILE = 8, MOST = 2048 };

static int n_points, n_edges, *from, *to;
static double *x, *r;

static double flow(double a, double b)
{
    return 0.05 * (a * a + b * b) / (1 + fabs(a - b)) - 0.1 * a * b;
}

static void by_edges(void)
{
    for (int e = 0; e < n_edges; e++) {
        double f = flow(x[from[e]], x[to[e]]);
        r[from[e]] += f;
        r[to[e]] -= f;
    }
}

static void scatter(const double *f, int first, int n)
{
    for (int k = 0; k < n; k++) {
        r[from[first + k]] += f[k];
        r[to[first + k]] -= f[k];
    }
}

static void by_tiles(void)
{
    for (int e = 0; e < n_edges; e += TILE) {
        int n = n_edges - e < TILE ? n_edges - e : TILE;
        double a[TILE], b[TILE], f[TILE];
        for (int k = 0; k < n; k++) {
            a[k] = x[from[e + k]];
            b[k] = x[to[e + k]];
        }
        for (int k = 0; k < n; k++) f[k] = flow(a[k], b[k]);
        scatter(f, e, n);
    }
}

static void all_on_the_stack(void)
{
    double f[MOST];
    for (int e = 0; e < n_edges; e++) f[e] = flow(x[from[e]], x[to[e]]);
    scatter(f, 0, n_edges);
}

static void by_tiles_on_the_heap(void)
{
    double *f = malloc(TILE * sizeof *f);
    for (int e = 0; e < n_edges; e += TILE) {
        int n = n_edges - e < TILE ? n_edges - e : TILE;
        for (int k = 0; k < n; k++) f[k] = flow(x[from[e + k]], x[to[e + k]]);
        scatter(f, e, n);
    }
    free(f);
}

static void by_points(void)
{
    for (int i = 0; i < n_points; i++) {
        double sum = 0;
        for (int e = 0; e < n_edges; e++) {
            if (from[e] == i) sum += flow(x[i], x[to[e]]);
            if (to[e] == i) sum -= flow(x[from[e]], x[i]);
        }
        r[i] = sum;
    }
}

static void by_elements(void)
{
    for (int e = 0; e < n_edges; e++) {
        double element[2][1], a = x[from[e]], b = x[to[e]];
        for (int k = 0; k < 2; k++) element[k][0] = (k ? -1 : 1) * flow(a, b);
        for (int k = 0; k < 2; k++) r[k ? to[e] : from[e]] += element[k][0];
    }
}

static void step(int way)
{
    static void (*const ways[])(void) = {by_edges,  by_tiles,   all_on_the_stack, by_tiles_on_the_heap,
                                         by_points, by_elements};
    for (int i = 0; i < n_points; i++) r[i] = 0;
    ways[way]();
    for (int i = 0; i < n_points; i++) x[i] += 0.3 * r[i];
}

static void make_mesh(int n)
{
    n_points = n * n;
    from = malloc(sizeof *from * 2 * n_points);
    to = malloc(sizeof *to * 2 * n_points);
    for (int i = 0; i < n_points; i++) {
        if (i % n < n - 1) from[n_edges] = i, to[n_edges++] = i + 1;
        if (i / n < n - 1) from[n_edges] = i, to[n_edges++] = i + n;
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), n_steps = atoi(argv[3]);
    make_mesh(n);
    x = malloc(sizeof *x * n_points);
    r = malloc(sizeof *r * n_points);
    for (int i = 0; i < n_points; i++) x[i] = 0.2 + i * 5 % 13 * 0.03;
    parcast_region_begin();
    for (int t = 0; t < n_steps; t++) step(way);
    parcast_region_end();
    double sum = 0;
    for (int i = 0; i < n_points; i++) sum += x[i] * (1 + i % 3);
    printf("%.6g\n", sum);
    return 0;
}
