/*
 * lu: a dense system of linear equations by LU factorization with partial pivoting, on any number of ranks.
 *
 * The matrix has SIZE rows and SIZE + 1 columns: A, and the right side b as the last one, so that b goes
 * through the same steps as A. Columns are dealt to the ranks in panels of WIDTH, panel k to rank k mod
 * ranks, so that all ranks keep work as the rest of the matrix shrinks. For each panel
 *
 *   1. its owner factorizes it (it has whole columns: the search for pivots needs no message)
 *   2. the panel and its pivots go to all: a broadcast of 8 WIDTH bytes for each row that is left
 *   3. each rank applies them to its columns on the right of the panel: 2 WIDTH flop for each entry left
 *
 * in all 2/3 SIZE^3 flop and 4 SIZE^2 bytes broadcast. The solution is then found backwards, panel by panel,
 * by the owners in turn.
 *
 * The entries are scattered numbers that depend on their place alone. Every column sees the same operations
 * in the same order on any number of ranks: the solution is the same to the last bit. Checked as the HPL
 * benchmark does:
 *
 *   |A x - b| / (eps (|A| |x| + |b|) SIZE) < 16   in the maximum norm
 *
 *   mpirun -n 4 lu [SIZE [WIDTH]]
 */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 2000, DEFAULT_WIDTH = 32, MAX_SIZE = 100000 };
static const double residual_limit = 16;

struct matrix {
    int rank, n_ranks;
    int size;      /* rows; there are size + 1 columns */
    int width;     /* columns in a panel */
    int n_columns; /* of this rank */
    double *data;  /* [n_columns][size], column by column */
    double *panel; /* [width][rows left] the panel that is being applied, from its first diagonal row down */
    int *pivots;   /* [width] rows that were exchanged with the panel's diagonal rows */
    double *x;     /* [size] the solution, on every rank */
};

/* A whole number in [low, high], or false. */
static bool read_int(const char *text, long low, long high, int *value)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < low || number > high) return false;
    *value = (int)number;
    return true;
}

