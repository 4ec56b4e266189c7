/* spare_scratch WAY N M TIMES: what flows into each point of one field is put aside, and so are then the
 * products of both fields. WAY 0: in an array for each; 1: in one after the other; 2, 3: likewise in arrays
 * that are declared for more points. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static double large_flow[MOST], large_product[MOST];

struct mesh {
    int n, m;
    double *u, *v, *flow, *product;
};

#define AT(field, i, j) mesh->field[(i) * mesh->m + (j)]
#define EACH(i, j)                                                                                           \
    for (int i = 1; i < mesh->n - 1; i++)                                                                    \
        for (int j = 1; j < mesh->m - 1; j++)

static void kernel(const struct mesh *mesh, int n_times)
{
    for (int t = 0; t < n_times; t++) {
        EACH(i, j)
        AT(flow, i, j) =
            AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1) - 4 * AT(u, i, j);
        EACH(i, j) AT(u, i, j) += 0.1 * AT(flow, i, j);
        EACH(i, j) AT(product, i, j) = AT(v, i, j) * AT(u, i, j);
        EACH(i, j) AT(v, i, j) += 0.1 * (AT(product, i, j + 1) - AT(product, i, j - 1));
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]);
    struct mesh mesh = {.n = atoi(argv[2]), .m = atoi(argv[3])};
    size_t n = (size_t)mesh.n * mesh.m;
    if (n > MOST) return 2;
    mesh.u = malloc(n * sizeof *mesh.u);
    mesh.v = malloc(n * sizeof *mesh.v);
    mesh.flow = way < 2 ? calloc(n, sizeof *mesh.flow) : large_flow;
    mesh.product = way % 2 ? mesh.flow : way ? large_product : calloc(n, sizeof *mesh.product);
    for (size_t i = 0; i < n; i++) {
        mesh.u[i] = 1 + i * 37 % 11 * 0.1;
        mesh.v[i] = 1 + i * 17 % 7 * 0.1;
    }
    kernel(&mesh, atoi(argv[4]));
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += mesh.u[i] * mesh.v[i];
    printf("%g\n", sum);
    return 0;
}
