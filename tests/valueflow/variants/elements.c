/* N^3 elements between (N + 1)^3 nodes, which meet at these only: forces from a corner array on the stack,
 * then the nodes move, then each element looks at its own. ARGUMENTS: ignored, N, steps. */
#include <stdio.h>
#include <stdlib.h>

static void add_forces(const double *x, const double *p, double *f, int (*nodes)[8], int n_elements)
{
    for (int e = 0; e < n_elements; e++) {
        double at[8], force[8];
        for (int k = 0; k < 8; k++) at[k] = x[nodes[e][k]];
        for (int k = 0; k < 8; k++)
            force[k] = (at[k] - at[(k + 1) & 7]) * (at[(k + 3) & 7] - at[(k + 4) & 7]) +
                       at[(k + 5) & 7] * at[(k + 6) & 7];
        for (int k = 0; k < 8; k++) f[nodes[e][k]] += p[e] * force[k];
    }
}

void kernel(double *x, double *p, double *f, int (*nodes)[8], int n_elements, int n_nodes, int steps)
{
    for (int t = 0; t < steps; t++) {
        add_forces(x, p, f, nodes, n_elements);
        for (int i = 0; i < n_nodes; i++) {
            x[i] += 1e-3 * f[i];
            f[i] = 0;
        }
        for (int e = 0; e < n_elements; e++) {
            const int *m = nodes[e];
            double v = x[m[0]] * x[m[6]] * (x[m[1]] - x[m[7]]) * (x[m[2]] - x[m[4]]) * (x[m[3]] - x[m[5]]);
            p[e] = 0.9 * p[e] + 0.01 * v * v;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]), m = n + 1, n_elements = n * n * n, n_nodes = m * m * m;
    double *x = malloc((size_t)n_nodes * sizeof *x), *f = calloc((size_t)n_nodes, sizeof *f),
           *p = malloc((size_t)n_elements * sizeof *p);
    int(*nodes)[8] = malloc((size_t)n_elements * sizeof *nodes);
    const int step[8] = {0, 1, m + 1, m, m * m, m * m + 1, m * m + m + 1, m * m + m};
    if (!x || !f || !p || !nodes) return 1;
    for (int i = 0; i < n_nodes; i++) x[i] = i % 7 * 0.1;
    for (int e = 0; e < n_elements; e++) {
        p[e] = 1 + e % 3;
        for (int k = 0; k < 8; k++) nodes[e][k] = (e / n / n * m + e / n % n) * m + e % n + step[k];
    }
    kernel(x, p, f, nodes, n_elements, n_nodes, atoi(argv[3]));
    printf("%.9g\n", x[n_nodes / 2] + p[n_elements / 2]);
    return 0;
}
