/*
 * Several arrays in one block of memory, and pointers into the midst of arrays that are one.
 *
 * pieces WAY KIND ROWS COLUMNS: KIND 0: three steps of five points over fields of ROWS x COLUMNS words, of
 * which the ones at the borders stay; KIND 1: cells between nodes, three steps; KIND 2: a product of square
 * matrices; KIND 3: conjugate gradients, three steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, ROOM = 1 << 17 };

static _Alignas(64) char arena[ROOM];
static size_t arena_used;

static void *from_arena(size_t bytes)
{
    void *begin = arena + arena_used;
    arena_used += (bytes + 63) & ~(size_t)63;
    return begin;
}

static void *from_heap(size_t bytes)
{
    return malloc(bytes);
}

static int rows, columns;

/* ---- five points ---- */

static void sweep(double *to, const double *from, const double *factor, const double *source)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            int k = i * columns + j;
            to[k] = from[k] + source[k] +
                    factor[k] * (from[k - 1] + from[k + 1] + from[k - columns] + from[k + columns]);
        }
}

static __attribute__((noinline)) void sweep_and_copy(double *block, size_t n, double *other)
{
    sweep(other, block, block + 2 * n, block + 3 * n);
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) block[i * columns + j] = other[i * columns + j];
}

static double steps_of_fields(double *u, double *w, double *factor, double *source)
{
    for (int t = 0; t < STEPS; t++) {
        sweep(w, u, factor, source);
        double *last = u;
        u = w;
        w = last;
    }
    return u[columns + 1];
}

static double steps_of_parameters(double *block, size_t n)
{
    for (int t = 0; t < STEPS; t++) sweep_and_copy(block, n, block + n);
    return block[columns + 1];
}

static __attribute__((noinline)) void half_a_sweep(double *to, const double *from, int first, int end)
{
    for (int i = first; i < end; i++)
        for (int j = 1; j < columns - 1; j++) {
            int k = i * columns + j;
            to[k] = from[k] + .1 * (from[k - 1] + from[k + 1] + from[k - columns] + from[k + columns]);
        }
}

/* Pointers to the first word that is computed, and to a row in the middle. */
static double within(double *u, double *w, int way)
{
    double *inner = u + columns + 1, *outer = w + columns + 1, *middle = u + rows / 2 * columns;
    for (int t = 0; t < STEPS; t++) {
        if (way) {
            half_a_sweep(w, u, 1, rows / 2);
            half_a_sweep(w + columns, u + columns, rows / 2 - 1, rows - 2);
        } else {
            for (int i = 0; i < rows - 2; i++)
                for (int j = 0; j < columns - 2; j++) {
                    int k = i * columns + j;
                    outer[k] = inner[k] +
                               .1 * (inner[k - 1] + inner[k + 1] + inner[k - columns] + inner[k + columns]);
                }
        }
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++) u[i * columns + j] = w[i * columns + j];
    }
    return middle[1];
}

static void fill(double *field, size_t n)
{
    for (size_t i = 0; i < n; i++) field[i] = (double)(i % 7);
}

/* What is prepared before the region. */
static double *pool;

enum { GAP = 5 };

static void prepare_fields(void)
{
    size_t n = 4 * ((size_t)rows * (size_t)columns + GAP) + 7;
    pool = calloc(n, sizeof *pool);
    fill(pool, n);
}

static double fields(int way)
{
    size_t n = (size_t)rows * (size_t)columns;
    if (way == 0) {
        double *w = pool + n, *factor = w + n, *source = factor + n;
        return steps_of_fields(pool, w, factor, source);
    }
    if (way == 1) {
        double *u = pool + GAP, *w = u + n + GAP, *factor = w + n + 2, *source = factor + n;
        return steps_of_fields(u, w, factor, source);
    }
    if (way == 2) return steps_of_parameters(pool, n);
    if (way == 3) {
        double block[4 * n], *w = block + n, *factor = w + n, *source = factor + n;
        memcpy(block, pool, sizeof block);
        return steps_of_fields(block, w, factor, source);
    }
    return within(pool, calloc(n, sizeof *pool), way - 4);
}

/* ---- cells and nodes ---- */

struct mesh {
    double *node, *cell, *flux;
    int *mark;
};

static struct mesh *mesh;

