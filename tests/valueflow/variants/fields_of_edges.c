/* Cells of a plane of quadrangles that a list of edges joins: three fields of each, and what flows into it.
 * ARGUMENTS: way (0: nine fields one after the other in one block, of which three are not used; 1: an array
 * for each; 2: structures), rows, columns, steps. */
#include "../kernels/kernel.h"

enum { FIELDS = 3, ALL = 9 };

struct fields {
    double *at[ALL];
    long step; /* from a cell to the next */
};

static void flow(struct fields *f, const int *edges, long n_edges, long n_cells)
{
    double **q = f->at, **r = f->at + FIELDS;
    for (long c = 0; c < n_cells; c++)
        for (int k = 0; k < FIELDS; k++) r[k][c * f->step] = 0;
    for (long e = 0; e < n_edges; e++) {
        long a = edges[2 * e] * f->step, b = edges[2 * e + 1] * f->step;
        double left = q[0][a] * q[1][a], right = q[0][b] * q[1][b];
        double mass = 0.5 * (q[1][a] - q[1][b]) + left - right;
        double push = 0.5 * (left + right) + q[2][a] - q[2][b];
        double heat = left * q[2][a] - right * q[2][b];
        r[0][a] -= mass;
        r[0][b] += mass;
        r[1][a] -= push;
        r[1][b] += push;
        r[2][a] -= heat;
        r[2][b] += heat;
    }
    for (long c = 0; c < n_cells; c++)
        for (int k = 0; k < FIELDS; k++) q[k][c * f->step] += 0.1 * r[k][c * f->step];
}

void kernel(struct fields *f, const int *edges, long n_edges, long n_cells, long steps)
{
    for (long s = 0; s < steps; s++) flow(f, edges, n_edges, n_cells);
}

static long join(long n, long m, int *edges)
{
    long e = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            int own = (int)(i * m + j);
            if (j + 1 < m) edges[2 * e] = own, edges[2 * e++ + 1] = own + 1;
            if (i + 1 < n) edges[2 * e] = own, edges[2 * e++ + 1] = own + (int)m;
        }
    return e;
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3),
         cells = n * m;
    struct fields f = {.step = way == 2 ? ALL : 1};
    double *block = filled(ALL * cells);
    int *edges = malloc((size_t)cells * 4 * sizeof *edges);
    if (!edges) return 1;
    for (int k = 0; k < ALL; k++)
        f.at[k] = way == 0 ? block + k * cells : way == 1 ? filled(cells) : block + k;
    kernel(&f, edges, join(n, m, edges), cells, argument(argc, argv, 4));
    printf("%g\n", f.at[0][cells / 2]);
    return 0;
}