static bool read_options(int argc, char **argv, int *size, int *width)
{
    *size = DEFAULT_SIZE;
    *width = DEFAULT_WIDTH;
    if (argc > 3) return false;
    if (argc > 1 && !read_int(argv[1], 1, MAX_SIZE, size)) return false;
    return argc < 3 || read_int(argv[2], 1, 1000, width);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "lu: no memory for %zu items\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* A number in [-1/2, 1/2) that looks random and depends on its place alone (splitmix64, Steele et al. 2014).
 */
static double entry(int row, int column)
{
    uint64_t z = ((uint64_t)row << 32 | (uint32_t)column) * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

/* Columns are named by their place in the whole matrix; b is column `size`. */
static int owner_of(const struct matrix *m, int place)
{
    return place / m->width % m->n_ranks;
}

/* Where the panel ends that begins in column `first`; b is in none. */
static int end_of_panel(const struct matrix *m, int first)
{
    return first + m->width < m->size ? first + m->width : m->size;
}

/* Number of this rank's columns on the left of a column. */
static int columns_before(const struct matrix *m, int place)
{
    int round = m->width * m->n_ranks, rest = place % round - m->rank * m->width;
    return place / round * m->width + (rest < 0 ? 0 : rest < m->width ? rest : m->width);
}

/* The `local`-th column of this rank, and its place. */
static double *local_column(const struct matrix *m, int local)
{
    return m->data + (size_t)local * (size_t)m->size;
}
static int place_of(const struct matrix *m, int local)
{
    return (local / m->width * m->n_ranks + m->rank) * m->width + local % m->width;
}
/* A column that this rank owns. */
static double *column(const struct matrix *m, int place)
{
    return local_column(m, columns_before(m, place));
}

static void matrix_create(struct matrix *m, int size, int width)
{
    *m = (struct matrix){.size = size, .width = width};
    MPI_Comm_size(MPI_COMM_WORLD, &m->n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
    m->n_columns = columns_before(m, size + 1);
    m->data = allocate((size_t)m->n_columns * (size_t)size, sizeof(double));
    m->panel = allocate((size_t)width * (size_t)size, sizeof(double));
    m->pivots = allocate((size_t)width, sizeof(int));
    m->x = allocate((size_t)size, sizeof(double));
    for (int j = 0; j < m->n_columns; j++)
        for (int i = 0; i < size; i++) local_column(m, j)[i] = entry(i, place_of(m, j));
}

static void matrix_destroy(struct matrix *m)
{
    free(m->data);
    free(m->panel);
    free(m->pivots);
    free(m->x);
}

static void swap(double *a, double *b)
{
    double old = *a;
    *a = *b;
    *b = old;
}

/* to -= factor * from */
static void subtract(double *restrict to, const double *restrict from, double factor, int count)
{
    for (int i = 0; i < count; i++) to[i] -= factor * from[i];
}

/* 1. The panel [first, end) on its owner. A singular matrix ends in a residual that is not a number. */
static void factorize(struct matrix *m, int first, int end)
{
    for (int k = first; k < end; k++) {
        double *pivots = column(m, k);
        int pivot = k;
        for (int i = k + 1; i < m->size; i++)
            if (fabs(pivots[i]) > fabs(pivots[pivot])) pivot = i;
        m->pivots[k - first] = pivot;
        for (int j = first; j < end; j++) swap(&column(m, j)[k], &column(m, j)[pivot]);
        for (int i = k + 1; i < m->size; i++) pivots[i] /= pivots[k];
        for (int j = k + 1; j < end; j++)
            subtract(column(m, j) + k + 1, pivots + k + 1, column(m, j)[k], m->size - k - 1);
    }
}

/* 2. */
static void broadcast_panel(struct matrix *m, int first, int end)
{
    const int owner = owner_of(m, first), rows = m->size - first;
    if (m->rank == owner)
        for (int j = first; j < end; j++)
            memcpy(m->panel + (size_t)(j - first) * (size_t)rows, column(m, j) + first,
                   (size_t)rows * sizeof(double));
    MPI_Bcast(m->pivots, end - first, MPI_INT, owner, MPI_COMM_WORLD);
    MPI_Bcast(m->panel, rows * (end - first), MPI_DOUBLE, owner, MPI_COMM_WORLD);
}

/* 3. */
static void apply_panel(struct matrix *m, int first, int end)
{
    const int rows = m->size - first;
    for (int j = columns_before(m, end); j < m->n_columns; j++) {
        double *rest = local_column(m, j) + first;
        for (int k = 0; k < end - first; k++) swap(&rest[k], &rest[m->pivots[k] - first]);
        for (int k = 0; k < end - first; k++)
            subtract(rest + k + 1, m->panel + (size_t)k * (size_t)rows + k + 1, rest[k], rows - k - 1);
    }
}

/* Solve U x = y, where y is what has become of b. What is known of x, and what is left of y, goes round. */
static void substitute_backwards(struct matrix *m)
{
    const int owner = owner_of(m, m->size);
    if (m->rank == owner) memcpy(m->x, column(m, m->size), (size_t)m->size * sizeof(double));
    MPI_Bcast(m->x, m->size, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    for (int first = (m->size - 1) / m->width * m->width; first >= 0; first -= m->width) {
        const int end = end_of_panel(m, first);
        if (m->rank == owner_of(m, first))
            for (int k = end - 1; k >= first; k--) {
                m->x[k] /= column(m, k)[k];
                subtract(m->x, column(m, k), m->x[k], k);
            }
        MPI_Bcast(m->x, end, MPI_DOUBLE, owner_of(m, first), MPI_COMM_WORLD);
    }
}

static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* |A x - b| / (eps (|A| |x| + |b|) SIZE), with A and b made anew. */
static double residual(const struct matrix *m)
{
    double *product =
        allocate(2 * (size_t)m->size, sizeof(double)); /* A x, then the sums of the rows of |A| */
    double *row_sum = product + m->size;
    for (int j = 0; j < m->n_columns && place_of(m, j) < m->size; j++)
        for (int i = 0; i < m->size; i++) {
            double a = entry(i, place_of(m, j));
            product[i] += a * m->x[place_of(m, j)];
            row_sum[i] += fabs(a);
        }
    MPI_Allreduce(MPI_IN_PLACE, product, 2 * m->size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double largest = 0, norm_a = 0, norm_x = 0, norm_b = 0;
    for (int i = 0; i < m->size; i++) {
        double b = entry(i, m->size);
        largest = larger(largest, fabs(product[i] - b));
        norm_a = larger(norm_a, row_sum[i]);
        norm_x = larger(norm_x, fabs(m->x[i]));
        norm_b = larger(norm_b, fabs(b));
    }
    free(product);
    return largest / (DBL_EPSILON * (norm_a * norm_x + norm_b) * m->size);
}

/* Returns the exit status. */
static int solve(struct matrix *m)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime(), sum = 0;
    for (int first = 0; first < m->size; first += m->width) {
        const int end = end_of_panel(m, first);
        if (m->rank == owner_of(m, first)) factorize(m, first, end);
        broadcast_panel(m, first, end);
        apply_panel(m, first, end);
    }
    substitute_backwards(m);
    double time_s = MPI_Wtime() - begin_s;
    double rest = residual(m);
    int correct = rest < residual_limit;
    MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < m->size; i++) sum += m->x[i];
    if (m->rank == 0)
        printf("lu: %d x %d in panels of %d on %d ranks: %.3f s, sum of x %.16e, residual %.2e: %s\n",
               m->size, m->size, m->width, m->n_ranks, time_s, sum, rest, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, width, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (read_options(argc, argv, &size, &width)) {
        struct matrix matrix;
        matrix_create(&matrix, size, width);
        status = solve(&matrix);
        matrix_destroy(&matrix);
    } else if (rank == 0) {
        fprintf(stderr, "usage: lu [SIZE [WIDTH]]   (SIZE 1 to %d)\n", MAX_SIZE);
    }
    MPI_Finalize();
    return status;
}
