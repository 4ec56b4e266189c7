/*
 * elastic jacobi: a hot plate cools down, on a number of ranks that changes while it does.
 *
 *   u_t = u_xx + u_yy,  u = 0 on the rim,  u(x, y, 0) = sin(pi x) sin(pi y)
 *
 * SIZE x SIZE inner points, a step replaces every point by the mean of its four neighbours. After k steps
 *
 *   u = cos(pi h)^k sin(pi x) sin(pi y),  h = 1/(SIZE + 1)
 *
 * holds to rounding, which is checked at every point. Every point sees the same operations in the same order
 * on any number of ranks: the result is the same to the last bit however often the run moves; the program
 * prints a sum over all bits.
 *
 *   mpirun -n 4 elastic_jacobi SIZE STEPS                                  as any MPI program
 *   parcast run --schedule 0:2,100:4,300:2 -- elastic_jacobi SIZE STEPS    elastic
 *
 * What makes it elastic are the lines with `parcast_elastic_`.
 */
#include <math.h>
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 100000 };
static const double pi = 3.14159265358979323846;
static const double error_limit = 1e-9; /* relative; rounding alone stays below STEPS * 1e-16 or so */

struct plate {
    MPI_Comm comm;                  /* of the ranks that compute now */
    int64_t size;                   /* inner points along a side */
    const parcast_elastic_array *u; /* [size][size] in rows, with a rim of one point */
    int above, below;               /* ranks that hold the neighbouring rows */
    double *lines;                  /* [2][size + 2] rows as they were before the step */
    double *sines;                  /* [size] sin(pi x) at the inner points of a line */
};

/* A whole number in [low, high], or false. */
static bool read_int(const char *text, long low, long high, int64_t *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && *value >= low && *value <= high;
}

/* Row i of this rank from its first rim point; -1 and count[0] are those of the neighbours. */
static double *row(const struct plate *plate, int64_t i)
{
    return (double *)plate->u->data + (i + 1) * plate->u->stride[0];
}

static void fill_sines(const struct plate *plate)
{
    double h = 1.0 / (double)(plate->size + 1);
    for (int64_t j = 0; j < plate->size; j++) plate->sines[j] = sin(pi * h * (double)(j + 1));
}

static double mode(const struct plate *plate, int64_t i, int64_t j)
{
    return plate->sines[plate->u->first[0] + i] * plate->sines[j];
}

static void start(const struct plate *plate)
{
    for (int64_t i = 0; i < plate->u->count[0]; i++)
        for (int64_t j = 0; j < plate->size; j++) row(plate, i)[j + 1] = mode(plate, i, j);
}

/* Ranks without a row are passed over: they come last. */
static void find_neighbours(struct plate *plate, const parcast_elastic *e)
{
    plate->comm = parcast_elastic_comm(e);
    const parcast_elastic_array *u = plate->u;
    bool any = u->count[0] > 0;
    plate->above = any && u->first[0] > 0 ? u->part[0] - 1 : MPI_PROC_NULL;
    plate->below = any && u->first[0] + u->count[0] < plate->size ? u->part[0] + 1 : MPI_PROC_NULL;
}

static void exchange_rows(const struct plate *plate)
{
    const int n = (int)plate->size + 2;
    const int64_t last = plate->u->count[0] - 1;
    MPI_Sendrecv(row(plate, 0), n, MPI_DOUBLE, plate->above, 0, row(plate, last + 1), n, MPI_DOUBLE,
                 plate->below, 0, plate->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(plate, last), n, MPI_DOUBLE, plate->below, 1, row(plate, -1), n, MPI_DOUBLE,
                 plate->above, 1, plate->comm, MPI_STATUS_IGNORE);
}

