/* Shortest ways on a plane of ROWS x COLUMNS nodes (Bellman 1958, Ford 1956), SWEEPS times: 0 along edges, by
 * a choice, 1 by a branch; 2 of the neighbours in a register, 3 with the one they come from; in memory 4 by
 * fmin, 5 with the one before the least, 6 behind it; of equal ones the first neighbour, 7 by one condition,
 * 8 by two that go on, 9 with the neighbour first. WAY SWEEPS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 16, COLUMNS = 24, NODES = ROWS * COLUMNS };

static int n_edges, *from, *to, *first, *from_node, *parent;
static double *edge_length, *length, *way, *next;

static void along_edges(void)
{
    for (int k = 0; k < n_edges; k++) {
        double by_edge = way[from[k]] + edge_length[k];
        way[to[k]] = by_edge < way[to[k]] ? by_edge : way[to[k]];
    }
}

static void by_branches(void)
{
    for (int k = 0; k < n_edges; k++) {
        double by_edge = way[from[k]] + edge_length[k];
        if (by_edge < way[to[k]]) way[to[k]] = by_edge;
    }
}

static void in_register(void)
{
    for (int i = 0; i < NODES; i++) {
        double least = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by < least) least = by;
        }
        next[i] = least;
    }
}

static void with_parent(void)
{
    for (int i = 0; i < NODES; i++) {
        double least = way[i];
        int best = parent[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by < least) {
                least = by;
                best = from_node[k];
            }
        }
        next[i] = least;
        parent[i] = best;
    }
}

static void by_fmin(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) next[i] = fmin(next[i], way[from_node[k]] + length[k]);
    }
}

static void parent_first(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++)
            if (way[from_node[k]] + length[k] < next[i]) {
                parent[i] = from_node[k];
                next[i] = way[from_node[k]] + length[k];
            }
    }
}

static void parent_behind(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by < next[i]) {
                next[i] = by;
                parent[i] = from_node[k];
            }
        }
    }
}

static void first_of_equal(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by < next[i] || (by == next[i] && from_node[k] < parent[i])) {
                next[i] = by;
                parent[i] = from_node[k];
            }
        }
    }
}

static void goes_on(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by > next[i]) continue;
            if (by == next[i] && from_node[k] > parent[i]) continue;
            next[i] = by;
            parent[i] = from_node[k];
        }
    }
}

static void goes_on_parent_first(void)
{
    for (int i = 0; i < NODES; i++) {
        next[i] = way[i];
        for (int k = first[i]; k < first[i + 1]; k++) {
            double by = way[from_node[k]] + length[k];
            if (by > next[i]) continue;
            if (by == next[i] && from_node[k] > parent[i]) continue;
            parent[i] = from_node[k];
            next[i] = by;
        }
    }
}

void kernel(int which, int n_sweeps)
{
    static void (*const sweeps[])(void) = {along_edges, by_branches,         in_register,   with_parent,
                                           by_fmin,     parent_first,        parent_behind, first_of_equal,
                                           goes_on,     goes_on_parent_first};
    for (int sweep = 0; sweep < n_sweeps; sweep++) {
        sweeps[which]();
        if (which < 2) continue;
        for (int i = 0; i < NODES; i++) way[i] = next[i];
    }
}

static void join(int i, int row, int column)
{
    if (row < 0 || column < 0 || row >= ROWS || column >= COLUMNS) return;
    from[n_edges] = from_node[n_edges] = row * COLUMNS + column;
    to[n_edges] = i;
    length[n_edges] = edge_length[n_edges] = 1 + (i * 7 + n_edges * 13) % 11;
    n_edges++;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    from = malloc(4 * NODES * sizeof *from);
    to = malloc(4 * NODES * sizeof *to);
    from_node = malloc(4 * NODES * sizeof *from_node);
    edge_length = malloc(4 * NODES * sizeof *edge_length);
    length = malloc(4 * NODES * sizeof *length);
    first = malloc((NODES + 1) * sizeof *first);
    way = malloc(NODES * sizeof *way);
    next = malloc(NODES * sizeof *next);
    parent = malloc(NODES * sizeof *parent);
    for (int i = 0; i < NODES; i++) {
        int row = i / COLUMNS, column = i % COLUMNS;
        first[i] = n_edges;
        join(i, row - 1, column);
        join(i, row, column - 1);
        join(i, row, column + 1);
        join(i, row + 1, column);
        way[i] = i * 31 % 101;
        parent[i] = -1;
    }
    first[NODES] = n_edges;
    kernel(atoi(argv[1]), atoi(argv[2]));
    double sum = 0;
    for (int i = 0; i < NODES; i++) sum += way[i] + parent[i];
    printf("%g\n", sum);
    return 0;
}
