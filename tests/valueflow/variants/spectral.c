/* Elements of a square with nodes of a higher order, which an index array tells: each value at a node comes
 * of the line and the column of it, by a matrix of derivatives, and what elements share is added up. 0 the
 * matrix is an input, 1 it is computed from indices. WAY ELEMENTS ORDER STEPS. */
#include "../kernels/kernel.h"

enum { MOST = 8 };

static double coefficient(long i, long j)
{
    return 1.0 + (double)i - 0.3 * (double)j;
}

static void derive(const double *restrict matrix, const double *restrict in, double *restrict out, long side)
{
    for (long a = 0; a < side; a++)
        for (long b = 0; b < side; b++) {
            double sum = 0;
            for (long c = 0; c < side; c++)
                sum += matrix[a * side + c] * in[c * side + b] + matrix[b * side + c] * in[a * side + c];
            out[a * side + b] = sum;
        }
}

static void derive_by_index(const double *restrict in, double *restrict out, long side)
{
    for (long a = 0; a < side; a++)
        for (long b = 0; b < side; b++) {
            double sum = 0;
            for (long c = 0; c < side; c++)
                sum += coefficient(a, c) * in[c * side + b] + coefficient(b, c) * in[a * side + c];
            out[a * side + b] = sum;
        }
}

__attribute__((noinline)) void kernel(const double *restrict matrix, const int *restrict nodes,
                                      double *restrict u, double *restrict f, long n_elements, long side,
                                      long n_nodes, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n_nodes; i++) f[i] = 0;
        for (long e = 0; e < n_elements; e++) {
            const int *node = nodes + e * side * side;
            double in[MOST * MOST], out[MOST * MOST];
            for (long k = 0; k < side * side; k++) in[k] = u[node[k]];
            if (matrix)
                derive(matrix, in, out, side);
            else
                derive_by_index(in, out, side);
            for (long k = 0; k < side * side; k++) f[node[k]] += out[k];
        }
        for (long i = 0; i < n_nodes; i++) u[i] += 0.01 * f[i];
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), side = argument(argc, argv, 3) + 1;
    long steps = argument(argc, argv, 4), line = n * (side - 1) + 1, points = side * side;
    double *u = filled(line * line), *f = filled(line * line), *matrix = filled(points);
    int *nodes = malloc((size_t)(n * n * points) * sizeof *nodes);
    if (!nodes || side > MOST) return 1;
    for (long e = 0; e < n * n; e++)
        for (long k = 0; k < points; k++)
            nodes[e * points + k] =
                (int)((e / n * (side - 1) + k / side) * line + e % n * (side - 1) + k % side);
    kernel(way ? NULL : matrix, nodes, u, f, n * n, side, line * line, steps);
    printf("%.15g\n", u[line * line / 2]);
    free(u);
    free(f);
    free(matrix);
    free(nodes);
    return 0;
}
