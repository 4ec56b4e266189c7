/*
 * What bench_elastic moves: an array of MIB MiB, dealt as KIND says, whose elements begin with their place;
 * one is added to each in every iteration, so that a lost, doubled or misplaced byte shows in the end. With
 * `points`: what a safe point costs.
 *
 *   elastic_move MIB ITERATIONS [KIND]   KIND: see the table; block if it is not given
 *   elastic_move points N        N safe points and nothing else
 *   elastic_move idle N US       N safe points with US microseconds of work in between
 */
#include <math.h>
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

/* -------- moves -------- */

/* Sizes that are 0 are filled in: so many that all have the bytes that were asked for. */
static const struct kind {
    const char *name;
    int n_dims;
    parcast_elastic_dim dims[3];
} kinds[] = {
    {"block", 1, {{.kind = PARCAST_ELASTIC_BLOCK}}},
    {"weighted", 1, {{.kind = PARCAST_ELASTIC_BLOCK, .weighted = true}}},
    {"cyclic", 1, {{.kind = PARCAST_ELASTIC_CYCLIC}}},
    {"block-cyclic", 1, {{.kind = PARCAST_ELASTIC_CYCLIC, .block = 64}}},
    {"rows", 2, {{.kind = PARCAST_ELASTIC_BLOCK, .halo = 1}, {.halo = 1}}},
    {"columns", 2, {{.halo = 1}, {.kind = PARCAST_ELASTIC_BLOCK, .halo = 1}}},
    {"thin-columns", 2, {{0}, {.size = 16, .kind = PARCAST_ELASTIC_BLOCK}}},
    {"cyclic-columns", 2, {{0}, {.kind = PARCAST_ELASTIC_CYCLIC}}},
    {"grid", 2, {{.kind = PARCAST_ELASTIC_BLOCK, .halo = 1}, {.kind = PARCAST_ELASTIC_BLOCK, .halo = 1}}},
    {"grid-cyclic",
     2,
     {{.kind = PARCAST_ELASTIC_CYCLIC, .block = 64}, {.kind = PARCAST_ELASTIC_CYCLIC, .block = 64}}},
    {"cube",
     3,
     {{.kind = PARCAST_ELASTIC_BLOCK, .halo = 1},
      {.kind = PARCAST_ELASTIC_BLOCK, .halo = 1},
      {.kind = PARCAST_ELASTIC_BLOCK, .halo = 1}}},
    {"replicated", 1, {{0}}},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static parcast_elastic_shape shape_of(const struct kind *kind, int64_t mib)
{
    parcast_elastic_shape shape = {.name = "a", .element_bytes = sizeof(double), .n_dims = kind->n_dims};
    int n_open = 0;
    double cells = (double)(mib << 17);
    for (int d = 0; d < kind->n_dims; d++) {
        shape.dims[d] = kind->dims[d];
        if (kind->dims[d].size) cells /= (double)kind->dims[d].size;
        n_open += kind->dims[d].size == 0;
    }
    for (int d = 0; d < kind->n_dims; d++)
        if (!shape.dims[d].size) shape.dims[d].size = llrint(pow(cells, 1.0 / n_open));
    return shape;
}

struct moved {
    parcast_elastic *e;
    parcast_elastic_shape shape;
    const parcast_elastic_array *array;
    int64_t added, wrong; /* in all iterations */
    bool fill;
};

/* Own cells of dimension d and those behind it: `place` is the number of the first in the whole array. */
static void visit(struct moved *m, int d, double *cell, int64_t place)
{
    if (d == m->shape.n_dims) {
        if (m->fill) *cell = (double)place;
        m->wrong += !m->fill && *cell != (double)(place + m->added);
        return;
    }
    for (int64_t i = 0; i < m->array->count[d]; i++)
        visit(m, d + 1, cell + (i + m->shape.dims[d].halo) * m->array->stride[d],
              place * m->shape.dims[d].size + parcast_elastic_global(m->e, m->array, d, i));
}

static void add_one(const struct moved *m)
{
    double *data = m->array->data;
    int64_t n = m->array->stride[0] * (m->array->count[0] + 2 * m->shape.dims[0].halo);
    for (int64_t i = 0; i < n; i++) data[i] += 1;
}

static parcast_elastic_state iterate(struct moved *m, int64_t iterations)
{
    parcast_elastic_state state = PARCAST_ELASTIC_GO_ON;
    int64_t k = parcast_elastic_first_iteration(m->e);
    m->fill = true;
    if (!parcast_elastic_resumed(m->e)) visit(m, 0, m->array->data, 0);
    for (; k < iterations && state == PARCAST_ELASTIC_GO_ON; k++) {
        state = parcast_elastic_safe_point(m->e);
        if (state != PARCAST_ELASTIC_GO_ON) break;
        add_one(m);
        MPI_Barrier(parcast_elastic_comm(m->e));
    }
    return state;
}

static int64_t report(struct moved *m, int64_t iterations)
{
    int64_t all;
    MPI_Comm_rank(parcast_elastic_comm(m->e), &rank);
    m->fill = false;
    m->added = iterations;
    visit(m, 0, m->array->data, 0);
    MPI_Allreduce(&m->wrong, &all, 1, MPI_INT64_T, MPI_SUM, parcast_elastic_comm(m->e));
    if (rank == 0) fprintf(stderr, "elastic_move: %lld wrong\n", (long long)all);
    return all;
}

static int move(int64_t mib, int64_t iterations, const struct kind *kind)
{
    struct moved m = {.shape = shape_of(kind, mib)};
    m.e = parcast_elastic_open(MPI_COMM_WORLD, &(parcast_elastic_options){.in_memory = true});
    m.array = parcast_elastic_add(m.e, &m.shape);
    parcast_elastic_state state;
    do state = iterate(&m, iterations);
    while (state == PARCAST_ELASTIC_RESIZED);
    int64_t wrong = state == PARCAST_ELASTIC_GO_ON ? report(&m, iterations) : 0;
    parcast_elastic_close(&m.e);
    return wrong != 0;
}

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

/* -------- safe points -------- */

static void work(double s)
{
    for (double until = MPI_Wtime() + s; MPI_Wtime() < until;) continue;
}

static int points(int64_t n, double between_s)
{
    parcast_elastic *e = parcast_elastic_open(MPI_COMM_WORLD, &(parcast_elastic_options){.in_memory = true});
    parcast_elastic_first_iteration(e);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime(), point_s = 0;
    if (between_s > 0) {
        for (int64_t k = 0; k < n; k++) {
            double before_s = MPI_Wtime();
            if (parcast_elastic_safe_point(e)) break;
            point_s += MPI_Wtime() - before_s;
            work(between_s);
        }
    } else {
        for (int64_t k = 0; k < n; k++)
            if (parcast_elastic_safe_point(e)) break;
        point_s = MPI_Wtime() - begin_s;
    }
    double time_s = MPI_Wtime() - begin_s;
    if (rank == 0) printf("%.3f %.9f\n", 1e9 * point_s / (double)n, point_s / time_s);
    parcast_elastic_close(&e);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 3 && strcmp(argv[1], "points") == 0)
        status = points(atoll(argv[2]), 0);
    else if (argc == 4 && strcmp(argv[1], "idle") == 0)
        status = points(atoll(argv[2]), 1e-6 * atof(argv[3]));
    else if ((argc == 3 || argc == 4) && find_kind(argc == 4 ? argv[3] : "block"))
        status = move(atoll(argv[1]), atoll(argv[2]), find_kind(argc == 4 ? argv[3] : "block"));
    else if (rank == 0)
        fprintf(stderr, "usage: elastic_move MIB ITERATIONS [KIND] | points N | idle N US\n");
    MPI_Finalize();
    return status;
}
