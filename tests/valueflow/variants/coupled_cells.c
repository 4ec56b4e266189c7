/* coupled_cells WAY N M TIMES: cells of a few words on a plane of N x M. 0: four words, each computed of all
 * of its own cell and of the four beside it; 1: four modes, of all of their own cell and one of the cell
 * above and of the one on the left each; 2: three words, each of its like in the cells beside it; 3: three
 * fields one after the other, of their likes and of all three in their own cell; 4: four words, of the values
 * at all corners of their cell, to which they are added. */
#include <stdio.h>
#include <stdlib.h>

enum { FULL, MODES, APART, FIELDS, CORNERS };

struct plane {
    int n, m, n_words, is_apart;
    double *u, *r;
};

static int at(const struct plane *plane, int cell, int word)
{
    return plane->is_apart ? word * plane->n * plane->m + cell : cell * plane->n_words + word;
}

static double own(const struct plane *plane, int cell, int word)
{
    double sum = 0;
    for (int k = 0; k < plane->n_words; k++)
        sum += (k == word ? 0.5 : 0.02 * k) * plane->u[at(plane, cell, k)];
    return sum;
}

static double beside(const struct plane *plane, int way, int cell, int word)
{
    if (way == MODES) return 0.1 * plane->u[at(plane, cell, plane->n_words - 1 - word)];
    if (way != FULL) return 0.1 * plane->u[at(plane, cell, word)];
    double sum = 0;
    for (int k = 0; k < plane->n_words; k++) sum += 0.01 * (k + 1) * plane->u[at(plane, cell, k)];
    return sum;
}

static double slope(const struct plane *plane, int way, int i, int j, int word)
{
    int cell = i * plane->m + j;
    double sum = way == APART ? 0.5 * plane->u[at(plane, cell, word)] : own(plane, cell, word);
    if (i > 0) sum += beside(plane, way, cell - plane->m, word);
    if (j > 0) sum += beside(plane, way, cell - 1, word);
    if (way == MODES) return sum;
    if (i < plane->n - 1) sum += beside(plane, way, cell + plane->m, word);
    if (j < plane->m - 1) sum += beside(plane, way, cell + 1, word);
    return sum;
}

/* The corners are as many as there are cells in a plane of a row and a column more. */
static void add_to_corners(const struct plane *plane, double *f)
{
    const int row = plane->m + 1, beside[4] = {0, 1, row, row + 1};
    for (int i = 0; i < (plane->n + 1) * row; i++) f[i] = 0;
    for (int cell = 0; cell < plane->n * plane->m; cell++)
        for (int k = 0; k < 4; k++) {
            const double *u = plane->u + cell / plane->m * row + cell % plane->m;
            double sum = 0;
            for (int l = 0; l < 4; l++) sum += (k == l ? 0.5 : 0.01 * l) * u[beside[l]];
            plane->r[4 * cell + k] = sum;
        }
    for (int cell = 0; cell < plane->n * plane->m; cell++)
        for (int k = 0; k < 4; k++)
            f[cell / plane->m * row + cell % plane->m + beside[k]] += plane->r[4 * cell + k];
    for (int i = 0; i < (plane->n + 1) * row; i++) plane->u[i] -= 0.1 * f[i];
}

void kernel(const struct plane *plane, int way, double *f, int n_times)
{
    for (int t = 0; t < n_times && way == CORNERS; t++) add_to_corners(plane, f);
    if (way == CORNERS) return;
    int n_all = plane->n * plane->m * plane->n_words;
    for (int t = 0; t < n_times; t++) {
        for (int i = 0; i < plane->n; i++)
            for (int j = 0; j < plane->m; j++)
                for (int k = 0; k < plane->n_words; k++)
                    plane->r[at(plane, i * plane->m + j, k)] = slope(plane, way, i, j, k);
        for (int i = 0; i < n_all; i++) plane->u[i] += 0.1 * plane->r[i];
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), n_times = atoi(argv[4]);
    struct plane plane = {
        .n = atoi(argv[2]), .m = atoi(argv[3]), .n_words = way < APART || way == CORNERS ? 4 : 3};
    plane.is_apart = way == FIELDS;
    size_t n = (size_t)plane.n * plane.m * plane.n_words;
    size_t corners = (size_t)(plane.n + 1) * (plane.m + 1), n_u = way == CORNERS ? corners : n;
    plane.u = malloc(n_u * sizeof *plane.u);
    plane.r = malloc(n * sizeof *plane.r);
    double *f = malloc(corners * sizeof *f), sum = 0;
    for (size_t i = 0; i < n_u; i++) plane.u[i] = 1 + i * 37 % 11 * 0.1;
    kernel(&plane, way, f, n_times);
    for (size_t i = 0; i < n_u; i++) sum += plane.u[i];
    printf("%.12g\n", sum);
    return 0;
}
