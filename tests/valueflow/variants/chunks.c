/* A line of cells between nodes whose sides are worked on chunk by chunk, in buffers that are allocated for
 * each of them and computed from one another: a way, cells, steps, and cells of a chunk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *node, *force;

/* What comes of both sides' weights, which are left out where they would get too large. */
__attribute__((noinline)) static void weigh(const double *area, const double *cosine, double *f, int n)
{
    double *weight = malloc((size_t)n * sizeof *weight);
    for (int s = 0; s < n; s++) {
        double sine = 1 - cosine[s] * cosine[s];
        weight[s] = sine < 1e-4 ? 0 : area[s] / sine;
    }
    for (int s = 0; s < n; s++) f[s] = weight[s] * area[s] + weight[s ^ 1] * cosine[s ^ 1];
    free(weight);
}

/* Viscous where it is compressed: every other side is not, the first of each chunk among them. */
__attribute__((noinline)) static void resist(const double *area, const double *cosine, double *f, int first,
                                             int n)
{
    double *viscosity = malloc((size_t)n * sizeof *viscosity), *edge = malloc((size_t)n * sizeof *edge);
    for (int s = 0; s < n; s++) viscosity[s] = cosine[s] > 0 ? 0 : area[s];
    for (int s = 0; s < n; s++) {
        int cell = first + s / 2;
        edge[s] = viscosity[s] * (node[cell + 1] - node[cell]) / area[s];
    }
    for (int s = 0; s < n; s++) f[s] += edge[s] + edge[s ^ 1];
    free(viscosity);
    free(edge);
}

__attribute__((noinline)) static void chunk(int first, int last, int is_viscous)
{
    int n = 2 * (last - first);
    double *area = malloc((size_t)n * sizeof *area), *cosine = malloc((size_t)n * sizeof *cosine);
    for (int s = 0; s < n; s++) {
        int here = first + s / 2 + s % 2, there = first + s / 2 + 1 - s % 2;
        area[s] = sqrt(node[here] * node[here] + node[here] * node[there]);
        cosine[s] = 0.3 * (node[there] - node[here]);
    }
    weigh(area, cosine, force + 2 * first, n);
    if (is_viscous) resist(area, cosine, force + 2 * first, first, n);
    free(area);
    free(cosine);
}

__attribute__((noinline)) void kernel(int cells, int at_once, int steps, int is_viscous)
{
    for (int t = 0; t < steps; t++) {
        for (int c = 0; c < cells; c += at_once)
            chunk(c, c + at_once < cells ? c + at_once : cells, is_viscous);
        for (int i = 1; i < cells; i++) node[i] += 1e-3 * (force[2 * i - 1] - force[2 * i]);
    }
}

int main(int argc, char **argv)
{
    static const int chunks[] = {1, 3, 7, 12}; /* fewer than eight show in nothing else */
    int which = argc > 1 ? atoi(argv[1]) : 0, cells = argc > 2 ? atoi(argv[2]) : 504;
    int steps = argc > 3 ? atoi(argv[3]) : 4, at_once = cells / chunks[which % 4];
    if (argc > 4) at_once = atoi(argv[4]);
    node = malloc(((size_t)cells + 1) * sizeof *node);
    force = calloc(2 * (size_t)cells, sizeof *force);
    for (int i = 0; i <= cells; i++) node[i] = 1 + 0.01 * i;
    kernel(cells, at_once, steps, which / 4);
    double sum = 0;
    for (int i = 0; i <= cells; i++) sum += node[i] * (i & 3);
    printf("%.17g\n", sum);
    return 0;
}
