/*
 * stencil3d: substances that diffuse through a cube and turn into each other, on any number of ranks.
 *
 *   c_v(t+1) = c_v + r_v (sum of the six neighbours - 6 c_v) + e (c_(v-1) - c_v),   c_v = 0 on the rim
 *
 * for v = 0 ... VARIABLES - 1 (the first is made from the last) at SIZE^3 inner points, h = 1/(SIZE + 1). All
 * begin as multiples of sin(pi x) sin(pi y) sin(pi z), an eigenvector of the seven-point stencil; so they
 * remain multiples, and to rounding the factors follow
 *
 *   a_v(t+1) = a_v + 6 r_v (cos(pi h) - 1) a_v + e (a_(v-1) - a_v)
 *
 * The program checks that at every point; the result is the same to the last bit on any number of ranks.
 *
 *   mpirun -n 4 stencil3d [SIZE [STEPS [VARIABLES]]]
 *
 * The cube is cut into blocks on a 3-D grid of ranks. In each step a rank exchanges the faces of its block
 * with six neighbours, one message for all variables, and computes VARIABLES SIZE^3/ranks points; every 10
 * steps all ranks agree on the largest value.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_SIZE = 96, DEFAULT_STEPS = 200, DEFAULT_VARIABLES = 4 };
enum { MAX_SIZE = 2000, MAX_VARIABLES = 64, EVERY = 10 };
enum { Z, Y, X, N_AXES };
enum { N_SIDES = 2 * N_AXES }; /* side 2 d is the low end of axis d, 2 d + 1 the high end */
static const double pi = 3.14159265358979323846;
static const double fastest = 0.08;      /* r of the last variable; the scheme is stable up to (1 - e)/6 */
static const double exchanged = 0.01;    /* e */
static const double error_limit = 1e-10; /* of the largest value; rounding stays below STEPS * 1e-15 or so */

struct options {
    int size, steps, variables; /* size: inner points along an edge */
};

struct block {
    MPI_Comm comm;
    int rank;
    int dims[N_AXES];   /* ranks along each axis */
    int points[N_AXES]; /* inner points of the block */
    int first[N_AXES];  /* global index of the first of them, from 0 */
    int variables;
    int neighbour[N_SIDES];     /* MPI_PROC_NULL at the rim of the cube */
    MPI_Datatype face[N_SIDES]; /* outermost inner points, of all variables */
    MPI_Datatype rim[N_SIDES];  /* the points beyond them */
    double *now, *next;         /* [variables][z + 2][y + 2][x + 2] */
    double *wave[N_AXES];       /* [points + 2] sin(pi x) along an axis */
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
    *options = (struct options){DEFAULT_SIZE, DEFAULT_STEPS, DEFAULT_VARIABLES};
    if (argc > 4) return false;
    if (argc > 1 && !read_int(argv[1], 2, MAX_SIZE, &options->size)) return false;
    if (argc > 2 && !read_int(argv[2], 1, 1000000000, &options->steps)) return false;
    return argc < 4 || read_int(argv[3], 1, MAX_VARIABLES, &options->variables);
}

