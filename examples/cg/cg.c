/*
 * cg: systems of linear equations with a large sparse matrix by the method of conjugate gradients, on any
 * number of ranks.
 *
 * The matrix is the Laplacian of a weighted graph, shifted: A = D - W + d I. Each of the ROWS vertices has
 * d = NEIGHBOURS neighbours at distances that are scattered over the whole graph, weights w_ij = w_ji are in
 * (0, 1), and D_ii = sum_j w_ij. By Gershgorin's circles the eigenvalues lie in [d, 3d], so the condition
 * number is at most 3, and after k steps, whatever the size,
 *
 *   |x_k - x| / |x| <= 2 sqrt(3) ((sqrt(3) - 1) / (sqrt(3) + 1))^k      (2e-14 after 25)
 *
 * Each solution x is chosen first and b = A x made from it, so that the error can be checked. An entry that
 * arrives late or wrong makes the residual another one than b - A x, and the result is not x.
 *
 *   mpirun -n 4 cg [ROWS [NEIGHBOURS [SOLVES]]]
 *
 * A rank holds a block of rows (compressed) and the same block of every vector. A step multiplies once, for
 * which all ranks gather the direction vector, and takes two scalar products. The sums depend in their last
 * digits on the number of ranks.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_ROWS = 60000, DEFAULT_NEIGHBOURS = 32, DEFAULT_SOLVES = 40 };
enum { MIN_ROWS = 64, MAX_ROWS = 100000000, MAX_NEIGHBOURS = 1000, STEPS = 25 };
static const double error_limit = 1e-12; /* relative; see above */

struct options {
    int rows;       /* of the matrix; vertices of the graph */
    int neighbours; /* of a vertex, even */
    int solves;     /* systems, one after the other */
};