/* In place: the row above and this one are remembered as they were. */
static void step(const struct plate *plate)
{
    const size_t bytes = ((size_t)plate->size + 2) * sizeof(double);
    double *above = plate->lines, *here = plate->lines + plate->size + 2;
    memcpy(above, row(plate, -1), bytes);
    for (int64_t i = 0; i < plate->u->count[0]; i++) {
        double *now = row(plate, i);
        const double *below = row(plate, i + 1);
        memcpy(here, now, bytes);
        for (int64_t j = 1; j <= plate->size; j++)
            now[j] = 0.25 * (here[j - 1] + here[j + 1] + above[j] + below[j]);
        double *old = above;
        above = here;
        here = old;
    }
}

/* Largest distance from the exact result in units of the amplitude; and the sum of all bits. */
static double check(const struct plate *plate, double amplitude, uint64_t *bits)
{
    double largest = 0, scale = 1 / amplitude;
    uint64_t sum = 0, word;
    for (int64_t i = 0; i < plate->u->count[0]; i++)
        for (int64_t j = 0; j < plate->size; j++) {
            double value = row(plate, i)[j + 1], error = fabs(value - amplitude * mode(plate, i, j)) * scale;
            if (!(error <= largest)) largest = isnan(error) ? INFINITY : error;
            memcpy(&word, &value, sizeof word);
            sum += word * 0x9e3779b97f4a7c15u;
        }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, plate->comm);
    MPI_Allreduce(&sum, bits, 1, MPI_UINT64_T, MPI_SUM, plate->comm);
    return largest;
}

static int report(const struct plate *plate, int64_t steps)
{
    int rank, n_ranks;
    uint64_t bits;
    double error = check(plate, pow(cos(pi / (double)(plate->size + 1)), (double)steps), &bits);
    bool correct = error <= error_limit;
    MPI_Comm_rank(plate->comm, &rank);
    MPI_Comm_size(plate->comm, &n_ranks);
    if (rank == 0)
        printf("jacobi: %lld x %lld points, %lld steps, ended on %d ranks: bits %016llx, error %.1e: %s\n",
               (long long)plate->size, (long long)plate->size, (long long)steps, n_ranks,
               (unsigned long long)bits, error, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

static int solve(int64_t size, int64_t steps)
{
    struct plate plate = {.size = size};
    parcast_elastic *e = parcast_elastic_open(
        MPI_COMM_WORLD, &(parcast_elastic_options){.iterations = steps, .in_memory = true});
    plate.u = parcast_elastic_add(
        e, &(parcast_elastic_shape){.name = "u",
                                    .element_bytes = sizeof(double),
                                    .n_dims = 2,
                                    .dims = {{.size = size, .kind = PARCAST_ELASTIC_BLOCK, .halo = 1},
                                             {.size = size, .halo = 1}}});
    plate.lines = malloc(2 * ((size_t)size + 2) * sizeof(double));
    plate.sines = malloc((size_t)size * sizeof(double));
    if (!plate.lines || !plate.sines) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        abort();
    }
    fill_sines(&plate);

    parcast_elastic_state state;
    do { /* again after every resize in memory, where communicator and array are others */
        state = PARCAST_ELASTIC_GO_ON;
        int64_t k = parcast_elastic_first_iteration(e);
        find_neighbours(&plate, e);
        if (!parcast_elastic_resumed(e)) start(&plate);
        for (; k < steps; k++) {
            state = parcast_elastic_safe_point(e);
            if (state != PARCAST_ELASTIC_GO_ON) break;
            exchange_rows(&plate);
            step(&plate);
        }
    } while (state == PARCAST_ELASTIC_RESIZED);
    int status = state == PARCAST_ELASTIC_GO_ON ? report(&plate, steps) : 0;
    free(plate.lines);
    free(plate.sines);
    parcast_elastic_close(&e);
    return status;
}

int main(int argc, char **argv)
{
    int64_t size, steps;
    int rank, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 3 && read_int(argv[1], 2, MAX_SIZE, &size) && read_int(argv[2], 1, 1000000000, &steps))
        status = solve(size, steps);
    else if (rank == 0)
        fprintf(stderr, "usage: elastic_jacobi SIZE STEPS   (SIZE 2 to %d)\n", MAX_SIZE);
    MPI_Finalize();
    return status;
}
