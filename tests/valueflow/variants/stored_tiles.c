/* The five-point sweep over two arrays that are stored in tiles of 4 x 3 words: row by row of tiles, column
 * by column, with a halo around each tile, both arrays in one tile, structures of two words of which one is
 * used, in panels of three columns; of tiles that are allocated one by one. Arguments: which, rows, columns,
 * steps. Nothing changes the words around the plane, which are part of it. */
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 7, ROWS = 4, COLUMNS = 3 };
enum { BY_ROWS, BY_COLUMNS, HALO, FIELDS, STRUCTURES, PANELS, APART };

struct plane {
    int which, field; /* the second one of those that share tiles */
    long rows, columns;
    double *words, **tiles;
};

static double *at(const struct plane *plane, long i, long j)
{
    long r = i % ROWS, c = j % COLUMNS, down = plane->rows / ROWS, across = plane->columns / COLUMNS;
    long tile = i / ROWS * across + j / COLUMNS, word = r * COLUMNS + c, size = ROWS * COLUMNS;
    switch (plane->which) {
    case BY_COLUMNS:
        tile = j / COLUMNS * down + i / ROWS;
        break;
    case HALO:
        word = (r + 1) * (COLUMNS + 2) + c + 1;
        size = (ROWS + 2) * (COLUMNS + 2);
        break;
    case FIELDS:
        return &plane->words[(2 * tile + plane->field) * size + word];
    case STRUCTURES:
        return &plane->words[2 * (tile * size + word)];
    case PANELS:
        return &plane->words[(j / COLUMNS * plane->rows + i) * COLUMNS + c];
    case APART:
        return &plane->tiles[tile][word];
    default:
        break;
    }
    return &plane->words[tile * size + word];
}

void kernel(const struct plane *u, const struct plane *v, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (long i = 1; i + 1 < u->rows; i++)
            for (long j = 1; j + 1 < u->columns; j++)
                *at(v, i, j) = 0.2 * (*at(u, i, j) + *at(u, i - 1, j) + *at(u, i + 1, j) + *at(u, i, j - 1) +
                                      *at(u, i, j + 1));
        const struct plane *old = u;
        u = v;
        v = old;
    }
}

static void make(struct plane *plane)
{
    long tiles = plane->rows / ROWS * (plane->columns / COLUMNS), size = (ROWS + 2) * (COLUMNS + 2);
    if (plane->which != HALO) size = ROWS * COLUMNS;
    if (plane->which == FIELDS || plane->which == STRUCTURES) size *= 2;
    if (plane->which == APART)
        plane->tiles = malloc((size_t)tiles * sizeof *plane->tiles);
    else if (!plane->words)
        plane->words = calloc((size_t)(tiles * size), sizeof *plane->words);
    for (long t = 0; plane->tiles && t < tiles; t++)
        plane->tiles[t] = malloc((size_t)size * sizeof *plane->tiles[t]);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int which = atoi(argv[1]);
    long rows = atol(argv[2]), columns = atol(argv[3]), steps = atol(argv[4]);
    if (which < 0 || which >= WAYS || rows < 1 || rows % ROWS || columns < 1 || columns % COLUMNS) return 2;
    struct plane u = {which, 0, rows, columns, NULL, NULL}, v = {which, 1, rows, columns, NULL, NULL};
    make(&u);
    if (which == FIELDS) v.words = u.words;
    make(&v);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++)
            *at(&u, i, j) = *at(&v, i, j) = (double)((i * columns + j) * 7919 % 13);
    kernel(&u, &v, steps);
    printf("%.17g\n", *at(&u, rows / 2, columns / 2));
    return 0;
}
