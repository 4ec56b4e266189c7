/* Cycles of a multigrid method on a periodic plane: a sweep over four neighbours on every level, down to the
 * coarsest and up again. Levels are arrays of their own, or lie in one array: the finest first, or the
 * coarsest, without a halo or with one of copies. Arguments: which, points along a side of the finest,
 * levels, cycles. */
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 5, MOST = 8 };

struct way {
    int is_one, is_rising, halo;
};
static const struct way ways[WAYS] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}};

struct level {
    double *u, *v;
    long n, halo;
};

static long place(const struct level *level, long i, long j)
{
    long row = level->n + 2 * level->halo;
    if (!level->halo) return (i + row) % row * row + (j + row) % row;
    return (i + 1) * row + j + 1;
}

static void copy_ends(const struct level *level, double *u)
{
    long n = level->n;
    if (!level->halo) return;
    for (long i = 0; i < n; i++) {
        u[place(level, i, -1)] = u[place(level, i, n - 1)];
        u[place(level, i, n)] = u[place(level, i, 0)];
    }
    for (long j = -1; j <= n; j++) {
        u[place(level, -1, j)] = u[place(level, n - 1, j)];
        u[place(level, n, j)] = u[place(level, 0, j)];
    }
}

static void sweep(const struct level *level, const double *u, double *v)
{
    for (long i = 0; i < level->n; i++)
        for (long j = 0; j < level->n; j++)
            v[place(level, i, j)] =
                0.5 * v[place(level, i, j)] + 0.1 * (u[place(level, i - 1, j)] + u[place(level, i + 1, j)] +
                                                     u[place(level, i, j - 1)] + u[place(level, i, j + 1)]);
    copy_ends(level, v);
}

/* A coarse point has four fine ones, from where they are. */
static void go_down(const struct level *fine, const struct level *coarse)
{
    for (long i = 0; i < coarse->n; i++)
        for (long j = 0; j < coarse->n; j++)
            coarse->u[place(coarse, i, j)] =
                0.5 * coarse->u[place(coarse, i, j)] +
                0.1 * (fine->v[place(fine, 2 * i, 2 * j)] + fine->v[place(fine, 2 * i, 2 * j + 1)] +
                       fine->v[place(fine, 2 * i + 1, 2 * j)] + fine->v[place(fine, 2 * i + 1, 2 * j + 1)]);
    copy_ends(coarse, coarse->u);
}

static void go_up(const struct level *coarse, const double *c, const struct level *fine)
{
    for (long i = 0; i < fine->n; i++)
        for (long j = 0; j < fine->n; j++) fine->v[place(fine, i, j)] += 0.3 * c[place(coarse, i / 2, j / 2)];
    copy_ends(fine, fine->v);
}

void kernel(const struct level *level, long levels, long cycles)
{
    for (long s = 0; s < cycles; s++) {
        for (long k = 0; k < levels; k++) {
            sweep(&level[k], level[k].u, level[k].v);
            if (k + 1 < levels) go_down(&level[k], &level[k + 1]);
        }
        for (long k = levels - 2; k >= 0; k--) {
            go_up(&level[k + 1], k + 2 < levels ? level[k + 1].u : level[k + 1].v, &level[k]);
            sweep(&level[k], level[k].v, level[k].u);
        }
    }
}

static long words_of(const struct level *level)
{
    return (level->n + 2 * level->halo) * (level->n + 2 * level->halo);
}

static int make(struct level *level, long levels, const struct way *way)
{
    long all = 0;
    for (long k = 0; k < levels; k++) all += words_of(&level[k]);
    double *u = way->is_one ? calloc((size_t)all, sizeof *u) : NULL;
    double *v = way->is_one ? calloc((size_t)all, sizeof *v) : NULL;
    for (long i = 0; i < levels; i++) {
        struct level *one = &level[way->is_rising ? levels - 1 - i : i];
        long words = words_of(one);
        one->u = way->is_one ? u : calloc((size_t)words, sizeof *u);
        one->v = way->is_one ? v : calloc((size_t)words, sizeof *v);
        if (!one->u || !one->v) return 0;
        if (way->is_one) u += words, v += words;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    long which = atol(argv[1]), n = atol(argv[2]), levels = atol(argv[3]), cycles = atol(argv[4]);
    if (which < 0 || which >= WAYS || levels < 1 || levels > MOST || n < 1 << levels) return 2;
    struct level level[MOST];
    for (long k = 0; k < levels; k++) level[k] = (struct level){NULL, NULL, n >> k, ways[which].halo};
    if (!make(level, levels, &ways[which])) return 1;
    for (long i = 0; i < n * n; i++) level->u[place(level, i / n, i % n)] = (double)(i * 7919 % 13);
    copy_ends(level, level->u);
    kernel(level, levels, cycles);
    printf("%.17g\n", level->u[place(level, n / 2, n / 3)]);
    return 0;
}
