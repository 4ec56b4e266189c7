/*
 * cg: systems of linear equations with a large sparse matrix, by conjugate gradients. The sequential program
 * that examples/cg distributes; matrix and check stand there.
 *
 *   cg [ROWS [NEIGHBOURS [SOLVES]]]
 */
#include <math.h>
#include <parcast/region.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_ROWS = 2000, DEFAULT_NEIGHBOURS = 32, DEFAULT_SOLVES = 1, MIN_ROWS = 64, STEPS = 25 };

struct equations {
    int rows, neighbours;
    size_t *start;
    int *column;
    double *weight, *x, *r, *p, *q, *wanted;
};

/* A number in [0, 1) that looks random (splitmix64, Steele et al. 2014). */
static double scattered(uint32_t high, uint32_t low)
{
    uint64_t z = ((uint64_t)high << 32 | low) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Distance of the j-th pair of neighbours, as in examples/cg. */
static int distance(const struct equations *e, int j)
{
    int total = (e->rows - 1) / 2, parts = e->neighbours / 2, share = total / parts, rest = total % parts;
    int first = j * share + (j < rest ? j : rest), width = share + (j < rest ? 1 : 0);
    return 1 + first + (int)(scattered(UINT32_MAX, (uint32_t)j) * width);
}

static double edge(int a, int b)
{
    return a < b ? scattered((uint32_t)a, (uint32_t)b) : scattered((uint32_t)b, (uint32_t)a);
}

static void fill(struct equations *e)
{
    size_t entry = 0;
    for (int row = 0; row < e->rows; row++) {
        double diagonal = e->neighbours;
        for (int j = 0; j < e->neighbours; j++) {
            int far = distance(e, j / 2),
                other = (int)(((long)row + (j % 2 ? e->rows - far : far)) % e->rows);
            double weight = edge(row, other);
            e->column[entry] = other;
            e->weight[entry++] = -weight;
            diagonal += weight;
        }
        e->column[entry] = row;
        e->weight[entry++] = diagonal;
        e->start[row + 1] = entry;
    }
}

static void multiply(const struct equations *e, const double *from, double *to)
{
    for (int i = 0; i < e->rows; i++) {
        double sum = 0;
        for (size_t k = e->start[i]; k < e->start[i + 1]; k++) sum += e->weight[k] * from[e->column[k]];
        to[i] = sum;
    }
}

static double scalar_product(const struct equations *e, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < e->rows; i++) sum += a[i] * b[i];
    return sum;
}

/* Hestenes and Stiefel 1952, from x = 0. */
static void solve(struct equations *e)
{
    multiply(e, e->wanted, e->r);
    for (int i = 0; i < e->rows; i++) {
        e->x[i] = 0;
        e->p[i] = e->r[i];
    }
    double rho = scalar_product(e, e->r, e->r);
    for (int k = 0; k < STEPS; k++) {
        multiply(e, e->p, e->q);
        double alpha = rho / scalar_product(e, e->p, e->q);
        for (int i = 0; i < e->rows; i++) {
            e->x[i] += alpha * e->p[i];
            e->r[i] -= alpha * e->q[i];
        }
        double before = rho;
        rho = scalar_product(e, e->r, e->r);
        for (int i = 0; i < e->rows; i++) e->p[i] = e->r[i] + rho / before * e->p[i];
    }
}

static double relative_error(const struct equations *e)
{
    double difference = 0, length = 0;
    for (int i = 0; i < e->rows; i++) {
        difference += (e->x[i] - e->wanted[i]) * (e->x[i] - e->wanted[i]);
        length += e->wanted[i] * e->wanted[i];
    }
    return sqrt(difference / length);
}

static int create(struct equations *e)
{
    size_t n = (size_t)e->rows, entries = n * ((size_t)e->neighbours + 1);
    e->start = calloc(n + 1, sizeof *e->start);
    e->column = calloc(entries, sizeof *e->column);
    e->weight = calloc(entries, sizeof *e->weight);
    e->x = calloc(n, sizeof *e->x);
    e->r = calloc(n, sizeof *e->r);
    e->p = calloc(n, sizeof *e->p);
    e->q = calloc(n, sizeof *e->q);
    e->wanted = calloc(n, sizeof *e->wanted);
    return e->start && e->column && e->weight && e->x && e->r && e->p && e->q && e->wanted;
}

static void destroy(struct equations *e)
{
    free(e->start);
    free(e->column);
    free(e->weight);
    free(e->x);
    free(e->r);
    free(e->p);
    free(e->q);
    free(e->wanted);
}

int main(int argc, char **argv)
{
    struct equations e = {.rows = argc > 1 ? atoi(argv[1]) : DEFAULT_ROWS,
                          .neighbours = argc > 2 ? atoi(argv[2]) : DEFAULT_NEIGHBOURS};
    int solves = argc > 3 ? atoi(argv[3]) : DEFAULT_SOLVES;
    if (argc > 4 || e.rows < MIN_ROWS || e.neighbours < 2 || e.neighbours % 2 || e.neighbours >= e.rows ||
        solves < 1) {
        fprintf(stderr,
                "usage: cg [ROWS [NEIGHBOURS [SOLVES]]]   (%d rows or more, an even number of neighbours)\n",
                MIN_ROWS);
        return 2;
    }
    if (!create(&e)) {
        destroy(&e);
        fprintf(stderr, "cg: no memory for %d rows\n", e.rows);
        return 1;
    }
    fill(&e);
    double worst = 0;
    for (int number = 0; number < solves; number++) {
        for (int i = 0; i < e.rows; i++) e.wanted[i] = 2 * scattered((uint32_t)number, (uint32_t)i) - 1;
        parcast_region_begin();
        solve(&e);
        parcast_region_end();
        worst = fmax(worst, relative_error(&e));
    }
    printf("cg: %d rows, %d neighbours, %d solves of %d steps, error %.1e: %s\n", e.rows, e.neighbours,
           solves, STEPS, worst, worst <= 1e-12 ? "correct" : "WRONG");
    destroy(&e);
    return worst <= 1e-12 ? 0 : 1;
}
