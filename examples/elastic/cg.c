/*
 * elastic cg: a large sparse system of linear equations by the method of conjugate gradients, on a number of
 * ranks that changes meanwhile.
 *
 * The matrix is the Laplacian of a weighted graph, shifted: A = D - W + d I. Each of ROWS vertices on a ring
 * has d = NEIGHBOURS neighbours at scattered distances, with weights w_ij = w_ji in (0, 1). By Gershgorin's
 * circles the eigenvalues lie in [d, 3d], so after k steps |x_k - x| / |x| <= 2 sqrt(3) 0.268^k. The solution
 * is chosen first and b = A x made from it; each of SOLVES systems takes 25 steps, one iteration of the run
 * is one step.
 *
 * Rows are dealt in blocks of 256 in turn. A scalar product is summed block by block, and the sums of the
 * blocks, which are the same on any number of ranks, in their order: the result is the same to the last bit
 * however often the run moves. The matrix is read-only: it is never saved, each rank makes its part anew.
 *
 *   mpirun -n 4 elastic_cg [ROWS [NEIGHBOURS [SOLVES]]]
 *   parcast run --schedule 0:2,100:4 -- elastic_cg
 */
#include <math.h>
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, STEPS = 25, MAX_ROWS = 100000000, MAX_NEIGHBOURS = 1000 };
static const double error_limit = 1e-12; /* relative; see above */

struct equations {
    int64_t rows, neighbours, n_blocks;
    MPI_Comm comm; /* of the ranks that compute now */
    int rank, n_ranks;
    parcast_elastic *e;
    const parcast_elastic_array *weights, *x, *r, *p; /* rows are distributed alike in all of them */
    double *q, *own;                                  /* [own rows] A p; scratch */
    double *whole, *received, *sums;                  /* [rows]; [rows]; [n_blocks] */
    int *counts, *displs;                             /* [ranks] own rows of each */
    double rho;                                       /* r r */
};

static bool read_int(const char *text, long low, long high, int64_t *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && *value >= low && *value <= high;
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)(count > 0 ? count : 1), size);
    if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* A number in [0, 1) that depends on its arguments alone (splitmix64, Steele et al. 2014). */