/* A pointer goes on from each array to the next one. */
static void take_in_turn(size_t n_cells, size_t n_nodes)
{
    double *at = malloc((n_nodes + 2 * n_cells) * sizeof *at);
    mesh->node = at;
    at += n_nodes;
    mesh->cell = at;
    at += n_cells;
    mesh->flux = at;
}

static void prepare_cells(int way)
{
    void *(*get)(size_t) = way ? from_arena : from_heap;
    size_t n_cells = (size_t)rows * (size_t)columns, n_nodes = (size_t)(rows + 1) * (size_t)(columns + 1);
    mesh = malloc(sizeof *mesh);
    mesh->node = get(n_nodes * sizeof(double));
    mesh->mark = get(n_cells * sizeof(int));
    mesh->cell = get(n_cells * sizeof(double));
    mesh->flux = get(n_cells * sizeof(double));
    if (way == 2) take_in_turn(n_cells, n_nodes);
    fill(mesh->node, n_nodes);
    fill(mesh->cell, n_cells);
    for (size_t i = 0; i < n_cells; i++) mesh->mark[i] = (int)(i % 3);
}

static double cells(void)
{
    int n = rows, m = columns;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                const double *at = mesh->node + i * (m + 1) + j;
                mesh->flux[i * m + j] = (at[0] + at[1] + at[m + 1] + at[m + 2]) * (1 + mesh->mark[i * m + j]);
            }
        for (int i = 0; i < n * m; i++) mesh->cell[i] += .1 * mesh->flux[i];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                const double *at = mesh->cell + i * m + j;
                mesh->node[i * (m + 1) + j] += .1 * (at[0] + at[-1] + at[-m] + at[-m - 1]);
            }
    }
    return mesh->cell[m];
}

/* ---- a product, and conjugate gradients ---- */

static __attribute__((noinline)) void multiply(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void prepare_product(void)
{
    size_t words = (size_t)rows * (size_t)rows;
    pool = calloc(3 * words + 11, sizeof *pool);
    fill(pool, 2 * words);
}

static double product(int way)
{
    size_t words = (size_t)rows * (size_t)rows;
    double *b = pool + words, *c = b + words;
    if (way)
        multiply(rows, pool, pool + words, pool + 2 * words);
    else
        multiply(rows, pool, b, c);
    return c[1];
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The five diagonals of the matrix lie one after the other, behind a gap. */
static double *behind_vectors(int n)
{
    return pool + 4 * n + 2 * columns;
}

static void prepare_gradients(void)
{
    int n = rows * columns;
    pool = calloc((size_t)n * 9 + (size_t)columns * 2, sizeof *pool);
    double *d = behind_vectors(n);
    for (int i = 0; i < n; i++) {
        pool[n + i] = pool[2 * n + i] = 1 + i % 5;
        d[i] = 4.1;
        for (int k = 1; k < 5; k++) d[k * n + i] = -1;
    }
}

static double gradients(void)
{
    int n = rows * columns;
    double *x = pool, *r = x + n, *p = r + n, *q = p + n, *d = behind_vectors(n);
    double old = dot(r, r, n);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int k = i * columns + j;
                double sum = d[k] * p[k];
                if (i) sum += d[n + k] * p[k - columns];
                if (i < rows - 1) sum += d[2 * n + k] * p[k + columns];
                if (j) sum += d[3 * n + k] * p[k - 1];
                if (j < columns - 1) sum += d[4 * n + k] * p[k + 1];
                q[k] = sum;
            }
        double alpha = old / dot(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r, n), beta = next / old;
        old = next;
        for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
    }
    return x[1];
}

static void prepare(int way, int kind)
{
    if (kind == 0) prepare_fields();
    if (kind == 1) prepare_cells(way);
    if (kind == 2) prepare_product();
    if (kind == 3) prepare_gradients();
}

static __attribute__((noinline)) double kernel(int way, int kind)
{
    return kind == 0 ? fields(way) : kind == 1 ? cells() : kind == 2 ? product(way) : gradients();
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int way = atoi(argv[1]), kind = atoi(argv[2]);
    rows = atoi(argv[3]);
    columns = atoi(argv[4]);
    prepare(way, kind);
    printf("%g\n", kernel(way, kind));
    return 0;
}
