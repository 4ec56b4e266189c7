/* Elements on a line copy where their corners are into an array of corners, larger than those of the nodes,
 * and compute stresses from four corners and weights in a workspace that is made anew in each step; nodes
 * move by these. ARGUMENTS: elements, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 8 };

static double *x, *v, *corners;

static void find_stresses(double *stress, int n)
{
    for (int e = 0; e < n; e++) {
        double part[CORNERS];
        for (int k = 0; k < CORNERS; k++) {
            corners[CORNERS * e + k] = x[e + k];
            part[k] = x[e + k] * x[e + (k + 1) % CORNERS] - v[e + k] * x[e + (k + 3) % CORNERS] +
                      v[e + (k + 2) % CORNERS];
        }
        for (int k = 0; k < CORNERS; k++) stress[e] += part[k] * corners[CORNERS * e + k];
    }
}

static void kernel(int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        double *stress = calloc((size_t)n, sizeof *stress);
        if (!stress) exit(1);
        find_stresses(stress, n);
        for (int e = 0; e < n; e++) v[e] += 1e-3 * stress[e];
        for (int i = 0; i < n + CORNERS; i++) x[i] += 1e-3 * v[i];
        free(stress);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int n = atoi(argv[1]), n_nodes = n + CORNERS;
    x = calloc((size_t)n_nodes, sizeof *x);
    v = calloc((size_t)n_nodes, sizeof *v);
    corners = calloc((size_t)n * CORNERS, sizeof *corners);
    if (!x || !v || !corners) return 1;
    for (int i = 0; i < n_nodes; i++) x[i] = i + 0.1 * (i % 7);
    kernel(n, atoi(argv[2]));
    printf("%.10g\n", x[n / 2]);
    return 0;
}
