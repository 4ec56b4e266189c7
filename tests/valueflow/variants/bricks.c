/* X x Y x Z hexahedra between nodes that are pushed in every step: each one's matrix is added up over eight
 * points and multiplied by what its nodes have. The matrix is made on the stack, and what it comes to goes
 * through the stack to the nodes (0), or number by number to nodes that are structures (1); it is kept for
 * all steps (2); one matrix is input for all hexahedra (3). WAY X Y Z STEPS. */
#include "../kernels/kernel.h"

enum { CORNERS = 8 };

struct node {
    double u, v, f, mass;
};

static long n_bricks, n_nodes;
static int (*bricks)[CORNERS];
static double *u, *v, *f, *mass;

static void make(double stiffness, double matrix[CORNERS][CORNERS])
{
    memset(matrix, 0, CORNERS * sizeof *matrix);
    for (int p = 0; p < CORNERS; p++)
        for (int a = 0; a < CORNERS; a++)
            for (int b = 0; b < CORNERS; b++)
                matrix[a][b] += stiffness * ((a ^ b) >> p % 3 & 1 ? -1 : 1) * (0.1 + 0.01 * p);
}

static void push_by_arrays(const double *stiffness)
{
    for (long e = 0; e < n_bricks; e++) {
        double matrix[CORNERS][CORNERS], own[CORNERS], force[CORNERS];
        make(stiffness[e], matrix);
        for (int a = 0; a < CORNERS; a++) own[a] = u[bricks[e][a]];
        for (int a = 0; a < CORNERS; a++) {
            force[a] = 0;
            for (int b = 0; b < CORNERS; b++) force[a] += matrix[a][b] * own[b];
        }
        for (int a = 0; a < CORNERS; a++) f[bricks[e][a]] += force[a];
    }
}

static void push_structures(const double *stiffness, struct node *nodes)
{
    for (long e = 0; e < n_bricks; e++) {
        double matrix[CORNERS][CORNERS];
        make(stiffness[e], matrix);
        for (int a = 0; a < CORNERS; a++) {
            double force = 0;
            for (int b = 0; b < CORNERS; b++) force += matrix[a][b] * nodes[bricks[e][b]].u;
            nodes[bricks[e][a]].f += force;
        }
    }
}

static void push_with(double (*matrices)[CORNERS][CORNERS], int step)
{
    for (long e = 0; e < n_bricks; e++)
        for (int a = 0; a < CORNERS; a++) {
            double force = 0;
            for (int b = 0; b < CORNERS; b++) force += matrices[e * step][a][b] * u[bricks[e][b]];
            f[bricks[e][a]] += force;
        }
}

static void move(struct node *nodes)
{
    for (long i = 0; nodes && i < n_nodes; i++) {
        nodes[i].v -= 0.1 * nodes[i].f / nodes[i].mass;
        nodes[i].u += 0.1 * nodes[i].v;
    }
    for (long i = 0; !nodes && i < n_nodes; i++) {
        v[i] -= 0.1 * f[i] / mass[i];
        u[i] += 0.1 * v[i];
    }
}

__attribute__((noinline)) static void kernel(long way, const double *stiffness, struct node *nodes,
                                             double (*matrices)[CORNERS][CORNERS], long steps)
{
    for (long e = 0; way == 2 && e < n_bricks; e++) make(stiffness[e], matrices[e]);
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n_nodes; i++)
            if (way == 1)
                nodes[i].f = 0;
            else
                f[i] = 0;
        if (way == 0) push_by_arrays(stiffness);
        if (way == 1) push_structures(stiffness, nodes);
        if (way >= 2) push_with(matrices, way == 2);
        move(way == 1 ? nodes : NULL);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), x = argument(argc, argv, 2), y = argument(argc, argv, 3),
         z = argument(argc, argv, 4), row = x + 1, plane = row * (y + 1);
    n_bricks = x * y * z;
    n_nodes = plane * (z + 1);
    u = filled(n_nodes), v = filled(n_nodes), f = filled(n_nodes), mass = filled(n_nodes);
    struct node *nodes = malloc((size_t)n_nodes * sizeof *nodes);
    bricks = malloc((size_t)n_bricks * sizeof *bricks);
    if (!bricks || !nodes) return 1;
    for (long i = 0; i < n_nodes; i++) nodes[i] = (struct node){u[i], v[i], 0, mass[i]};
    for (long e = 0; e < n_bricks; e++) {
        long first = e / (x * y) * plane + e / x % y * row + e % x;
        for (int a = 0; a < CORNERS; a++)
            bricks[e][a] = (int)(first + (a >> 2) * plane + (a >> 1 & 1) * row + (a & 1));
    }
    double *matrices = filled((way == 2 ? n_bricks : 1) * CORNERS * CORNERS);
    kernel(way, filled(n_bricks), nodes, (double(*)[CORNERS][CORNERS])(void *)matrices,
           argument(argc, argv, 5));
    printf("%.9g\n", way == 1 ? nodes[3].u : u[3]);
    return 0;
}
