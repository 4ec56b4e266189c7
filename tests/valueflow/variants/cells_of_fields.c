/* cells_of_fields WAY N M TIMES: what a cell sends on comes from the row below, of numbers that change, and a
 * third array of as many numbers never does. WAY 0: an array for each field; 1: structures. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double from, to;
};

struct mesh {
    int n, m;
    double *from, *to, *given;
    struct cell *cells;
};

static void step_arrays(const struct mesh *mesh)
{
    for (int i = 0; i < mesh->n; i++)
        for (int j = 0; j < mesh->m; j++) {
            int at = i * mesh->m + j, below = i < mesh->n - 1 ? at + mesh->m : at;
            mesh->to[at] = 0.5 * mesh->to[at] + 0.1 * mesh->from[below] + mesh->given[at];
        }
    for (int i = 0; i < mesh->n * mesh->m; i++) mesh->from[i] = 0.9 * mesh->from[i] + 0.01 * mesh->to[i];
}

static void step_cells(const struct mesh *mesh)
{
    for (int i = 0; i < mesh->n; i++)
        for (int j = 0; j < mesh->m; j++) {
            int at = i * mesh->m + j, below = i < mesh->n - 1 ? at + mesh->m : at;
            mesh->cells[at].to = 0.5 * mesh->cells[at].to + 0.1 * mesh->cells[below].from + mesh->given[at];
        }
    for (int i = 0; i < mesh->n * mesh->m; i++)
        mesh->cells[i].from = 0.9 * mesh->cells[i].from + 0.01 * mesh->cells[i].to;
}

static void kernel(const struct mesh *mesh, int way, int n_times)
{
    for (int t = 0; t < n_times; t++)
        if (way == 0)
            step_arrays(mesh);
        else
            step_cells(mesh);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), n_times = atoi(argv[4]);
    struct mesh mesh = {.n = atoi(argv[2]), .m = atoi(argv[3])};
    size_t n = (size_t)mesh.n * mesh.m;
    mesh.from = malloc(n * sizeof *mesh.from);
    mesh.to = malloc(n * sizeof *mesh.to);
    mesh.given = malloc(n * sizeof *mesh.given);
    mesh.cells = malloc(n * sizeof *mesh.cells);
    for (size_t i = 0; i < n; i++) {
        mesh.from[i] = mesh.cells[i].from = 1 + i * 37 % 11 * 0.1;
        mesh.to[i] = mesh.cells[i].to = 1 + i * 17 % 7 * 0.1;
        mesh.given[i] = 1 + i * 5 % 13 * 0.1;
    }
    kernel(&mesh, way, n_times);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += way ? mesh.cells[i].to : mesh.to[i];
    printf("%.12g\n", sum);
    return 0;
}
