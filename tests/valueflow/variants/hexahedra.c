/* N^3 hexahedra between (N + 1)^3 nodes, which pressures push along the derivatives of their volumes; these
 * are kept for all corners. ARGUMENTS: way, N, steps. Ways: 0 volumes are computed from the derivatives; 1
 * from the nodes, and what would fold a hexahedron meets forces, so that derivatives are only factors of
 * these; 2 pressures push along the diagonals, and nothing tells which derivatives are a cell's, but most
 * work lies with these and with the cells. */
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 8, DIMENSIONS = 3, POINTS = 64 };

struct mesh {
    int way;
    long n, n_nodes, n_cells;
    double *x[DIMENSIONS], *u[DIMENSIONS], *f[DIMENSIONS]; /* nodes: place, speed, force */
    double *b[DIMENSIONS];                                 /* corners: derivatives of volumes */
    double *e, *p, *q, *s;                                 /* cells: energy, pressure, viscosity, volume */
};

static void find_nodes(long n, long cell, long node[CORNERS])
{
    long side = n + 1, first = (cell / (n * n) * side + cell / n % n) * side + cell % n;
    for (int k = 0; k < CORNERS; k++)
        node[k] = first + (k >> 2) * side * side + (k >> 1 & 1) * side + (k & 1);
}

static double sign_of(int corner)
{
    return (corner ^ corner >> 1 ^ corner >> 2) & 1 ? -1 : 1;
}

/* What takes long: a number of one, with operations for each of many points. */
static double integral(double x)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) sum += x / (x + i);
    return sum / POINTS;
}

static void derive(const struct mesh *m)
{
    for (long c = 0; c < m->n_cells; c++) {
        long node[CORNERS];
        find_nodes(m->n, c, node);
        for (int k = 0; k < CORNERS; k++) {
            long i = node[k ^ 1], j = node[k ^ 2], l = node[k ^ 4];
            for (int d = 0; d < DIMENSIONS; d++) {
                const double *y = m->x[(d + 1) % DIMENSIONS], *z = m->x[(d + 2) % DIMENSIONS];
                double twice =
                    y[i] * z[j] - y[j] * z[i] + y[j] * z[l] - y[l] * z[j] + y[l] * z[i] - y[i] * z[l];
                if (m->way == 2) twice += 0.001 * integral(twice);
                m->b[d][c * CORNERS + k] = -sign_of(k) * twice / 12;
            }
        }
    }
}

static void push(const struct mesh *m)
{
    for (long c = 0; c < m->n_cells; c++) {
        long node[CORNERS];
        find_nodes(m->n, c, node);
        double p = m->p[c] + m->q[c];
        for (int d = 0; d < DIMENSIONS; d++)
            for (int k = 0; k < CORNERS; k++)
                m->f[d][node[k]] += p * (m->way == 2 ? sign_of(k) : m->b[d][c * CORNERS + k]);
    }
}

static void stiffen(const struct mesh *m)
{
    for (long c = 0; c < m->n_cells; c++) {
        long node[CORNERS];
        double along[DIMENSIONS] = {0}, speed[DIMENSIONS] = {0}, mode[CORNERS];
        find_nodes(m->n, c, node);
        for (int d = 0; d < DIMENSIONS; d++)
            for (int k = 0; k < CORNERS; k++) along[d] += sign_of(k) * m->x[d][node[k]];
        for (int k = 0; k < CORNERS; k++) {
            mode[k] = sign_of(k);
            for (int d = 0; d < DIMENSIONS; d++)
                mode[k] -= m->b[d][c * CORNERS + k] * along[d] / (m->way == 2 ? 1 : m->s[c]);
            for (int d = 0; d < DIMENSIONS; d++) speed[d] += mode[k] * m->u[d][node[k]];
        }
        for (int d = 0; d < DIMENSIONS; d++)
            for (int k = 0; k < CORNERS; k++) m->f[d][node[k]] -= 0.01 * mode[k] * speed[d];
    }
}

static void move(const struct mesh *m)
{
    for (int d = 0; d < DIMENSIONS; d++)
        for (long k = 0; k < m->n_nodes; k++) {
            m->u[d][k] += 0.001 * m->f[d][k];
            m->x[d][k] += 0.001 * m->u[d][k];
            m->f[d][k] = 0;
        }
}

static double volume(const struct mesh *m, long cell)
{
    long node[CORNERS];
    double s = 0;
    find_nodes(m->n, cell, node);
    for (int k = 0; k < CORNERS; k++)
        s += m->way ? m->x[0][node[k]] * m->x[1][node[k ^ 1]] * m->x[2][node[k ^ 2]]
                    : m->x[0][node[k]] * m->b[0][cell * CORNERS + k];
    return s;
}

static void update(const struct mesh *m)
{
    for (long c = 0; c < m->n_cells; c++) {
        double s = volume(m, c), change = s - m->s[c];
        m->e[c] -= m->p[c] * change;
        m->q[c] = 0.1 * change * change;
        m->s[c] = s;
        m->p[c] = 0.4 * m->e[c] / s;
        if (m->way == 2)
            for (int i = 0; i < POINTS; i++) m->p[c] += 0.01 * integral(m->e[c] / s);
    }
}

void kernel(const struct mesh *m, int steps)
{
    for (int t = 0; t < steps; t++) {
        derive(m);
        push(m);
        if (m->way) stiffen(m);
        move(m);
        update(m);
    }
}

static double *make(long n)
{
    double *words = calloc((size_t)n, sizeof *words);
    if (!words) exit(1);
    return words;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]), side = n + 1;
    struct mesh m = {.way = atoi(argv[1]), .n = n, .n_nodes = side * side * side, .n_cells = n * n * n};
    for (int d = 0; d < DIMENSIONS; d++) {
        m.x[d] = make(m.n_nodes);
        m.u[d] = make(m.n_nodes);
        m.f[d] = make(m.n_nodes);
        m.b[d] = make(CORNERS * m.n_cells);
    }
    m.e = make(m.n_cells);
    m.p = make(m.n_cells);
    m.q = make(m.n_cells);
    m.s = make(m.n_cells);
    for (long k = 0; k < m.n_nodes; k++) {
        m.x[0][k] = (double)(k % side);
        m.x[1][k] = (double)(k / side % side);
        m.x[2][k] = (double)(k / (side * side));
    }
    for (long c = 0; c < m.n_cells; c++) m.s[c] = m.e[c] = 1 + (double)(c % 7) / 7;
    kernel(&m, atoi(argv[3]));
    printf("%.9g\n", m.x[0][n + 2] + m.p[0]);
    return 0;
}
