/*
 * heat2d: a hot plate cools down. The 2-D heat equation on the unit square by Jacobi's method, on any number
 * of ranks.
 *
 *   u_t = u_xx + u_yy,  u = 0 on the rim,  u(x, y, 0) = sin(pi x) sin(pi y)
 *
 * SIZE x SIZE inner points, h = 1/(SIZE + 1), time step h^2/4: a step replaces every point by the mean of its
 * four neighbours. The first sine mode is an eigenvector of that step with the eigenvalue cos(pi h), so after
 * k steps
 *
 *   u(x, y) = cos(pi h)^k sin(pi x) sin(pi y)      (-> exp(-2 pi^2 t) sin sin as h -> 0)
 *
 * holds to rounding. The program checks it at every point: a halo that arrives late, or at the wrong side,
 * shows.
 *
 *   mpirun -n 4 heat2d [-k EVERY] SIZE STEPS
 *
 * The plate is cut into blocks on a 2-D grid of ranks. A rank stores its block row by row with a rim of one
 * point, exchanges the rim with its four neighbours each step, and every EVERY steps all ranks agree on the
 * largest change.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_SIZE = 100000, DEFAULT_EVERY = 10 };
enum { NORTH, SOUTH, WEST, EAST, N_SIDES };
static const double pi = 3.14159265358979323846;
static const double error_limit = 1e-9; /* relative; rounding alone stays below STEPS * 1e-16 or so */

struct options {
    int size;  /* inner points along a side */
    int steps; /* Jacobi steps */
    int every; /* steps between two global residuals */
};

struct block {
    MPI_Comm comm;
    int dims[2];            /* ranks down, ranks across */
    int first[2];           /* global index of the block's first inner point, from 0 */
    int points[2];          /* inner points of the block: rows, columns */
    int neighbour[N_SIDES]; /* MPI_PROC_NULL at the rim of the plate */
    size_t stride;          /* points[1] + 2 */
    double *now, *next;     /* [points[0] + 2][points[1] + 2], row by row */
    MPI_Datatype column;    /* the inner points of one column */
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
    options->every = DEFAULT_EVERY;
    opterr = 0;
    for (int c = getopt(argc, argv, "k:"); c != -1; c = getopt(argc, argv, "k:"))
        if (c != 'k' || !read_int(optarg, 1, 1000000000, &options->every)) return false;
    return argc - optind == 2 && read_int(argv[optind], 2, MAX_SIZE, &options->size) &&
           read_int(argv[optind + 1], 1, 1000000000, &options->steps);
}

/* Inner points of part `index` when `total` points are dealt to `parts`, and where they begin. */
static int deal(int total, int parts, int index, int *first)
{
    int share = total / parts, rest = total % parts;
    *first = index * share + (index < rest ? index : rest);
    return share + (index < rest ? 1 : 0);
}