struct equations {
    int n_rows;                     /* of this rank */
    int first;                      /* index of its first row in the matrix */
    size_t *start;                  /* [n_rows + 1] where a row begins in column and weight */
    int *column;                    /* [entries] index in the whole matrix */
    double *weight;                 /* [entries] */
    int *counts, *displs;           /* [ranks] the blocks of all ranks, as MPI_Allgatherv wants them */
    double *whole;                  /* [rows] a gathered vector */
    double *x, *r, *p, *q, *wanted; /* [n_rows] iterate, residual, direction, A p, the solution */
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

static bool read_options(int argc, char **argv, struct options *options)
{
    *options = (struct options){DEFAULT_ROWS, DEFAULT_NEIGHBOURS, DEFAULT_SOLVES};
    if (argc > 4) return false;
    if (argc > 1 && !read_int(argv[1], MIN_ROWS, MAX_ROWS, &options->rows)) return false;
    if (argc > 2 && !read_int(argv[2], 2, MAX_NEIGHBOURS, &options->neighbours)) return false;
    if (argc > 3 && !read_int(argv[3], 1, 1000000000, &options->solves)) return false;
    return options->neighbours % 2 == 0 && options->neighbours < options->rows;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "cg: no memory for %zu items\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Rows of part `index` when `total` rows are dealt to `parts`, and where they begin. */
static int deal(int total, int parts, int index, int *first)
{
    int share = total / parts, rest = total % parts;
    *first = index * share + (index < rest ? index : rest);
    return share + (index < rest ? 1 : 0);
}

/* A number in [0, 1) that looks random and depends on its two arguments alone (splitmix64, Steele et al.
 * 2014). */
static double scattered(uint32_t high, uint32_t low)
{
    uint64_t z = ((uint64_t)high << 32 | low) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Distance of the j-th pair of neighbours: one out of each of neighbours/2 equal parts of [1, (rows - 1)/2].
 */
static int distance(const struct options *options, int j)
{
    int first, width = deal((options->rows - 1) / 2, options->neighbours / 2, j, &first);
    return 1 + first + (int)(scattered(UINT32_MAX, (uint32_t)j) * width);
}

static double edge(int a, int b)
{
    return a < b ? scattered((uint32_t)a, (uint32_t)b) : scattered((uint32_t)b, (uint32_t)a);
}

/* Fill this rank's rows: the neighbours on both sides, and the diagonal last. */
static void fill(struct equations *equations, const struct options *options)
{
    size_t entry = 0;
    for (int i = 0; i < equations->n_rows; i++) {
        int row = equations->first + i;
        double diagonal = options->neighbours;
        for (int j = 0; j < options->neighbours; j++) {
            int far = distance(options, j / 2);
            int other = (int)(((long)row + (j % 2 ? options->rows - far : far)) % options->rows);
            double weight = edge(row, other);
            equations->column[entry] = other;
            equations->weight[entry++] = -weight;
            diagonal += weight;
        }
        equations->column[entry] = row;
        equations->weight[entry++] = diagonal;
        equations->start[i + 1] = entry;
    }
}

static void equations_create(struct equations *equations, const struct options *options)
{
    int n_ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    equations->counts = allocate((size_t)n_ranks, sizeof(int));
    equations->displs = allocate((size_t)n_ranks, sizeof(int));
    for (int i = 0; i < n_ranks; i++)
        equations->counts[i] = deal(options->rows, n_ranks, i, &equations->displs[i]);
    equations->n_rows = equations->counts[rank];
    equations->first = equations->displs[rank];

    const size_t n_rows = (size_t)equations->n_rows, n_entries = n_rows * ((size_t)options->neighbours + 1);
    equations->start = allocate(n_rows + 1, sizeof(size_t));
    equations->column = allocate(n_entries, sizeof(int));
    equations->weight = allocate(n_entries, sizeof(double));
    equations->whole = allocate((size_t)options->rows, sizeof(double));
    equations->x = allocate(5 * n_rows, sizeof(double));
    equations->r = equations->x + n_rows;
    equations->p = equations->r + n_rows;
    equations->q = equations->p + n_rows;
    equations->wanted = equations->q + n_rows;
    fill(equations, options);
}

static void equations_destroy(struct equations *equations)
{
    free(equations->counts);
    free(equations->displs);
    free(equations->start);
    free(equations->column);
    free(equations->weight);
    free(equations->whole);
    free(equations->x);
}

/* to = A from; every rank gathers the whole of `from`. */
static void multiply(const struct equations *equations, const double *from, double *to)
{
    MPI_Allgatherv(from, equations->n_rows, MPI_DOUBLE, equations->whole, equations->counts,
                   equations->displs, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < equations->n_rows; i++) {
        double sum = 0;
        for (size_t k = equations->start[i]; k < equations->start[i + 1]; k++)
            sum += equations->weight[k] * equations->whole[equations->column[k]];
        to[i] = sum;
    }
}

static double scalar_product(const struct equations *equations, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < equations->n_rows; i++) sum += a[i] * b[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Choose solution `number`, and begin from x = 0: residual and direction are b = A wanted. */
static void start(struct equations *equations, int number)
{
    for (int i = 0; i < equations->n_rows; i++)
        equations->wanted[i] = 2 * scattered((uint32_t)number, (uint32_t)(equations->first + i)) - 1;
    multiply(equations, equations->wanted, equations->r);
    for (int i = 0; i < equations->n_rows; i++) {
        equations->x[i] = 0;
        equations->p[i] = equations->r[i];
    }
}

/* Hestenes and Stiefel 1952. */
static void conjugate_gradients(struct equations *equations)
{
    double rho = scalar_product(equations, equations->r, equations->r);
    for (int k = 0; k < STEPS; k++) {
        multiply(equations, equations->p, equations->q);
        double alpha = rho / scalar_product(equations, equations->p, equations->q);
        for (int i = 0; i < equations->n_rows; i++) {
            equations->x[i] += alpha * equations->p[i];
            equations->r[i] -= alpha * equations->q[i];
        }
        double before = rho;
        rho = scalar_product(equations, equations->r, equations->r);
        for (int i = 0; i < equations->n_rows; i++)
            equations->p[i] = equations->r[i] + rho / before * equations->p[i];
    }
}

/* |x - wanted| / |wanted| */
static double relative_error(const struct equations *equations)
{
    double sums[2] = {0, 0};
    for (int i = 0; i < equations->n_rows; i++) {
        double difference = equations->x[i] - equations->wanted[i];
        sums[0] += difference * difference;
        sums[1] += equations->wanted[i] * equations->wanted[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(sums[0] / sums[1]);
}

/* Solve all systems; returns the exit status. */
static int solve(struct equations *equations, const struct options *options)
{
    int n_ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double worst = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime();
    for (int k = 0; k < options->solves; k++) {
        start(equations, k);
        conjugate_gradients(equations);
        double error = relative_error(equations);
        if (!(error <= worst)) worst = isnan(error) ? INFINITY : error;
    }
    double time_s = MPI_Wtime() - begin_s;
    bool correct = worst <= error_limit;
    if (rank == 0)
        printf("cg: %d rows, %d neighbours, %d solves of %d steps on %d ranks: %.3f s, error %.1e: %s\n",
               options->rows, options->neighbours, options->solves, STEPS, n_ranks, time_s, worst,
               correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct options options;
    if (read_options(argc, argv, &options)) {
        struct equations equations;
        equations_create(&equations, &options);
        status = solve(&equations, &options);
        equations_destroy(&equations);
    } else if (rank == 0) {
        fprintf(stderr,
                "usage: cg [ROWS [NEIGHBOURS [SOLVES]]]   (%d rows or more, an even number of neighbours)\n",
                MIN_ROWS);
    }
    MPI_Finalize();
    return status;
}