static double scattered(uint64_t high, uint64_t low)
{
    uint64_t z = (high << 32 | low) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double edge(int64_t a, int64_t b)
{
    return a < b ? scattered((uint64_t)a, (uint64_t)b) : scattered((uint64_t)b, (uint64_t)a);
}

static double wanted(int64_t solve, int64_t row)
{
    return 2 * scattered((uint64_t)solve, (uint64_t)row) - 1;
}

/* The j-th neighbour of a row: distances are one out of each of d/2 equal parts of half the ring, both ways.
 */
static int64_t neighbour(const struct equations *eq, int64_t row, int64_t j)
{
    int64_t width = (eq->rows - 1) / 2 / (eq->neighbours / 2), pair = j / 2;
    int64_t distance = 1 + pair * width + (int64_t)(scattered(UINT32_MAX, (uint64_t)pair) * (double)width);
    return (row + (j % 2 ? eq->rows - distance : distance)) % eq->rows;
}

static int64_t own_rows(const struct equations *eq)
{
    return eq->x->count[0];
}

static int64_t row_of(const struct equations *eq, int64_t own)
{
    return (own / BLOCK * eq->n_ranks + eq->rank) * BLOCK + own % BLOCK;
}

/* Rows [own][neighbours + 1]; the diagonal is the last entry. */
static void make_matrix(const struct equations *eq)
{
    double *entry = eq->weights->data;
    for (int64_t i = 0; i < own_rows(eq); i++) {
        double diagonal = (double)eq->neighbours;
        for (int64_t j = 0; j < eq->neighbours; j++) {
            double weight = edge(row_of(eq, i), neighbour(eq, row_of(eq, i), j));
            *entry++ = -weight;
            diagonal += weight;
        }
        *entry++ = diagonal;
    }
}

/* All ranks hold the whole vector, in the order of rows. */
static void gather(struct equations *eq, const double *own)
{
    MPI_Allgatherv(own, (int)own_rows(eq), MPI_DOUBLE, eq->received, eq->counts, eq->displs, MPI_DOUBLE,
                   eq->comm);
    for (int64_t b = 0; b < eq->n_blocks; b++) {
        int64_t first = b * BLOCK, n = eq->rows - first < BLOCK ? eq->rows - first : BLOCK;
        memcpy(eq->whole + first, eq->received + eq->displs[b % eq->n_ranks] + b / eq->n_ranks * BLOCK,
               (size_t)n * sizeof(double));
    }
}

/* to = A from */
static void multiply(struct equations *eq, const double *from, double *to)
{
    const double *entry = eq->weights->data;
    gather(eq, from);
    for (int64_t i = 0; i < own_rows(eq); i++) {
        double sum = 0;
        for (int64_t j = 0; j < eq->neighbours; j++)
            sum += *entry++ * eq->whole[neighbour(eq, row_of(eq, i), j)];
        to[i] = sum + *entry++ * eq->whole[row_of(eq, i)];
    }
}

/* Adding zeros is exact: each sum of a block arrives as its owner has it. */
static double scalar_product(struct equations *eq, const double *a, const double *b)
{
    double sum = 0;
    memset(eq->sums, 0, (size_t)eq->n_blocks * sizeof(double));
    for (int64_t i = 0; i < own_rows(eq); i++) eq->sums[row_of(eq, i) / BLOCK] += a[i] * b[i];
    MPI_Allreduce(MPI_IN_PLACE, eq->sums, (int)eq->n_blocks, MPI_DOUBLE, MPI_SUM, eq->comm);
    for (int64_t i = 0; i < eq->n_blocks; i++) sum += eq->sums[i];
    return sum;
}

static void start(struct equations *eq, int64_t solve)
{
    double *x = eq->x->data, *r = eq->r->data, *p = eq->p->data;
    for (int64_t i = 0; i < own_rows(eq); i++) eq->own[i] = wanted(solve, row_of(eq, i));
    multiply(eq, eq->own, r);
    for (int64_t i = 0; i < own_rows(eq); i++) {
        x[i] = 0;
        p[i] = r[i];
    }
    eq->rho = scalar_product(eq, r, r);
}

/* Hestenes and Stiefel 1952. */
static void step(struct equations *eq)
{
    double *x = eq->x->data, *r = eq->r->data, *p = eq->p->data;
    multiply(eq, p, eq->q);
    double alpha = eq->rho / scalar_product(eq, p, eq->q), before = eq->rho;
    for (int64_t i = 0; i < own_rows(eq); i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * eq->q[i];
    }
    eq->rho = scalar_product(eq, r, r);
    for (int64_t i = 0; i < own_rows(eq); i++) p[i] = r[i] + eq->rho / before * p[i];
}

static double relative_error(struct equations *eq, int64_t solve)
{
    const double *x = eq->x->data;
    for (int64_t i = 0; i < own_rows(eq); i++) eq->q[i] = wanted(solve, row_of(eq, i));
    for (int64_t i = 0; i < own_rows(eq); i++) eq->own[i] = x[i] - eq->q[i];
    return sqrt(scalar_product(eq, eq->own, eq->own) / scalar_product(eq, eq->q, eq->q));
}

/* -------- state -------- */

static const parcast_elastic_array *vector(struct equations *eq, const char *name)
{
    return parcast_elastic_add(
        eq->e, &(parcast_elastic_shape){
                   .name = name,
                   .element_bytes = sizeof(double),
                   .n_dims = 1,
                   .dims = {{.size = eq->rows, .kind = PARCAST_ELASTIC_CYCLIC, .block = BLOCK}}});
}

static void create(struct equations *eq, double *worst)
{
    eq->n_blocks = (eq->rows + BLOCK - 1) / BLOCK;
    eq->x = vector(eq, "x");
    eq->r = vector(eq, "r");
    eq->p = vector(eq, "p");
    eq->weights = parcast_elastic_add(
        eq->e,
        &(parcast_elastic_shape){.name = "matrix",
                                 .element_bytes = sizeof(double),
                                 .n_dims = 2,
                                 .read_only = true,
                                 .dims = {{.size = eq->rows, .kind = PARCAST_ELASTIC_CYCLIC, .block = BLOCK},
                                          {.size = eq->neighbours + 1}}});
    parcast_elastic_value(eq->e, "rho", &eq->rho, sizeof eq->rho);
    parcast_elastic_value(eq->e, "worst", worst, sizeof *worst);
    eq->whole = allocate(eq->rows, sizeof(double));
    eq->received = allocate(eq->rows, sizeof(double));
    eq->sums = allocate(eq->n_blocks, sizeof(double));
}

/* What depends on the ranks; again when they are others. */
static void settle(struct equations *eq)
{
    eq->comm = parcast_elastic_comm(eq->e);
    MPI_Comm_size(eq->comm, &eq->n_ranks);
    MPI_Comm_rank(eq->comm, &eq->rank);
    void *old[] = {eq->q, eq->own, eq->counts, eq->displs};
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) free(old[i]);
    eq->q = allocate(own_rows(eq), sizeof(double));
    eq->own = allocate(own_rows(eq), sizeof(double));
    eq->counts = allocate(eq->n_ranks, sizeof(int));
    eq->displs = allocate(eq->n_ranks, sizeof(int));
    const int n = (int)own_rows(eq);
    MPI_Allgather(&n, 1, MPI_INT, eq->counts, 1, MPI_INT, eq->comm);
    for (int i = 1; i < eq->n_ranks; i++) eq->displs[i] = eq->displs[i - 1] + eq->counts[i - 1];
    make_matrix(eq);
}

