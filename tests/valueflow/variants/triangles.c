/* Triangles of an unstructured mesh, n x n nodes numbered row by row: each has a value of its first two
 * nodes, which is added to all three. Between two rows there are n - 1 triangles whose first nodes lie on
 * both sides, and as many that begin in the later row. WAY 0: where the value is in a register every node
 * reads the other nodes of its triangles, n values one way and n - 1 the other. WAY 1: kept in an array, all
 * of them lie in the later row, which gets n - 1 values and sends n sums; 2: in structures of triangles; 3:
 * read by the nodes; 4: in colours; 5: in an array of each step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

enum { CORNERS = 3, COLOURS = 3 };

struct triangle {
    int node[CORNERS];
    double value;
};

static int n_nodes, n_triangles, (*node)[CORNERS], *first, *of_node;
static double *x, *r, *value;
static struct triangle *triangles;

static double value_of(const int *t)
{
    double a = x[t[0]], b = x[t[1]];
    return sqrt(1 + a * b * a * b);
}

static void in_registers(void)
{
    for (int t = 0; t < n_triangles; t++) {
        double q = value_of(node[t]);
        for (int k = 0; k < CORNERS; k++) r[node[t][k]] += q;
    }
}

static void in_this(double *q)
{
    for (int t = 0; t < n_triangles; t++) q[t] = value_of(node[t]);
    for (int t = 0; t < n_triangles; t++)
        for (int k = 0; k < CORNERS; k++) r[node[t][k]] += q[t];
}

static void in_an_array(void)
{
    in_this(value);
}

static void in_structures(void)
{
    for (int t = 0; t < n_triangles; t++) triangles[t].value = value_of(triangles[t].node);
    for (int t = 0; t < n_triangles; t++)
        for (int k = 0; k < CORNERS; k++) r[triangles[t].node[k]] += triangles[t].value;
}

static void by_nodes(void)
{
    for (int t = 0; t < n_triangles; t++) value[t] = value_of(node[t]);
    for (int i = 0; i < n_nodes; i++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++) sum += value[of_node[k]];
        r[i] = sum;
    }
}

static void in_colours(void)
{
    for (int t = 0; t < n_triangles; t++) value[t] = value_of(node[t]);
    for (int colour = 0; colour < COLOURS; colour++)
        for (int t = colour; t < n_triangles; t += COLOURS)
            for (int k = 0; k < CORNERS; k++) r[node[t][k]] += value[t];
}

static void in_an_array_of_its_own(void)
{
    double *q = malloc(sizeof *q * n_triangles);
    in_this(q);
    free(q);
}

static void step(int way)
{
    static void (*const ways[])(void) = {in_registers, in_an_array, in_structures,
                                         by_nodes,     in_colours,  in_an_array_of_its_own};
    for (int i = 0; i < n_nodes; i++) r[i] = 0;
    ways[way]();
    for (int i = 0; i < n_nodes; i++) x[i] = 0.5 * x[i] + 0.1 * r[i];
}

static void add_triangle(int a, int b, int c)
{
    int *t = node[n_triangles];
    t[0] = a, t[1] = b, t[2] = c;
    for (int k = 0; k < CORNERS; k++) triangles[n_triangles].node[k] = t[k];
    n_triangles++;
}

static void find_triangles_of_nodes(void)
{
    for (int i = 0, n = 0; i < n_nodes; i++) {
        for (int t = 0; t < n_triangles; t++)
            for (int k = 0; k < CORNERS; k++)
                if (node[t][k] == i) of_node[n++] = t;
        first[i + 1] = n;
    }
}

static void make_mesh(int n)
{
    size_t most = 2 * (size_t)n * n;
    n_nodes = n * n;
    node = malloc(sizeof *node * most);
    triangles = malloc(sizeof *triangles * most);
    value = malloc(sizeof *value * most);
    first = calloc(most, sizeof *first);
    of_node = malloc(sizeof *of_node * CORNERS * most);
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            add_triangle(i * n + j, (i + 1) * n + j, i * n + j + 1);
            add_triangle((i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1);
        }
    find_triangles_of_nodes();
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), n_steps = atoi(argv[3]);
    make_mesh(n);
    x = malloc(sizeof *x * n_nodes);
    r = malloc(sizeof *r * n_nodes);
    for (int i = 0; i < n_nodes; i++) x[i] = 0.2 + i * 5 % 13 * 0.03;
    parcast_region_begin();
    for (int t = 0; t < n_steps; t++) step(way);
    parcast_region_end();
    double sum = 0;
    for (int i = 0; i < n_nodes; i++) sum += x[i] * (1 + i % 3);
    printf("%.6g\n", sum);
    return 0;
}
