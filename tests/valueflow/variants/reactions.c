/* reactions WAY N M TIMES: five numbers for each point of a mesh, of which the first spreads, fed by the
 * last, and the others decay with the first; what there is on average of the first is taken off all. WAY 0:
 * an array for each number; 1: those of a point together. */
#include <stdio.h>
#include <stdlib.h>

enum { FIELDS = 5 };

struct mesh {
    double *all, *field[FIELDS];
};

static double *at(const struct mesh *mesh, int f, int point)
{
    return mesh->all ? &mesh->all[point * FIELDS + f] : &mesh->field[f][point];
}

#define EACH(i, j)                                                                                           \
    for (int i = 1; i < n - 1; i++)                                                                          \
        for (int j = 1; j < m - 1; j++)

static double react(const struct mesh *old, const struct mesh *next, int point, int row)
{
    double first = *at(old, 0, point);
    *at(next, 0, point) =
        first + 0.01 * (*at(old, 0, point - row) + *at(old, 0, point + row) + *at(old, 0, point - 1) +
                        *at(old, 0, point + 1) - 4 * first + *at(old, FIELDS - 1, point));
    for (int f = 1; f < FIELDS; f++) *at(next, f, point) = *at(old, f, point) * (1 - 0.01 * first);
    return *at(next, 0, point);
}

static void kernel(const struct mesh *old, const struct mesh *next, int n, int m, int n_times)
{
    for (int t = 0; t < n_times; t++) {
        double sum = 0;
        EACH(i, j) sum += react(old, next, i * m + j, m);
        EACH(i, j)
        for (int f = 0; f < FIELDS; f++) *at(old, f, i * m + j) = *at(next, f, i * m + j) - 0.001 * sum;
    }
}

static void make(struct mesh *mesh, int points, int together)
{
    mesh->all = together ? calloc((size_t)points * FIELDS, sizeof *mesh->all) : NULL;
    for (int f = 0; f < FIELDS; f++)
        mesh->field[f] = together ? NULL : calloc((size_t)points, sizeof *mesh->field[f]);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]), n_times = atoi(argv[4]);
    struct mesh old, next;
    double sum = 0;
    make(&old, n * m, way);
    make(&next, n * m, way);
    for (int i = 0; i < n * m; i++)
        for (int f = 0; f < FIELDS; f++) *at(&old, f, i) = 0.1 * ((i * 37 + f) % 11);
    kernel(&old, &next, n, m, n_times);
    for (int i = 0; i < n * m; i++) sum += *at(&old, 0, i);
    printf("%g\n", sum);
    return 0;
}
