/*
 * elastic lu: a dense system of linear equations by LU factorization with partial pivoting, whose work
 * shrinks from step to step: towards the end fewer nodes do as well, and `parcast run` gives the rest back.
 *
 * The matrix has SIZE rows and SIZE + 1 columns: A, and the right side b as the last one. Columns are dealt
 * in panels of WIDTH in turn (block-cyclic). One iteration of the run is one panel: its owner factorizes it,
 * all ranks receive it and apply it to their columns on its right, 2 WIDTH flop for each entry that is left.
 * The solution is found backwards at the end.
 *
 * Every column sees the same operations in the same order on any number of ranks: the solution is the same to
 * the last bit however often the run moves. It is checked as the HPL benchmark does:
 * |A x - b| / (eps (|A| |x| + |b|) SIZE) < 16 in the maximum norm.
 *
 *   mpirun -n 4 elastic_lu [SIZE [WIDTH]]
 *   parcast run --schedule 0:4,40:2 -- elastic_lu 2000 32
 */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 30000, MAX_WIDTH = 1000 };
static const double residual_limit = 16;

struct matrix {
    int64_t size, width;
    MPI_Comm comm; /* of the ranks that compute now */
    int rank, n_ranks;
    const parcast_elastic_array *a; /* [size + 1 columns][size]: a column is contiguous */
    double *panel;                  /* [width][rows left] from its first diagonal row down */
    int *pivots;                    /* [width] rows that were exchanged with the panel's diagonal rows */
    double *x;                      /* [size] the solution, on every rank */
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

/* A number in [-1/2, 1/2) that depends on its place alone (splitmix64, Steele et al. 2014). */
static double entry(int64_t row, int64_t column)
{
    uint64_t z = ((uint64_t)row << 32 | (uint64_t)column) * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

static int owner_of(const struct matrix *m, int64_t column)
{
    return (int)(column / m->width % m->n_ranks);
}

static int64_t place_of(const struct matrix *m, int64_t own)
{
    return (own / m->width * m->n_ranks + m->rank) * m->width + own % m->width;
}

static double *own_column(const struct matrix *m, int64_t own)
{
    return (double *)m->a->data + own * m->size;
}

/* A column that this rank owns. */
static double *column(const struct matrix *m, int64_t place)
{
    return own_column(m, place / m->width / m->n_ranks * m->width + place % m->width);
}

static int64_t end_of_panel(const struct matrix *m, int64_t first)
{
    return first + m->width < m->size ? first + m->width : m->size;
}

static void swap(double *a, double *b)
{
    double old = *a;
    *a = *b;
    *b = old;
}

/* to -= factor * from */
static void subtract(double *restrict to, const double *restrict from, double factor, int64_t count)
{
    for (int64_t i = 0; i < count; i++) to[i] -= factor * from[i];
}

static void factorize(struct matrix *m, int64_t first, int64_t end)
{
    for (int64_t k = first; k < end; k++) {
        double *here = column(m, k);
        int64_t pivot = k;
        for (int64_t i = k + 1; i < m->size; i++)
            if (fabs(here[i]) > fabs(here[pivot])) pivot = i;
        m->pivots[k - first] = (int)pivot;
        for (int64_t j = first; j < end; j++) swap(&column(m, j)[k], &column(m, j)[pivot]);
        for (int64_t i = k + 1; i < m->size; i++) here[i] /= here[k];
        for (int64_t j = k + 1; j < end; j++)
            subtract(column(m, j) + k + 1, here + k + 1, column(m, j)[k], m->size - k - 1);
    }
}

static void broadcast_panel(struct matrix *m, int64_t first, int64_t end)
{
    const int owner = owner_of(m, first);
    const int64_t rows = m->size - first;
    for (int64_t j = first; j < end && m->rank == owner; j++)
        memcpy(m->panel + (j - first) * rows, column(m, j) + first, (size_t)rows * sizeof(double));
    MPI_Bcast(m->pivots, (int)(end - first), MPI_INT, owner, m->comm);
    MPI_Bcast(m->panel, (int)(rows * (end - first)), MPI_DOUBLE, owner, m->comm);
}

static void apply_panel(struct matrix *m, int64_t first, int64_t end)
{
    const int64_t rows = m->size - first;
    for (int64_t j = 0; j < m->a->count[0]; j++) {
        double *rest = own_column(m, j) + first;
        if (place_of(m, j) < end) continue;
        for (int64_t k = 0; k < end - first; k++) swap(&rest[k], &rest[m->pivots[k] - first]);
        for (int64_t k = 0; k < end - first; k++)
            subtract(rest + k + 1, m->panel + k * rows + k + 1, rest[k], rows - k - 1);
    }
}

/* Solve U x = y, where y is what has become of b. */
static void substitute_backwards(struct matrix *m)
{
    const int owner = owner_of(m, m->size);
    if (m->rank == owner) memcpy(m->x, column(m, m->size), (size_t)m->size * sizeof(double));
    MPI_Bcast(m->x, (int)m->size, MPI_DOUBLE, owner, m->comm);
    for (int64_t first = (m->size - 1) / m->width * m->width; first >= 0; first -= m->width) {
        const int64_t end = end_of_panel(m, first);
        for (int64_t k = end - 1; k >= first && m->rank == owner_of(m, first); k--) {
            m->x[k] /= column(m, k)[k];
            subtract(m->x, column(m, k), m->x[k], k);
        }
        MPI_Bcast(m->x, (int)end, MPI_DOUBLE, owner_of(m, first), m->comm);
    }
}

static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* |A x - b| / (eps (|A| |x| + |b|) SIZE), with A and b made anew, by every rank in the same order. */
static double residual(const struct matrix *m)
{
    double largest = 0, norm_a = 0, norm_x = 0, norm_b = 0;
    for (int64_t i = 0; i < m->size; i++) {
        double product = 0, row_sum = 0, b = entry(i, m->size);
        for (int64_t j = 0; j < m->size; j++) {
            product += entry(i, j) * m->x[j];
            row_sum += fabs(entry(i, j));
        }
        largest = larger(largest, fabs(product - b));
        norm_a = larger(norm_a, row_sum);
        norm_x = larger(norm_x, fabs(m->x[i]));
        norm_b = larger(norm_b, fabs(b));
    }
    return largest / (DBL_EPSILON * (norm_a * norm_x + norm_b) * (double)m->size);
}

static int report(struct matrix *m)
{
    substitute_backwards(m);
    if (m->rank != 0) return 0;
    uint64_t bits = 0, word;
    double rest = residual(m);
    bool correct = rest < residual_limit;
    for (int64_t i = 0; i < m->size; i++) {
        memcpy(&word, &m->x[i], sizeof word);
        bits += word * 0x9e3779b97f4a7c15u;
    }
    printf("lu: %lld x %lld in panels of %lld, ended on %d ranks: bits %016llx, residual %.2e: %s\n",
           (long long)m->size, (long long)m->size, (long long)m->width, m->n_ranks, (unsigned long long)bits,
           rest, correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}

static void fill(const struct matrix *m)
{
    for (int64_t j = 0; j < m->a->count[0]; j++)
        for (int64_t i = 0; i < m->size; i++) own_column(m, j)[i] = entry(i, place_of(m, j));
}

/* Until the end, or until the ranks are others. */
static parcast_elastic_state iterate(struct matrix *m, parcast_elastic *e, int64_t n_panels)
{
    int64_t k = parcast_elastic_first_iteration(e);
    m->comm = parcast_elastic_comm(e);
    MPI_Comm_size(m->comm, &m->n_ranks);
    MPI_Comm_rank(m->comm, &m->rank);
    if (!parcast_elastic_resumed(e)) fill(m);
    for (; k < n_panels; k++) {
        parcast_elastic_state state = parcast_elastic_safe_point(e);
        if (state != PARCAST_ELASTIC_GO_ON) return state;
        const int64_t first = k * m->width, end = end_of_panel(m, first);
        if (m->rank == owner_of(m, first)) factorize(m, first, end);
        broadcast_panel(m, first, end);
        apply_panel(m, first, end);
    }
    return PARCAST_ELASTIC_GO_ON;
}

static int solve(int64_t size, int64_t width)
{
    const int64_t n_panels = (size + width - 1) / width;
    struct matrix m = {.size = size, .width = width};
    parcast_elastic *e = parcast_elastic_open(
        MPI_COMM_WORLD, &(parcast_elastic_options){.iterations = n_panels, .in_memory = true});
    m.a = parcast_elastic_add(
        e, &(parcast_elastic_shape){
               .name = "a",
               .element_bytes = sizeof(double),
               .n_dims = 2,
               .dims = {{.size = size + 1, .kind = PARCAST_ELASTIC_CYCLIC, .block = width}, {.size = size}}});
    m.panel = allocate(width * size, sizeof(double));
    m.pivots = allocate(width, sizeof(int));
    m.x = allocate(size, sizeof(double));

    parcast_elastic_state state;
    do state = iterate(&m, e, n_panels);
    while (state == PARCAST_ELASTIC_RESIZED);
    int status = state == PARCAST_ELASTIC_GO_ON ? report(&m) : 0;
    free(m.panel);
    free(m.pivots);
    free(m.x);
    parcast_elastic_close(&e);
    return status;
}

int main(int argc, char **argv)
{
    int64_t size = 1500, width = 32;
    int rank, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc <= 3 && (argc < 2 || read_int(argv[1], 1, MAX_SIZE, &size)) &&
        (argc < 3 || read_int(argv[2], 1, MAX_WIDTH, &width)))
        status = solve(size, width);
    else if (rank == 0)
        fprintf(stderr, "usage: elastic_lu [SIZE [WIDTH]]   (SIZE 1 to %d)\n", MAX_SIZE);
    MPI_Finalize();
    return status;
}
