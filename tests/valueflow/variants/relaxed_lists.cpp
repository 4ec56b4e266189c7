// Shortest ways as in relaxed.c, each node with a list of its neighbours: 0 with the node that each comes
// from in an array, 1 in a structure, 2 where structures are copied. WAY SWEEPS.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Edge {
    int to;
    double length;
};
struct Node {
    double way;
    int parent;
};

constexpr int ROWS = 16, COLUMNS = 24, NODES = ROWS * COLUMNS;

static std::vector<std::vector<Edge>> edges(NODES);
static std::vector<double> ways(NODES), next(NODES);
static std::vector<int> parent(NODES, -1);
static std::vector<Node> nodes(NODES), next_nodes(NODES);

static void in_arrays()
{
    for (int i = 0; i < NODES; i++) {
        next[i] = ways[i];
        for (const Edge &edge : edges[i]) {
            double by = ways[edge.to] + edge.length;
            if (by < next[i]) {
                next[i] = by;
                parent[i] = edge.to;
            }
        }
    }
    ways = next;
}

static void in_structures()
{
    for (int i = 0; i < NODES; i++) {
        next_nodes[i] = nodes[i];
        for (const Edge &edge : edges[i]) {
            double by = nodes[edge.to].way + edge.length;
            if (by < next_nodes[i].way) {
                next_nodes[i].way = by;
                next_nodes[i].parent = edge.to;
            }
        }
    }
    nodes = next_nodes;
}

static void by_copies()
{
    for (int i = 0; i < NODES; i++) {
        next_nodes[i] = nodes[i];
        for (const Edge &edge : edges[i]) {
            Node by{nodes[edge.to].way + edge.length, edge.to};
            if (by.way < next_nodes[i].way) next_nodes[i] = by;
        }
    }
    std::swap(nodes, next_nodes);
}

extern "C" void kernel(int way, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        if (way == 0) in_arrays();
        if (way == 1) in_structures();
        if (way == 2) by_copies();
    }
}

static void join(int i, int row, int column)
{
    static int n;
    if (row < 0 || column < 0 || row >= ROWS || column >= COLUMNS) return;
    edges[i].push_back({row * COLUMNS + column, 1. + (i * 7 + n++ * 13) % 11});
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    for (int i = 0; i < NODES; i++) {
        int row = i / COLUMNS, column = i % COLUMNS;
        join(i, row - 1, column);
        join(i, row, column - 1);
        join(i, row, column + 1);
        join(i, row + 1, column);
        ways[i] = i * 31 % 101;
        nodes[i] = {ways[i], -1};
    }
    kernel(std::atoi(argv[1]), std::atoi(argv[2]));
    double sum = 0;
    for (int i = 0; i < NODES; i++) sum += ways[i] + parent[i] + nodes[i].way + nodes[i].parent;
    std::printf("%g\n", sum);
}
