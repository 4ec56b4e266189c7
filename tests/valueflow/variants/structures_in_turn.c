/* Two planes of structures of floats in one allocation take turns; every field comes of the others beside it:
 * of all three of them across columns, of two across rows. */
#include "../kernels/kernel.h"
struct cell {
    float a, b, c;
};
struct mesh {
    struct cell *cells;
    long n;
};
void kernel(const struct mesh *mesh, long steps)
{
    long w = mesh->n + 2;
    for (long t = 0; t < steps; t++) {
        const struct cell *from = mesh->cells + t % 2 * w * w;
        struct cell *to = mesh->cells + (1 - t % 2) * w * w;
        for (long i = 1; i <= mesh->n; i++)
            for (long j = 1; j <= mesh->n; j++) {
                const struct cell *p = from + i * w + j;
                struct cell *q = to + i * w + j;
                q->a = p[1].b + p[-1].c + p[w].b + p[-w].c - p->a;
                q->b = p[1].c + p[-1].a + p[w].a + p[-w].c - p->b;
                q->c = p[1].a * p[-1].b + p[w].a * p[-w].b;
            }
    }
}
int main(int argc, char **argv)
{
    struct mesh mesh = {NULL, argument(argc, argv, 1)};
    long w = mesh.n + 2, n = 2 * w * w;
    double *input = filled(3 * n);
    mesh.cells = malloc((size_t)n * sizeof *mesh.cells);
    for (long i = 0; i < n; i++)
        mesh.cells[i] = (struct cell){(float)input[3 * i], (float)input[3 * i + 1], (float)input[3 * i + 2]};
    kernel(&mesh, argument(argc, argv, 2));
    printf("%g\n", mesh.cells[w + 1].a);
    return 0;
}
