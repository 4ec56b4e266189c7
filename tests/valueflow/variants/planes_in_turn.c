/* The five-point sweep between planes of one block of memory that take turns: one after the other, side by
 * side, or two of them somewhere in it. Arguments: which, rows, columns, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 6, FRONT = 7, BETWEEN = 12, BEHIND = 300, MOST = 3 };

struct way {
    long planes;
    int side_by_side, has_middle, in_block;
};
static const struct way ways[WAYS] = {{2, 0, 1, 0}, {2, 0, 0, 0}, {3, 0, 1, 0},
                                      {2, 1, 1, 0}, {3, 1, 0, 0}, {2, 0, 1, 1}};

/* How far words, rows and planes are apart. */
struct steps {
    long word, row, plane;
};

static void sweep(const double *u, double *v, long rows, long columns, const struct steps *by, double middle)
{
    for (long i = 1; i <= rows; i++)
        for (long j = 1; j <= columns; j++) {
            long k = i * by->row + j * by->word;
            v[k] = 0.2 * (u[k - by->row] + u[k + by->row] + u[k - by->word] + u[k + by->word]);
            if (middle > 0) v[k] += middle * u[k];
        }
}

void kernel(double *u, long rows, long columns, long steps, const struct way *way)
{
    long n = way->planes;
    struct steps by = {1, columns + 2, (rows + 2) * (columns + 2) + (way->in_block ? BETWEEN : 0)};
    if (way->side_by_side) by = (struct steps){n, n * (columns + 2), 1};
    for (long s = 0; s < steps; s++)
        sweep(u + s % n * by.plane, u + (s + 1) % n * by.plane, rows, columns, &by,
              way->has_middle ? 0.2 : 0);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    long which = atol(argv[1]), rows = atol(argv[2]), columns = atol(argv[3]), steps = atol(argv[4]);
    if (which < 0 || which >= WAYS || rows < 1 || columns < 1) return 2;
    long words = MOST * (rows + 2) * (columns + 2) + FRONT + BETWEEN + BEHIND;
    if (!ways[which].in_block) words = ways[which].planes * (rows + 2) * (columns + 2);
    double *u = malloc((size_t)words * sizeof *u);
    if (!u) return 1;
    for (long i = 0; i < words; i++) u[i] = (double)(i * 7919 % 13);
    kernel(u + (ways[which].in_block ? FRONT : 0), rows, columns, steps, &ways[which]);
    printf("%.17g\n", u[words / 2]);
    free(u);
    return 0;
}
