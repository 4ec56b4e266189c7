/* Finite volumes: fluxes over the faces between cells of a square, which are structures whose fields mix. */
#include "kernel.h"
struct cell {
    double u[3], residual[3], volume;
};
struct face {
    struct cell *left, *right;
    double x, y;
};
static void flow(const struct face *face)
{
    struct cell *l = face->left, *r = face->right;
    double speed = face->x * (l->u[1] + r->u[1]) + face->y * (l->u[2] + r->u[2]);
    for (int k = 0; k < 3; k++) {
        double flux = 0.5 * speed * (l->u[k] + r->u[k]) - 0.5 * (r->u[k] - l->u[k]);
        l->residual[k] -= flux;
        r->residual[k] += flux;
    }
}
void kernel(struct cell *cells, const struct face *faces, long n_cells, long n_faces, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n_cells; i++)
            for (int k = 0; k < 3; k++) cells[i].residual[k] = 0;
        for (long i = 0; i < n_faces; i++) flow(&faces[i]);
        for (long i = 0; i < n_cells; i++)
            for (int k = 0; k < 3; k++) cells[i].u[k] += 1e-3 * cells[i].residual[k] / cells[i].volume;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), m = 0;
    struct cell *cells = calloc((size_t)(n * n), sizeof *cells);
    struct face *faces = calloc((size_t)(2 * n * n), sizeof *faces);
    double *input = filled(4 * n * n);
    for (long i = 0; i < n * n; i++) {
        for (int k = 0; k < 3; k++) cells[i].u[k] = input[4 * i + k];
        cells[i].volume = 1 + input[4 * i + 3];
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            struct cell *here = cells + i * n + j;
            if (j < n - 1) faces[m++] = (struct face){here, here + 1, 1, 0.1};
            if (i < n - 1) faces[m++] = (struct face){here, here + n, 0.1, 1};
        }
    kernel(cells, faces, n * n, m, steps);
    printf("%g\n", cells[n + 1].u[0]);
    return 0;
}
