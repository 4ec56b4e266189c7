/* Triangles between N x N nodes, a matrix of which is put together in each step, by what the nodes of each
 * have, and multiplied by these. ARGUMENTS: ignored, N, steps. */
#include "../kernels/kernel.h"
enum { NEAR = 7 };

struct mesh {
    long n, n_triangles;
    long (*node)[3], (*place)[3][3]; /* of each triangle; where its nine terms go */
    long *first, *column;            /* rows of the matrix */
};

static int is_near(long n, long a, long b)
{
    long i = b / n - a / n, j = b % n - a % n;
    return labs(i) <= 1 && labs(j) <= 1 && i * j <= 0;
}

static struct mesh make_mesh(long n)
{
    struct mesh m = {n, 0};
    m.node = malloc(2 * n * n * sizeof *m.node);
    m.place = malloc(2 * n * n * sizeof *m.place);
    m.first = calloc(n * n + 1, sizeof *m.first);
    m.column = malloc(NEAR * n * n * sizeof *m.column);
    for (long a = 0, k = 0; a < n * n; m.first[++a] = k)
        for (long b = 0; b < n * n; b++)
            if (is_near(n, a, b)) m.column[k++] = b;
    for (long a = 0; a < (n - 1) * n; a++) {
        if (a % n == n - 1) continue;
        const long both[2][3] = {{a, a + 1, a + n}, {a + n + 1, a + n, a + 1}};
        memcpy(m.node[m.n_triangles], both, sizeof both);
        m.n_triangles += 2;
    }
    for (long e = 0; e < m.n_triangles; e++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (long k = m.first[m.node[e][i]]; k < m.first[m.node[e][i] + 1]; k++)
                    if (m.column[k] == m.node[e][j]) m.place[e][i][j] = k;
    return m;
}

void kernel(const struct mesh *m, double *value, double *u, double *r, long steps)
{
    long nodes = m->n * m->n;
    for (long t = 0; t < steps; t++) {
        for (long k = 0; k < m->first[nodes]; k++) value[k] = 0;
        for (long e = 0; e < m->n_triangles; e++) {
            const long *n = m->node[e];
            double s = u[n[0]] * u[n[1]] + u[n[1]] * u[n[2]] + u[n[2]] * u[n[0]],
                   c = 1 / (1 + s * (1 + s * (2 + s)));
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) value[m->place[e][i][j]] += i == j ? 0.3 * c : -0.1 * c;
        }
        for (long a = 0; a < nodes; a++) {
            double sum = 0;
            for (long k = m->first[a]; k < m->first[a + 1]; k++) sum += value[k] * u[m->column[k]];
            r[a] = sum;
        }
        for (long a = 0; a < nodes; a++) u[a] -= 0.05 * r[a];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    struct mesh m = make_mesh(n);
    double *u = filled(n * n), *r = filled(n * n);
    kernel(&m, filled(m.first[n * n]), u, r, argument(argc, argv, 3));
    printf("%g\n", u[n + 1]);
    return 0;
}
