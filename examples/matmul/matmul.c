/*
 * matmul: the product of two square matrices, on any number of ranks.
 *
 *   A_ik = a_i + b_k,  B_kj = c_k + d_j   with small whole numbers, so that
 *
 *   C_ij = a_i sum_k c_k + SIZE a_i d_j + sum_k b_k c_k + d_j sum_k b_k
 *
 * holds exactly. The program checks it at every entry: a panel that arrives late, or at the wrong place,
 * shows.
 *
 *   mpirun -n 4 matmul [SIZE [REPETITIONS]]
 *
 * The matrices are cut into blocks on a 2-D grid of ranks. A rank gathers the panel of A that its row of
 * ranks holds and the panel of B that its column holds, SIZE^2 (rows + columns of ranks - 2) numbers over all
 * ranks, and multiplies them.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 768, DEFAULT_REPETITIONS = 3, MAX_SIZE = 30000 };
enum { ROWS, COLUMNS };

struct grid {
    MPI_Comm comm, line[2]; /* all; the ranks of the same rows, of the same columns */
    int dims[2], where[2];
    int first[2], size[2]; /* of the block of C */
};

struct panels {
    double *a, *b, *c;               /* [rows][own columns of A], [own rows of B][columns], [rows][columns] */
    double *a_panel, *b_panel;       /* blocks of A one after the other; [SIZE][columns] of B */
    int *a_counts, *a_begins;        /* of the ranks of the same rows */
    int *b_counts, *b_begins;        /* of the ranks of the same columns */
    int own_columns[2], own_rows[2]; /* first and number, of the own parts of A and B */
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

/* Lines of part `index` when `total` lines are dealt to `parts`, and where they begin. */
static int deal(int total, int parts, int index, int *first)
{
    int share = total / parts, rest = total % parts;
    *first = index * share + (index < rest ? index : rest);
    return share + (index < rest ? 1 : 0);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory) return memory;
    fprintf(stderr, "matmul: no memory for %zu items\n", count);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort(); /* what comes after it is not defined */
}

static double a_of(int i)
{
    return i % 7;
}
static double b_of(int k)
{
    return k % 5 - 2;
}
static double c_of(int k)
{
    return k % 3 + 1;
}
static double d_of(int j)
{
    return j % 11;
}

/* False when there are more ranks along a side than lines. */
static bool grid_create(struct grid *grid, int size)
{
    int n_ranks, rank, periods[2] = {0, 0}, keep[2][2] = {{0, 1}, {1, 0}};
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    grid->dims[0] = grid->dims[1] = 0;
    MPI_Dims_create(n_ranks, 2, grid->dims);
    if (grid->dims[0] > size) return false;
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid->dims, periods, 0, &grid->comm);
    MPI_Comm_rank(grid->comm, &rank);
    MPI_Cart_coords(grid->comm, rank, 2, grid->where);
    for (int d = 0; d < 2; d++) {
        MPI_Cart_sub(grid->comm, keep[d], &grid->line[d]);
        grid->size[d] = deal(size, grid->dims[d], grid->where[d], &grid->first[d]);
    }
    return true;
}

static void grid_destroy(struct grid *grid)
{
    MPI_Comm_free(&grid->line[ROWS]);
    MPI_Comm_free(&grid->line[COLUMNS]);
    MPI_Comm_free(&grid->comm);
}

/* How many numbers every rank of a line holds, and where they go. */
static void shares(int size, int parts, int width, int **counts, int **begins)
{
    *counts = allocate((size_t)parts, sizeof(int));
    *begins = allocate((size_t)parts, sizeof(int));
    for (int q = 0; q < parts; q++) {
        int first;
        (*counts)[q] = deal(size, parts, q, &first) * width;
        (*begins)[q] = first * width;
    }
}

static void panels_create(struct panels *p, const struct grid *grid, int size)
{
    const size_t rows = (size_t)grid->size[ROWS], columns = (size_t)grid->size[COLUMNS];
    p->own_columns[1] = deal(size, grid->dims[COLUMNS], grid->where[COLUMNS], &p->own_columns[0]);
    p->own_rows[1] = deal(size, grid->dims[ROWS], grid->where[ROWS], &p->own_rows[0]);
    p->a = allocate(rows * (size_t)p->own_columns[1], sizeof(double));
    p->b = allocate((size_t)p->own_rows[1] * columns, sizeof(double));
    p->c = allocate(rows * columns, sizeof(double));
    p->a_panel = allocate(rows * (size_t)size, sizeof(double));
    p->b_panel = allocate((size_t)size * columns, sizeof(double));
    shares(size, grid->dims[COLUMNS], grid->size[ROWS], &p->a_counts, &p->a_begins);
    shares(size, grid->dims[ROWS], grid->size[COLUMNS], &p->b_counts, &p->b_begins);
    for (int i = 0; i < grid->size[ROWS]; i++)
        for (int k = 0; k < p->own_columns[1]; k++)
            p->a[i * p->own_columns[1] + k] = a_of(grid->first[ROWS] + i) + b_of(p->own_columns[0] + k);
    for (int k = 0; k < p->own_rows[1]; k++)
        for (int j = 0; j < grid->size[COLUMNS]; j++)
            p->b[k * grid->size[COLUMNS] + j] = c_of(p->own_rows[0] + k) + d_of(grid->first[COLUMNS] + j);
}

