/* mixed_cells WAY N M TIMES: three numbers for each point of a mesh. WAY 0 to 2: waves, of heights, speeds
 * and what the ground is like; 3 to 5: an electric field's two parts and a magnetic one. First an array for
 * each, then those of a point together, then a row of each one after the other (waves only). */
#include <stdio.h>
#include <stdlib.h>

struct mesh {
    int n, m;
    double *field[3]; /* where each begins */
    int row, step;    /* words to the next row, and to the next point */
};

#define AT(k, i, j) mesh->field[k][(i) * mesh->row + (j) * mesh->step]

static void waves(const struct mesh *mesh)
{
    for (int i = 1; i < mesh->n - 1; i++)
        for (int j = 1; j < mesh->m - 1; j++)
            AT(1, i, j) +=
                AT(2, i, j) * 0.01 *
                (AT(0, i - 1, j) + AT(0, i + 1, j) + AT(0, i, j - 1) + AT(0, i, j + 1) - 4 * AT(0, i, j));
    for (int i = 1; i < mesh->n - 1; i++)
        for (int j = 1; j < mesh->m - 1; j++) AT(0, i, j) += 0.01 * AT(1, i, j);
}

static void fields(const struct mesh *mesh)
{
    for (int i = 0; i < mesh->n - 1; i++)
        for (int j = 0; j < mesh->m - 1; j++)
            AT(2, i, j) += 0.01 * (AT(0, i, j + 1) - AT(0, i, j) - AT(1, i + 1, j) + AT(1, i, j));
    for (int i = 1; i < mesh->n - 1; i++)
        for (int j = 1; j < mesh->m - 1; j++) {
            AT(0, i, j) += 0.01 * (AT(2, i, j) - AT(2, i, j - 1));
            AT(1, i, j) -= 0.01 * (AT(2, i, j) - AT(2, i - 1, j));
        }
}

static void kernel(const struct mesh *mesh, int way, int n_times)
{
    for (int t = 0; t < n_times; t++)
        if (way < 3)
            waves(mesh);
        else
            fields(mesh);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), n_times = atoi(argv[4]);
    struct mesh mesh = {.n = atoi(argv[2]), .m = atoi(argv[3])};
    int n = mesh.n * mesh.m, layout = way % 3;
    double *all = layout ? malloc((size_t)n * 3 * sizeof *all) : NULL, sum = 0;
    for (int k = 0; k < 3; k++)
        mesh.field[k] = layout ? all + (layout == 1 ? k : k * mesh.m) : malloc((size_t)n * sizeof(double));
    mesh.step = layout == 1 ? 3 : 1;
    mesh.row = layout ? 3 * mesh.m : mesh.m;
    for (int i = 0; i < n * 3; i++)
        mesh.field[i % 3][i / 3 / mesh.m * mesh.row + i / 3 % mesh.m * mesh.step] = 1 + i * 37 % 11 * 0.1;
    kernel(&mesh, way, n_times);
    for (int i = 0; i < n * 3; i++)
        sum += mesh.field[i % 3][i / 3 / mesh.m * mesh.row + i / 3 % mesh.m * mesh.step];
    printf("%g\n", sum);
    return 0;
}
