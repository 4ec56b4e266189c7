/* N^2 quadrilaterals between (N + 1)^2 nodes; forces of their four sides are structures in one array, and go
 * to the nodes from both sides of a corner. ARGUMENTS: ignored, N, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDES = 4 };

struct vector {
    double x, y;
};

struct mesh {
    long n;
    const long *node; /* first of each side */
    struct vector *place, *force, *side, *corner;
    double *energy, *pressure;
};

static long next(long side)
{
    return side % SIDES < SIDES - 1 ? side + 1 : side + 1 - SIDES;
}

static long last(long side)
{
    return side % SIDES ? side - 1 : side - 1 + SIDES;
}

static double area(const struct mesh *m, long cell)
{
    double sum = 0;
    for (long s = SIDES * cell; s < SIDES * (cell + 1); s++) {
        const struct vector *a = &m->place[m->node[s]], *b = &m->place[m->node[next(s)]];
        sum += a->x * b->y - a->y * b->x;
    }
    return 0.5 * sum;
}

static void meet(const struct mesh *m, long cells)
{
    for (long s = 0; s < SIDES * cells; s++) {
        m->corner[s].x = m->side[s].x + m->side[last(s)].x;
        m->corner[s].y = m->side[s].y + m->side[last(s)].y;
    }
}

void kernel(const struct mesh *m, int way, int steps)
{
    long cells = m->n * m->n, nodes = (m->n + 1) * (m->n + 1);
    for (int t = 0; t < steps; t++) {
        for (long c = 0; c < cells; c++) m->pressure[c] = m->energy[c] / area(m, c);
        for (long s = 0; s < SIDES * cells; s++) {
            const struct vector *a = &m->place[m->node[s]], *b = &m->place[m->node[next(s)]];
            double p = 0.5 * m->pressure[s / SIDES];
            m->side[s].x = p * (b->y - a->y);
            m->side[s].y = p * (a->x - b->x);
        }
        for (long k = 0; k < nodes; k++) m->force[k].x = m->force[k].y = 0;
        if (way) meet(m, cells);
        for (long s = 0; s < SIDES * cells; s++) {
            struct vector f =
                way ? m->corner[s]
                    : (struct vector){m->side[s].x + m->side[last(s)].x, m->side[s].y + m->side[last(s)].y};
            m->force[m->node[s]].x += f.x;
            m->force[m->node[s]].y += f.y;
        }
        for (long k = 0; k < nodes; k++) {
            m->place[k].x += 0.01 * m->force[k].x;
            m->place[k].y += 0.01 * m->force[k].y;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]), nodes = (n + 1) * (n + 1), cells = n * n;
    long *node = malloc((size_t)(SIDES * cells) * sizeof *node);
    struct mesh m = {.n = n, .node = node};
    m.place = malloc((size_t)nodes * sizeof *m.place);
    m.force = malloc((size_t)nodes * sizeof *m.force);
    m.side = malloc((size_t)(SIDES * cells) * sizeof *m.side);
    m.corner = malloc((size_t)(SIDES * cells) * sizeof *m.corner);
    m.energy = malloc((size_t)cells * sizeof *m.energy);
    m.pressure = malloc((size_t)cells * sizeof *m.pressure);
    if (!node || !m.place || !m.force || !m.side || !m.corner || !m.energy || !m.pressure) return 1;
    for (long k = 0; k < nodes; k++)
        m.place[k] = (struct vector){(double)(k % (n + 1)), (double)(k / (n + 1))};
    for (long c = 0; c < cells; c++) {
        long a = c / n * (n + 1) + c % n, around[SIDES] = {a, a + 1, a + n + 2, a + n + 1};
        for (int k = 0; k < SIDES; k++) node[SIDES * c + k] = around[k];
        m.energy[c] = 1 + 0.1 * (double)(c % 7);
    }
    kernel(&m, atoi(argv[1]), atoi(argv[3]));
    printf("%.9g\n", m.place[n + 2].x + m.pressure[0]);
    return 0;
}