static void destroy(struct equations *eq)
{
    void *all[] = {eq->q, eq->own, eq->whole, eq->received, eq->sums, eq->counts, eq->displs};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    parcast_elastic_close(&eq->e);
}

static int report(struct equations *eq, int64_t solves, double worst)
{
    bool correct = worst <= error_limit;
    uint64_t bits = 0, sum = 0, word;
    for (int64_t i = 0; i < own_rows(eq); i++) {
        memcpy(&word, (double *)eq->x->data + i, sizeof word);
        sum += word * 0x9e3779b97f4a7c15u;
    }
    MPI_Allreduce(&sum, &bits, 1, MPI_UINT64_T, MPI_SUM, eq->comm);
    if (eq->rank == 0)
        printf("cg: %lld rows, %lld neighbours, %lld solves of %d steps, ended on %d ranks: bits %016llx, "
               "error %.1e: %s\n",
               (long long)eq->rows, (long long)eq->neighbours, (long long)solves, STEPS, eq->n_ranks,
               (unsigned long long)bits, worst, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

/* Until the end, or until the ranks are others. */
static parcast_elastic_state iterate(struct equations *eq, int64_t solves, double *worst)
{
    int64_t k = parcast_elastic_first_iteration(eq->e);
    settle(eq);
    for (; k < solves * STEPS; k++) {
        parcast_elastic_state state = parcast_elastic_safe_point(eq->e);
        if (state != PARCAST_ELASTIC_GO_ON) return state;
        if (k % STEPS == 0) start(eq, k / STEPS);
        step(eq);
        if (k % STEPS == STEPS - 1) *worst = fmax(*worst, relative_error(eq, k / STEPS));
    }
    return PARCAST_ELASTIC_GO_ON;
}

static int solve(int64_t rows, int64_t neighbours, int64_t solves)
{
    struct equations eq = {.rows = rows, .neighbours = neighbours};
    double worst = 0;
    int status = 0;
    eq.e = parcast_elastic_open(MPI_COMM_WORLD,
                                &(parcast_elastic_options){.iterations = solves * STEPS, .in_memory = true});
    create(&eq, &worst);
    parcast_elastic_state state;
    do state = iterate(&eq, solves, &worst);
    while (state == PARCAST_ELASTIC_RESIZED);
    if (state == PARCAST_ELASTIC_GO_ON) status = report(&eq, solves, worst);
    destroy(&eq);
    return status;
}

int main(int argc, char **argv)
{
    int64_t rows = 60000, neighbours = 32, solves = 20;
    int rank, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc <= 4 && (argc < 2 || read_int(argv[1], 64, MAX_ROWS, &rows)) &&
        (argc < 3 || read_int(argv[2], 2, MAX_NEIGHBOURS, &neighbours)) &&
        (argc < 4 || read_int(argv[3], 1, 1000000000, &solves)) && neighbours % 2 == 0 &&
        neighbours < rows / 2)
        status = solve(rows, neighbours, solves);
    else if (rank == 0)
        fprintf(stderr, "usage: elastic_cg [ROWS [NEIGHBOURS [SOLVES]]]   (64 rows or more, an even number "
                        "of neighbours)\n");
    MPI_Finalize();
    return status;
}
