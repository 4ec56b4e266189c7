/* N x N elements between (N + 1)^2 nodes: forces of elements on nodes from where these are, nodes that move,
 * areas of elements. WAY: areas at the end of a step (0), so that where nodes are at first is read for forces
 * alone, or at its beginning (1). ARGUMENTS: way, N, steps. */
#include <stdio.h>
#include <stdlib.h>

static double *x, *f, *p, *area;
static int (*nodes)[4];

static void add_forces(int n_elements)
{
    for (int e = 0; e < n_elements; e++)
        for (int k = 0; k < 4; k++)
            f[nodes[e][k]] += p[e] * (x[nodes[e][(k + 1) & 3]] - x[nodes[e][(k + 3) & 3]]);
}

static void move(int n_nodes)
{
    for (int i = 0; i < n_nodes; i++) {
        x[i] += 1e-3 * f[i];
        f[i] = 0;
    }
}

static void find_areas(int n_elements)
{
    for (int e = 0; e < n_elements; e++) {
        const int *m = nodes[e];
        area[e] = (x[m[0]] - x[m[2]]) * (x[m[1]] - x[m[3]]);
    }
    for (int e = 0; e < n_elements; e++)
        for (int k = 0; k < 20; k++) p[e] = 0.5 * p[e] + 0.01 * area[e] * area[e];
}

void kernel(int way, int n_elements, int n_nodes, int steps)
{
    for (int t = 0; t < steps; t++) {
        if (way == 1) find_areas(n_elements);
        add_forces(n_elements);
        move(n_nodes);
        if (way == 0) find_areas(n_elements);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]), m = n + 1, n_elements = n * n, n_nodes = m * m;
    x = malloc((size_t)n_nodes * sizeof *x);
    f = calloc((size_t)n_nodes, sizeof *f);
    p = malloc((size_t)n_elements * sizeof *p);
    area = malloc((size_t)n_elements * sizeof *area);
    nodes = malloc((size_t)n_elements * sizeof *nodes);
    if (!x || !f || !p || !area || !nodes) return 1;
    for (int i = 0; i < n_nodes; i++) x[i] = i % 7 * 0.1;
    for (int e = 0; e < n_elements; e++) {
        int first = e / n * m + e % n;
        p[e] = 1 + e % 3;
        area[e] = 1;
        nodes[e][0] = first;
        nodes[e][1] = first + 1;
        nodes[e][2] = first + m + 1;
        nodes[e][3] = first + m;
    }
    kernel(atoi(argv[1]), n_elements, n_nodes, atoi(argv[3]));
    printf("%.10g\n", x[n_nodes / 2] + p[n_elements / 2]);
    return 0;
}