static double *allocate(size_t count)
{
    double *memory = calloc(count, sizeof *memory);
    if (!memory) {
        fprintf(stderr, "stencil3d: no memory for %zu points\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Inner points of part `index` when `total` points are dealt to `parts`, and where they begin. */
static int deal(int total, int parts, int index, int *first)
{
    int share = total / parts, rest = total % parts;
    *first = index * share + (index < rest ? index : rest);
    return share + (index < rest ? 1 : 0);
}

/* The layer of all variables at `position` along an axis; inner points count from 1, see `at`. */
static MPI_Datatype layer(const struct block *block, int axis, int position)
{
    int sizes[N_AXES + 1] = {block->variables}, part[N_AXES + 1] = {block->variables},
                       start[N_AXES + 1] = {0};
    for (int d = 0; d < N_AXES; d++) {
        sizes[d + 1] = block->points[d] + 2;
        part[d + 1] = d == axis ? 1 : block->points[d];
        start[d + 1] = d == axis ? position : 1;
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(N_AXES + 1, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Cut the cube; false when there are more ranks along an edge than points. */
static bool block_create(struct block *block, const struct options *options)
{
    int n_ranks, periods[N_AXES] = {0}, where[N_AXES];
    *block = (struct block){.variables = options->variables};
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Dims_create(n_ranks, N_AXES, block->dims);
    if (block->dims[0] > options->size) return false;
    MPI_Cart_create(MPI_COMM_WORLD, N_AXES, block->dims, periods, 1, &block->comm);
    MPI_Comm_rank(block->comm, &block->rank);
    MPI_Cart_coords(block->comm, block->rank, N_AXES, where);

    size_t n_points = (size_t)options->variables;
    for (size_t d = 0; d < N_AXES; d++) {
        MPI_Cart_shift(block->comm, (int)d, 1, &block->neighbour[2 * d], &block->neighbour[2 * d + 1]);
        block->points[d] = deal(options->size, block->dims[d], where[d], &block->first[d]);
        n_points *= (size_t)block->points[d] + 2;
        block->wave[d] = allocate((size_t)block->points[d] + 2);
        for (int i = 1; i <= block->points[d]; i++)
            block->wave[d][i] = sin(pi * (block->first[d] + i) / (options->size + 1));
    }
    for (size_t d = 0; d < N_AXES; d++) {
        block->rim[2 * d] = layer(block, (int)d, 0);
        block->face[2 * d] = layer(block, (int)d, 1);
        block->face[2 * d + 1] = layer(block, (int)d, block->points[d]);
        block->rim[2 * d + 1] = layer(block, (int)d, block->points[d] + 1);
    }
    block->now = allocate(n_points);
    block->next = allocate(n_points);
    return true;
}

static void block_destroy(struct block *block)
{
    for (int side = 0; side < N_SIDES; side++) {
        MPI_Type_free(&block->face[side]);
        MPI_Type_free(&block->rim[side]);
    }
    for (int d = 0; d < N_AXES; d++) free(block->wave[d]);
    MPI_Comm_free(&block->comm);
    free(block->now);
    free(block->next);
}

/* The point (z, y, x) of a variable; x = 0 and x = points[X] + 1 are the rim, and so along the other axes. */
static size_t at(const struct block *block, int variable, int z, int y, int x)
{
    const size_t layers = (size_t)block->points[Z] + 2, rows = (size_t)block->points[Y] + 2;
    const size_t row = ((size_t)variable * layers + (size_t)z) * rows + (size_t)y;
    return row * ((size_t)block->points[X] + 2) + (size_t)x;
}

static double speed_of(int variable, int n_variables)
{
    return fastest * (variable + 1) / n_variables;
}

/* The variables' factors after all steps. */
static void factors(const struct options *options, double *factor)
{
    const int n = options->variables;
    const double stencil = 6 * (cos(pi / (options->size + 1)) - 1);
    for (int v = 0; v < n; v++) factor[v] = 1 + v;
    for (int k = 0; k < options->steps; k++) {
        double made_from = factor[n - 1];
        for (int v = 0; v < n; v++) {
            double old = factor[v];
            factor[v] += speed_of(v, n) * stencil * old + exchanged * (made_from - old);
            made_from = old;
        }
    }
}

/* sin(pi x) sin(pi y) sin(pi z) */
static double mode(const struct block *block, int z, int y, int x)
{
    return block->wave[Z][z] * block->wave[Y][y] * block->wave[X][x];
}

static void start(struct block *block)
{
    for (int v = 0; v < block->variables; v++)
        for (int z = 1; z <= block->points[Z]; z++)
            for (int y = 1; y <= block->points[Y]; y++)
                for (int x = 1; x <= block->points[X]; x++)
                    block->now[at(block, v, z, y, x)] = (1 + v) * mode(block, z, y, x);
}

/* Send the faces of the block to the neighbours, receive theirs into the rim. */
static void exchange_faces(struct block *block)
{
    MPI_Request requests[2 * N_SIDES], *request = requests;
    for (int side = 0; side < N_SIDES; side++) {
        int to = block->neighbour[side],
            opposite = side ^ 1; /* a message is named by the side it left from */
        MPI_Irecv(block->now, 1, block->rim[side], to, opposite, block->comm, request++);
        MPI_Isend(block->now, 1, block->face[side], to, side, block->comm, request++);
    }
    MPI_Waitall(2 * N_SIDES, requests, MPI_STATUSES_IGNORE);
}

static void step(struct block *block)
{
    const size_t length = (size_t)block->points[X] + 2, layer_size = length * ((size_t)block->points[Y] + 2);
    for (int v = 0; v < block->variables; v++) {
        const double r = speed_of(v, block->variables);
        const int source = v == 0 ? block->variables - 1 : v - 1;
        for (int z = 1; z <= block->points[Z]; z++)
            for (int y = 1; y <= block->points[Y]; y++) {
                const double *c = block->now + at(block, v, z, y, 0);
                const double *made_from = block->now + at(block, source, z, y, 0);
                double *next = block->next + at(block, v, z, y, 0);
                for (size_t x = 1; x + 1 < length; x++) {
                    double six = c[x - 1] + c[x + 1] + *(c + x - length) + c[x + length] +
                                 *(c + x - layer_size) + c[x + layer_size];
                    next[x] = c[x] + r * (six - 6 * c[x]) + exchanged * (made_from[x] - c[x]);
                }
            }
    }
    double *old = block->now;
    block->now = block->next;
    block->next = old;
}

/* Largest distance on all ranks from `factor` times the mode, or from zero. A NaN counts as infinite. */
static double largest(const struct block *block, const double *factor)
{
    double found = 0;
    for (int v = 0; v < block->variables; v++)
        for (int z = 1; z <= block->points[Z]; z++)
            for (int y = 1; y <= block->points[Y]; y++)
                for (int x = 1; x <= block->points[X]; x++) {
                    double wanted = factor ? factor[v] * mode(block, z, y, x) : 0;
                    double distance = fabs(block->now[at(block, v, z, y, x)] - wanted);
                    if (!(distance <= found)) found = isnan(distance) ? INFINITY : distance;
                }
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_DOUBLE, MPI_MAX, block->comm);
    return found;
}

/* Take all steps; returns the exit status. */
static int solve(struct block *block, const struct options *options, const double *factor)
{
    start(block);
    MPI_Barrier(block->comm);
    double begin_s = MPI_Wtime(), value = 0;
    for (int k = 1; k <= options->steps; k++) {
        exchange_faces(block);
        step(block);
        if (k % EVERY == 0 || k == options->steps) value = largest(block, NULL);
    }
    double time_s = MPI_Wtime() - begin_s;
    double error = largest(block, factor) / value;
    bool correct = error <= error_limit;
    if (block->rank == 0)
        printf("stencil3d: %d^3 points, %d variables, %d steps on %d x %d x %d ranks: %.3f s, largest %.16e, "
               "error %.1e: %s\n",
               options->size, options->variables, options->steps, block->dims[Z], block->dims[Y],
               block->dims[X], time_s, value, error, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

static int run(int argc, char **argv, bool speak)
{
    struct options options;
    if (!read_options(argc, argv, &options)) {
        if (speak) fprintf(stderr, "usage: stencil3d [SIZE [STEPS [VARIABLES]]]   (SIZE 2 or more)\n");
        return 2;
    }
    double factor[MAX_VARIABLES];
    factors(&options, factor);
    if (factor[0] < 1e-200) {
        if (speak) fprintf(stderr, "stencil3d: nothing is left after so many steps; take fewer\n");
        return 2;
    }
    struct block block;
    if (!block_create(&block, &options)) {
        if (speak) fprintf(stderr, "stencil3d: more ranks along an edge than the %d points\n", options.size);
        return 2;
    }
    int status = solve(&block, &options, factor);
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
