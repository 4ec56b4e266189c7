/* Cells between nodes, whose sides are in a list, four of a cell or, of every third one, five: a node stands
 * in one of them. Forces of sides come of their cell's pressure: a way (there is one), rows and columns of
 * cells, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIDES = 5 };
struct vector {
    double x, y;
};
struct side {
    int cell, first, second; /* nodes */
};

static struct vector *position, *force, *centre, *at_side;
static double *pressure;
static struct side *sides;
static int *first_side, n_sides, n_cells, n_nodes;

static int nodes_of(int cell, int columns, int *nodes)
{
    int corner = cell / columns * (columns + 1) + cell % columns, n = 0;
    nodes[n++] = corner;
    nodes[n++] = corner + 1;
    nodes[n++] = corner + columns + 2;
    nodes[n++] = corner + columns + 1;
    if (cell % 3 == 0) nodes[n++] = corner;
    return n;
}

static void list(int columns)
{
    for (int c = 0; c < n_cells; c++) {
        int nodes[MOST_SIDES], n = nodes_of(c, columns, nodes);
        first_side[c] = n_sides;
        for (int i = 0; i < n; i++) sides[n_sides++] = (struct side){c, nodes[i], nodes[(i + 1) % n]};
    }
    first_side[n_cells] = n_sides;
}

static void find_centres(void)
{
    for (int c = 0; c < n_cells; c++) {
        struct vector sum = {0, 0};
        for (int s = first_side[c]; s < first_side[c + 1]; s++) {
            sum.x += position[sides[s].first].x;
            sum.y += position[sides[s].first].y;
        }
        centre[c] = (struct vector){0.25 * sum.x, 0.25 * sum.y};
    }
    for (int c = 0; c < n_cells; c++)
        pressure[c] = 0.7 * pressure[c] + 1 / (centre[c].x * centre[c].x + centre[c].y * centre[c].y + 1);
}

static struct vector force_of(int s)
{
    struct vector from = centre[sides[s].cell], to = position[sides[s].first];
    double p = pressure[sides[s].cell];
    return (struct vector){p * (to.y - from.y), p * (from.x - to.x)};
}

__attribute__((noinline)) void kernel(int steps)
{
    for (int t = 0; t < steps; t++) {
        find_centres();
        for (int i = 0; i < n_nodes; i++) force[i] = (struct vector){0, 0};
        for (int s = 0; s < n_sides; s++) {
            at_side[s] = force_of(s);
            force[sides[s].first].x += at_side[s].x;
            force[sides[s].first].y += at_side[s].y;
        }
        for (int i = 0; i < n_nodes; i++) {
            position[i].x += 1e-3 * force[i].x;
            position[i].y += 1e-3 * force[i].y;
        }
    }
}

int main(int argc, char **argv)
{
    int rows = argc > 2 ? atoi(argv[2]) : 16;
    int columns = argc > 3 ? atoi(argv[3]) : 20, steps = argc > 4 ? atoi(argv[4]) : 3;
    n_cells = rows * columns;
    n_nodes = (rows + 1) * (columns + 1);
    position = malloc((size_t)n_nodes * sizeof *position);
    force = malloc((size_t)n_nodes * sizeof *force);
    centre = malloc((size_t)n_cells * sizeof *centre);
    pressure = calloc((size_t)n_cells, sizeof *pressure);
    sides = malloc((size_t)n_cells * MOST_SIDES * sizeof *sides);
    at_side = malloc((size_t)n_cells * MOST_SIDES * sizeof *at_side);
    first_side = malloc(((size_t)n_cells + 1) * sizeof *first_side);
    list(columns);
    for (int i = 0; i < n_nodes; i++)
        position[i] = (struct vector){i % (columns + 1) + 0.1 * (i % 5), i / (columns + 1) + 0.1 * (i % 3)};
    kernel(steps);
    double sum = 0;
    for (int i = 0; i < n_nodes; i++) sum += position[i].x * (i & 3) + position[i].y;
    printf("%.17g\n", sum);
    return 0;
}