static void panels_destroy(struct panels *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    free(p->a_panel);
    free(p->b_panel);
    free(p->a_counts);
    free(p->a_begins);
    free(p->b_counts);
    free(p->b_begins);
}

static void gather(struct panels *p, const struct grid *grid)
{
    MPI_Allgatherv(p->a, grid->size[ROWS] * p->own_columns[1], MPI_DOUBLE, p->a_panel, p->a_counts,
                   p->a_begins, MPI_DOUBLE, grid->line[ROWS]);
    MPI_Allgatherv(p->b, p->own_rows[1] * grid->size[COLUMNS], MPI_DOUBLE, p->b_panel, p->b_counts,
                   p->b_begins, MPI_DOUBLE, grid->line[COLUMNS]);
}

/* One block of A's panel after the other, in the order of k. */
static void multiply(struct panels *p, const struct grid *grid)
{
    const int rows = grid->size[ROWS], columns = grid->size[COLUMNS];
    memset(p->c, 0, (size_t)rows * (size_t)columns * sizeof(double));
    for (int q = 0; q < grid->dims[COLUMNS]; q++) {
        const int width = p->a_counts[q] / rows, first = p->a_begins[q] / rows;
        const double *a = p->a_panel + p->a_begins[q];
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < width; k++) {
                const double factor = a[i * width + k],
                             *b = p->b_panel + (size_t)(first + k) * (size_t)columns;
                double *c = p->c + (size_t)i * (size_t)columns;
                for (int j = 0; j < columns; j++) c[j] += factor * b[j];
            }
    }
}

static long wrong_entries(const struct panels *p, const struct grid *grid, int size)
{
    double sum_b = 0, sum_c = 0, sum_bc = 0;
    long wrong = 0;
    for (int k = 0; k < size; k++) {
        sum_b += b_of(k);
        sum_c += c_of(k);
        sum_bc += b_of(k) * c_of(k);
    }
    for (int i = 0; i < grid->size[ROWS]; i++)
        for (int j = 0; j < grid->size[COLUMNS]; j++) {
            double a = a_of(grid->first[ROWS] + i), d = d_of(grid->first[COLUMNS] + j);
            wrong += p->c[i * grid->size[COLUMNS] + j] != a * sum_c + size * a * d + sum_bc + d * sum_b;
        }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, grid->comm);
    return wrong;
}

/* Multiply; returns the exit status. */
static int solve(const struct grid *grid, int size, int repetitions)
{
    struct panels panels;
    int rank;
    long wrong = 0;
    panels_create(&panels, grid, size);
    MPI_Comm_rank(grid->comm, &rank);
    MPI_Barrier(grid->comm);
    double begin_s = MPI_Wtime();
    for (int r = 0; r < repetitions; r++) {
        gather(&panels, grid);
        multiply(&panels, grid);
    }
    double time_s = MPI_Wtime() - begin_s;
    wrong = wrong_entries(&panels, grid, size);
    if (rank == 0)
        printf("matmul: %d x %d, %d times on %d x %d ranks: %.3f s, %ld wrong: %s\n", size, size, repetitions,
               grid->dims[0], grid->dims[1], time_s, wrong, wrong ? "WRONG" : "correct");
    panels_destroy(&panels);
    return wrong ? 1 : 0;
}

int main(int argc, char **argv)
{
    int rank, status = 2, size = DEFAULT_SIZE, repetitions = DEFAULT_REPETITIONS;
    struct grid grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 3 || (argc > 1 && !read_int(argv[1], 1, MAX_SIZE, &size)) ||
        (argc > 2 && !read_int(argv[2], 1, 1000000000, &repetitions))) {
        if (rank == 0) fprintf(stderr, "usage: matmul [SIZE [REPETITIONS]]   (SIZE 1 to %d)\n", MAX_SIZE);
    } else if (!grid_create(&grid, size)) {
        if (rank == 0) fprintf(stderr, "matmul: more ranks along a side than the %d lines\n", size);
    } else {
        status = solve(&grid, size, repetitions);
        grid_destroy(&grid);
    }
    MPI_Finalize();
    return status;
}
