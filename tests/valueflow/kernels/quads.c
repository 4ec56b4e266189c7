/* A mesh of n x n elements between (n + 1) x (n + 1) nodes: forces of the elements on their nodes, nodes that
 * move, and elements that look at their nodes and at those beside them, and then iterate for themselves. */
#include "kernel.h"

struct mesh {
    double *x, *y, *vx, *vy, *fx, *fy;                       /* nodes */
    double *area, *energy, *pressure, *sound, *flow, *limit; /* elements */
    long (*nodes)[4];
    long n;
};

static void add_forces(struct mesh *m, long k)
{
    for (int c = 0; c < 4; c++) {
        long a = m->nodes[k][c], b = m->nodes[k][(c + 1) % 4];
        double p = m->pressure[k] + 0.1 * m->flow[k], ax = p * (m->y[b] - m->y[a]),
               ay = p * (m->x[a] - m->x[b]);
        m->fx[a] += ax;
        m->fy[a] += ay;
        m->fx[b] += ax;
        m->fy[b] += ay;
    }
}

static void move_nodes(struct mesh *m)
{
    long n = (m->n + 1) * (m->n + 1);
    for (long i = 0; i < n; i++) {
        m->vx[i] += 1e-3 * m->fx[i];
        m->vy[i] += 1e-3 * m->fy[i];
        m->x[i] += 1e-3 * m->vx[i];
        m->y[i] += 1e-3 * m->vy[i];
        m->fx[i] = m->fy[i] = 0;
    }
}

static void look(struct mesh *m, long k)
{
    const long *c = m->nodes[k];
    double area = 0;
    for (int i = 0; i < 4; i++) {
        long a = c[i], b = c[(i + 1) % 4];
        area += m->x[a] * m->y[b] - m->x[b] * m->y[a];
    }
    m->flow[k] = (area - m->area[k]) / (fabs(area) + 1);
    m->area[k] = area;
}

static void limit_flow(struct mesh *m, long k)
{
    long n = m->n;
    double least = m->flow[k];
    if (k % n > 0) least = fmin(least, m->flow[k - 1]);
    if (k % n < n - 1) least = fmin(least, m->flow[k + 1]);
    if (k >= n) least = fmin(least, m->flow[k - n]);
    if (k < n * (n - 1)) least = fmin(least, m->flow[k + n]);
    m->limit[k] = least;
}

static void iterate(struct mesh *m, long k, int times)
{
    for (int i = 0; i < times; i++) {
        m->energy[k] -= 0.1 * m->pressure[k] * m->flow[k];
        m->pressure[k] = 0.6 * m->energy[k] / (m->area[k] + 2) + 0.1 * m->limit[k] * m->limit[k];
        m->sound[k] = sqrt(fabs(m->pressure[k] * m->area[k])) + 0.5 * m->energy[k];
    }
}

void kernel(struct mesh *m, long steps)
{
    long n = m->n * m->n;
    for (long s = 0; s < steps; s++) {
        for (long k = 0; k < n; k++) add_forces(m, k);
        move_nodes(m);
        for (long k = 0; k < n; k++) look(m, k);
        for (long k = 0; k < n; k++) limit_flow(m, k);
        for (long k = 0; k < n; k++) iterate(m, k, 40);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), w = n + 1, e = n * n;
    struct mesh m = {.n = n, .nodes = malloc((size_t)e * sizeof *m.nodes)};
    double **nodal[] = {&m.x, &m.y, &m.vx, &m.vy, &m.fx, &m.fy},
           **elemental[] = {&m.area, &m.energy, &m.pressure, &m.sound, &m.flow, &m.limit};
    if (!m.nodes) return 1;
    for (int i = 0; i < 6; i++) *nodal[i] = filled(w * w);
    for (int i = 0; i < 6; i++) *elemental[i] = filled(e);
    for (long k = 0; k < e; k++) {
        long a = k / n * w + k % n;
        m.nodes[k][0] = a;
        m.nodes[k][1] = a + 1;
        m.nodes[k][2] = a + 1 + w;
        m.nodes[k][3] = a + w;
    }
    kernel(&m, steps);
    printf("%g\n", m.energy[e / 2]);
    return 0;
}
