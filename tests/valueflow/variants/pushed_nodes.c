/* ROWS x COLUMNS quads between nodes: what is left of a quad's area pushes its nodes apart, then these move.
 * Forces go straight to the nodes (0), through arrays on the stack (1) or the heap (2), through one array for
 * each corner of all quads (3), or through arrays for 16 quads at a time (4). Arguments: which, rows,
 * columns, steps. */
#include "../kernels/kernel.h"

static long n_quads, n_nodes;
static int (*quads)[4];

__attribute__((noinline)) static void push(const double *x, const double *y, double *fx, double *fy)
{
    double p = 1 - 0.5 * ((x[2] - x[0]) * (y[3] - y[1]) - (x[3] - x[1]) * (y[2] - y[0]));
    for (int k = 0; k < 4; k++) {
        fx[k] = 0.5 * p * (y[(k + 1) & 3] - y[(k + 3) & 3]);
        fy[k] = -0.5 * p * (x[(k + 1) & 3] - x[(k + 3) & 3]);
    }
}

static void fetch(const int *quad, const double *x, double *at)
{
    for (int k = 0; k < 4; k++) at[k] = x[quad[k]];
}

static void add(const int *quad, const double *force, double *f)
{
    for (int k = 0; k < 4; k++) f[quad[k]] += force[k];
}

static void push_straight(const double *x, const double *y, double *fx, double *fy)
{
    for (long e = 0; e < n_quads; e++) {
        const int *c = quads[e];
        double p =
            1 - 0.5 * ((x[c[2]] - x[c[0]]) * (y[c[3]] - y[c[1]]) - (x[c[3]] - x[c[1]]) * (y[c[2]] - y[c[0]]));
        for (int k = 0; k < 4; k++) {
            int before = c[(k + 3) & 3], behind = c[(k + 1) & 3];
            fx[c[k]] += 0.5 * p * (y[behind] - y[before]);
            fy[c[k]] -= 0.5 * p * (x[behind] - x[before]);
        }
    }
}

static void push_by_stack(const double *x, const double *y, double *fx, double *fy)
{
    for (long e = 0; e < n_quads; e++) {
        double at[4], up[4], f[4], g[4];
        fetch(quads[e], x, at);
        fetch(quads[e], y, up);
        push(at, up, f, g);
        add(quads[e], f, fx);
        add(quads[e], g, fy);
    }
}

static void push_by_heap(const double *x, const double *y, double *fx, double *fy)
{
    for (long e = 0; e < n_quads; e++) {
        double *w = malloc(16 * sizeof *w);
        fetch(quads[e], x, w);
        fetch(quads[e], y, w + 4);
        push(w, w + 4, w + 8, w + 12);
        add(quads[e], w + 8, fx);
        add(quads[e], w + 12, fy);
        free(w);
    }
}

static void push_by_corners(const double *x, const double *y, double *fx, double *fy, double *corners)
{
    double *others = corners + 4 * n_quads;
    for (long e = 0; e < n_quads; e++) {
        double at[4], up[4], f[4], g[4];
        fetch(quads[e], x, at);
        fetch(quads[e], y, up);
        push(at, up, f, g);
        for (int k = 0; k < 4; k++) corners[k * n_quads + e] = f[k], others[k * n_quads + e] = g[k];
    }
    for (int k = 0; k < 4; k++)
        for (long e = 0; e < n_quads; e++) {
            fx[quads[e][k]] += corners[k * n_quads + e];
            fy[quads[e][k]] += others[k * n_quads + e];
        }
}

static void push_by_blocks(const double *x, const double *y, double *fx, double *fy)
{
    for (long first = 0; first < n_quads; first += 16) {
        double at[16][4], up[16][4], f[16][4], g[16][4];
        long n = n_quads - first < 16 ? n_quads - first : 16;
        for (long e = 0; e < n; e++) fetch(quads[first + e], x, at[e]), fetch(quads[first + e], y, up[e]);
        for (long e = 0; e < n; e++) push(at[e], up[e], f[e], g[e]);
        for (long e = 0; e < n; e++) add(quads[first + e], f[e], fx), add(quads[first + e], g[e], fy);
    }
}

__attribute__((noinline)) static double kernel(long which, double *x, double *y, double *fx, double *fy,
                                               double *corners, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long i = 0; i < n_nodes; i++) fx[i] = fy[i] = 0;
        if (which == 0) push_straight(x, y, fx, fy);
        if (which == 1) push_by_stack(x, y, fx, fy);
        if (which == 2) push_by_heap(x, y, fx, fy);
        if (which == 3) push_by_corners(x, y, fx, fy, corners);
        if (which == 4) push_by_blocks(x, y, fx, fy);
        for (long i = 0; i < n_nodes; i++) {
            x[i] += 0.01 * fx[i];
            y[i] += 0.01 * fy[i];
        }
    }
    return x[1] + y[1];
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2), columns = argument(argc, argv, 3);
    n_quads = rows * columns;
    n_nodes = (rows + 1) * (columns + 1);
    quads = malloc((size_t)n_quads * sizeof *quads);
    for (long e = 0; e < n_quads; e++) {
        int first = (int)(e / columns * (columns + 1) + e % columns), next = first + (int)columns + 1;
        memcpy(quads[e], (int[4]){first, first + 1, next + 1, next}, sizeof *quads);
    }
    printf("%.9g\n", kernel(argument(argc, argv, 1), filled(n_nodes), filled(n_nodes), filled(n_nodes),
                            filled(n_nodes), filled(8 * n_quads), argument(argc, argv, 4)));
    return 0;
}
