/* Boxes of six tetrahedra each, which pull at their four corners: with a number for each box (0) or the same
 * for all (1). Arguments: way, boxes along each side, steps. */
#include "../kernels/kernel.h"

enum { IN_BOX = 6, CORNERS = 4 };

static long n_boxes, n_nodes, (*corners)[CORNERS];
static double *stiffness, *u, *v, *f, *mass;

static void number(long side)
{
    static const int of_box[IN_BOX][CORNERS] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                                {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    long line = side + 1, e = 0;
    n_boxes = side * side * side;
    n_nodes = line * line * line;
    corners = malloc((size_t)(n_boxes * IN_BOX) * sizeof *corners);
    if (!corners) exit(1);
    for (long z = 0; z < side; z++)
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++)
                for (int t = 0; t < IN_BOX; t++, e++)
                    for (int a = 0; a < CORNERS; a++) {
                        int at = of_box[t][a];
                        corners[e][a] = ((z + (at >> 2)) * line + y + (at >> 1 & 1)) * line + x + (at & 1);
                    }
}

static void pull(int way)
{
    for (long e = 0; e < n_boxes * IN_BOX; e++)
        for (int a = 0; a < CORNERS; a++) {
            double force = 0;
            for (int b = 0; b < CORNERS; b++) {
                double k = (a == b ? 3.0 : -1.0) + 0.1 * ((a * 7 + b * 7) % 5);
                force += (way ? 1.5 * k : k * stiffness[e / IN_BOX]) * u[corners[e][b]];
            }
            f[corners[e][a]] += force;
        }
}

void kernel(int way, long steps)
{
    for (long t = 0; t < steps; t++) {
        memset(f, 0, (size_t)n_nodes * sizeof *f);
        pull(way);
        for (long i = 0; i < n_nodes; i++) {
            v[i] -= 0.1 * f[i] / mass[i];
            u[i] += 0.1 * v[i];
        }
    }
}

int main(int argc, char **argv)
{
    double sum = 0;
    number(argument(argc, argv, 2));
    stiffness = filled(n_boxes);
    u = filled(n_nodes);
    v = filled(n_nodes);
    f = filled(n_nodes);
    mass = filled(n_nodes);
    kernel((int)argument(argc, argv, 1), argument(argc, argv, 3));
    for (long i = 0; i < n_nodes; i++) sum += u[i];
    printf("%.9g\n", sum);
    return 0;
}
