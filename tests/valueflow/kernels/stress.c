/* A mesh of n x n elements whose forces are a stress, in an array of the elements, times the sum of the sides
 * at a corner, which is added up in a workspace: a part sends one partial sum for a node that it shares. */
#include "kernel.h"

struct mesh {
    double *x, *y, *fx, *fy; /* nodes */
    double *area, *stress;   /* elements */
    long (*nodes)[4];
    long n;
};

static void add_sides(const struct mesh *m, const long *c, double *px, double *py)
{
    for (int i = 0; i < 4; i++) px[i] = py[i] = 0;
    for (int i = 0; i < 4; i++) {
        int j = (i + 1) & 3;
        double sx = 0.5 * (m->y[c[j]] - m->y[c[i]]) * m->x[c[i]],
               sy = 0.5 * (m->x[c[i]] - m->x[c[j]]) * m->y[c[j]];
        px[i] += sx;
        py[i] += sy;
        px[j] += sx;
        py[j] += sy;
    }
}

static void push(struct mesh *m, long k)
{
    const long *c = m->nodes[k];
    double px[4], py[4], stress = m->stress[k];
    add_sides(m, c, px, py);
    for (int i = 0; i < 4; i++) {
        m->fx[c[i]] += stress * px[i];
        m->fy[c[i]] += stress * py[i];
    }
}

static void move_nodes(struct mesh *m)
{
    long n = (m->n + 1) * (m->n + 1);
    for (long i = 0; i < n; i++) {
        m->x[i] += 1e-3 * m->fx[i];
        m->y[i] += 1e-3 * m->fy[i];
    }
}

static void look(struct mesh *m, long k)
{
    const long *c = m->nodes[k];
    double area = 0;
    for (int i = 0; i < 4; i++) {
        long a = c[i], b = c[(i + 1) & 3];
        area += m->x[a] * m->y[b] - m->x[b] * m->y[a];
    }
    m->area[k] = area;
}

void kernel(struct mesh *m, long steps)
{
    long n = m->n * m->n, w = (m->n + 1) * (m->n + 1);
    for (long s = 0; s < steps; s++) {
        for (long i = 0; i < w; i++) m->fx[i] = m->fy[i] = 0;
        for (long k = 0; k < n; k++) m->stress[k] = 0.6 * m->area[k] * m->area[k] - 0.1;
        for (long k = 0; k < n; k++) push(m, k);
        move_nodes(m);
        for (long k = 0; k < n; k++) look(m, k);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), w = n + 1, e = n * n;
    struct mesh m = {.n = n, .nodes = malloc((size_t)e * sizeof *m.nodes)};
    double **nodal[] = {&m.x, &m.y, &m.fx, &m.fy}, **elemental[] = {&m.area, &m.stress};
    if (!m.nodes) return 1;
    for (int i = 0; i < 4; i++) *nodal[i] = filled(w * w);
    for (int i = 0; i < 2; i++) *elemental[i] = filled(e);
    for (long k = 0; k < e; k++) {
        long a = k / n * w + k % n;
        m.nodes[k][0] = a;
        m.nodes[k][1] = a + 1;
        m.nodes[k][2] = a + 1 + w;
        m.nodes[k][3] = a + w;
    }
    kernel(&m, steps);
    printf("%g\n", m.x[e / 2]);
    return 0;
}