/* Cut the plate; false when there are more ranks along a side than points. */
static bool block_create(struct block *block, int size)
{
    int n_ranks, rank, periods[2] = {0, 0}, where[2];
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    block->dims[0] = block->dims[1] = 0;
    MPI_Dims_create(n_ranks, 2, block->dims);
    if (block->dims[0] > size) return false;
    MPI_Cart_create(MPI_COMM_WORLD, 2, block->dims, periods, 1, &block->comm);
    MPI_Comm_rank(block->comm, &rank);
    MPI_Cart_coords(block->comm, rank, 2, where);
    MPI_Cart_shift(block->comm, 0, 1, &block->neighbour[NORTH], &block->neighbour[SOUTH]);
    MPI_Cart_shift(block->comm, 1, 1, &block->neighbour[WEST], &block->neighbour[EAST]);
    for (int d = 0; d < 2; d++) block->points[d] = deal(size, block->dims[d], where[d], &block->first[d]);

    block->stride = (size_t)block->points[1] + 2;
    size_t n_points = ((size_t)block->points[0] + 2) * block->stride;
    block->now = calloc(n_points, sizeof(double));
    block->next = calloc(n_points, sizeof(double));
    if (!block->now || !block->next) {
        fprintf(stderr, "heat2d: no memory for %zu points\n", 2 * n_points);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_vector(block->points[0], 1, (int)block->stride, MPI_DOUBLE, &block->column);
    MPI_Type_commit(&block->column);
    return true;
}

static void block_destroy(struct block *block)
{
    MPI_Type_free(&block->column);
    MPI_Comm_free(&block->comm);
    free(block->now);
    free(block->next);
}

/* The point (row, column) of the block; inner points count from 1, 0 and points + 1 are the rim. */
static size_t at(const struct block *block, int row, int column)
{
    return (size_t)row * block->stride + (size_t)column;
}

/* sin(pi x) sin(pi y) at an inner point of the block. */
static double mode(const struct block *block, int size, int row, int column)
{
    double h = 1.0 / (size + 1);
    return sin(pi * h * (block->first[0] + row)) * sin(pi * h * (block->first[1] + column));
}

static void start(struct block *block, int size)
{
    for (int i = 1; i <= block->points[0]; i++)
        for (int j = 1; j <= block->points[1]; j++) block->now[at(block, i, j)] = mode(block, size, i, j);
}

/* Send the outermost inner points to the neighbours, receive theirs into the rim. */
static void exchange_rim(struct block *block)
{
    const int rows = block->points[0], columns = block->points[1];
    double *u = block->now;
    const size_t rim[N_SIDES] = {at(block, 0, 1), at(block, rows + 1, 1), at(block, 1, 0),
                                 at(block, 1, columns + 1)};
    const size_t edge[N_SIDES] = {at(block, 1, 1), at(block, rows, 1), at(block, 1, 1),
                                  at(block, 1, columns)};
    const int opposite[N_SIDES] = {SOUTH, NORTH, EAST, WEST};
    MPI_Request requests[2 * N_SIDES];
    for (int side = 0; side < N_SIDES; side++) {
        int count = side < WEST ? columns : 1;
        MPI_Datatype type = side < WEST ? MPI_DOUBLE : block->column;
        MPI_Irecv(u + rim[side], count, type, block->neighbour[side], opposite[side], block->comm,
                  &requests[side]);
        MPI_Isend(u + edge[side], count, type, block->neighbour[side], side, block->comm,
                  &requests[N_SIDES + side]);
    }
    MPI_Waitall(2 * N_SIDES, requests, MPI_STATUSES_IGNORE);
}

/* One step of Jacobi's method. */
static void step(struct block *block)
{
    const size_t stride = block->stride;
    for (int i = 1; i <= block->points[0]; i++) {
        const double *u = block->now + at(block, i, 0);
        double *next = block->next + at(block, i, 0);
        for (size_t j = 1; j + 1 < stride; j++)
            next[j] = 0.25 * (u[j - 1] + u[j + 1] + *(u + j - stride) + u[j + stride]);
    }
    double *old = block->now;
    block->now = block->next;
    block->next = old;
}

/* Largest change of the last step on all ranks. */
static double residual(const struct block *block)
{
    double largest = 0;
    for (int i = 1; i <= block->points[0]; i++)
        for (int j = 1; j <= block->points[1]; j++) {
            double change = fabs(block->now[at(block, i, j)] - block->next[at(block, i, j)]);
            if (change > largest) largest = change;
        }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, block->comm);
    return largest;
}

/* Largest distance from the exact result on all ranks, in units of the amplitude. A NaN counts as infinite.
 */
static double relative_error(const struct block *block, int size, double amplitude)
{
    double largest = 0;
    for (int i = 1; i <= block->points[0]; i++)
        for (int j = 1; j <= block->points[1]; j++) {
            double exact = amplitude * mode(block, size, i, j);
            double error = fabs(block->now[at(block, i, j)] - exact) / amplitude;
            if (!(error <= largest)) largest = isnan(error) ? INFINITY : error;
        }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, block->comm);
    return largest;
}

/* Cool the plate down; returns the exit status. */
static int solve(struct block *block, const struct options *options, double amplitude)
{
    start(block, options->size);
    MPI_Barrier(block->comm);
    double begin_s = MPI_Wtime(), change = 0;
    for (int k = 1; k <= options->steps; k++) {
        exchange_rim(block);
        step(block);
        if (k % options->every == 0 || k == options->steps) change = residual(block);
    }
    double time_s = MPI_Wtime() - begin_s;
    double error = relative_error(block, options->size, amplitude);
    bool correct = error <= error_limit;
    int rank;
    MPI_Comm_rank(block->comm, &rank);
    if (rank == 0)
        printf(
            "heat2d: %d x %d points, %d steps on %d x %d ranks: %.3f s, last change %.3e, error %.1e: %s\n",
            options->size, options->size, options->steps, block->dims[0], block->dims[1], time_s, change,
            error, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

static int run(int argc, char **argv, bool speak)
{
    struct options options;
    if (!read_options(argc, argv, &options)) {
        if (speak) fprintf(stderr, "usage: heat2d [-k EVERY] SIZE STEPS   (SIZE 2 to %d)\n", MAX_SIZE);
        return 2;
    }
    double amplitude = pow(cos(pi / (options.size + 1)), options.steps);
    if (amplitude < 1e-200) {
        if (speak) fprintf(stderr, "heat2d: nothing is left of the heat after so many steps; take fewer\n");
        return 2;
    }
    struct block block;
    if (!block_create(&block, options.size)) {
        if (speak) fprintf(stderr, "heat2d: more ranks along a side than the %d points\n", options.size);
        return 2;
    }
    int status = solve(&block, &options, amplitude);
    block_destroy(&block);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = run(argc, argv, rank == 0);
    MPI_Finalize();
    return status;
}
