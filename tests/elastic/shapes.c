/*
 * Arrays of every kind under moves: every element has a value that follows from array, place and iteration,
 * and is held against it in every iteration.
 *
 *   shapes ITERATIONS       prints "shapes: 0 wrong" in the end, or aborts at a size that is wrong
 */
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK(n, h)  {.size = (n), .kind = PARCAST_ELASTIC_BLOCK, .halo = (h)}
#define CYCLIC(n, b) {.size = (n), .kind = PARCAST_ELASTIC_CYCLIC, .block = (b)}
#define WHOLE(n)     {.size = (n)}

static const parcast_elastic_shape shapes[] = {
    {"rows", 8, 2, {BLOCK(37, 1), WHOLE(19)}, false},
    {"grid", 8, 2, {BLOCK(23, 2), BLOCK(31, 1)}, false},
    {"single", 8, 1, {CYCLIC(1003, 1)}, false},
    {"odd", 3, 2, {CYCLIC(29, 4), BLOCK(41, 0)}, false},
    {"everywhere", 4, 2, {WHOLE(13), WHOLE(17)}, false},
    {"cube", 2, 3, {WHOLE(5), BLOCK(12, 1), CYCLIC(14, 3)}, false},
    {"long", 8, 1, {BLOCK(300000, 3)}, false},
    {"weighted", 8, 1, {{.size = 101, .kind = PARCAST_ELASTIC_BLOCK, .weighted = true}}, false},
    {"few", 24, 1, {BLOCK(2, 0)}, false}, /* more ranks than elements */
    {"one", 1, 1, {CYCLIC(1, 1)}, false},
    {"torus", 16, 2, {CYCLIC(17, 3), CYCLIC(19, 4)}, false},
    {"four", 4, 4, {WHOLE(3), BLOCK(9, 1), WHOLE(4), CYCLIC(6, 2)}, false},
    {"room", 24, 3, {WHOLE(3), WHOLE(4), WHOLE(5)}, false},
    {"table", 8, 1, {BLOCK(50, 0)}, true},
};
enum { N = sizeof shapes / sizeof shapes[0], MOST_WORDS = 3 };

static uint64_t value_of(size_t array, int64_t place, int64_t iteration)
{
    uint64_t x = (uint64_t)place * 31 + array * UINT64_C(1000003) + (uint64_t)iteration * UINT64_C(7777777);
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    return x ^ x >> 33;
}

struct visit {
    const parcast_elastic *e;
    const parcast_elastic_array *array;
    size_t number;
    int64_t iteration, wrong; /* what is expected, or written */
    int write;
};

static void visit_cell(struct visit *v, int64_t offset, int64_t place)
{
    uint64_t value[MOST_WORDS];
    for (int i = 0; i < MOST_WORDS; i++) value[i] = value_of(v->number, place, v->iteration + i);
    unsigned char *cell = (unsigned char *)v->array->data + offset * (int64_t)shapes[v->number].element_bytes;
    if (v->write)
        memcpy(cell, value, shapes[v->number].element_bytes);
    else
        v->wrong += memcmp(cell, value, shapes[v->number].element_bytes) != 0;
}

static void visit_dim(struct visit *v, int d, int64_t offset, int64_t place)
{
    const parcast_elastic_shape *shape = &shapes[v->number];
    if (d == shape->n_dims) {
        visit_cell(v, offset, place);
        return;
    }
    for (int64_t i = 0; i < v->array->count[d]; i++)
        visit_dim(v, d + 1, offset + (i + shape->dims[d].halo) * v->array->stride[d],
                  place * shape->dims[d].size + parcast_elastic_global(v->e, v->array, d, i));
}

static int64_t visit_all(const parcast_elastic *e, const parcast_elastic_array *const arrays[N],
                         int64_t iteration, int write, int read_only)
{
    int64_t wrong = 0;
    for (size_t a = 0; a < N; a++) {
        if (shapes[a].read_only != (read_only != 0)) continue;
        struct visit v = {e, arrays[a], a, iteration, 0, write};
        visit_dim(&v, 0, 0, 0);
        wrong += v.wrong;
    }
    return wrong;
}

static int64_t run(parcast_elastic *e, const parcast_elastic_array *const arrays[N], int64_t iterations,
                   int64_t *sum, parcast_elastic_state *state)
{
    int64_t wrong = 0;
    do {
        int64_t k = parcast_elastic_first_iteration(e);
        if (k == 0 && !parcast_elastic_resumed(e)) visit_all(e, arrays, 0, 1, 0);
        visit_all(e, arrays, 0, 1, 1);
        *state = PARCAST_ELASTIC_GO_ON;
        for (; k < iterations; k++) {
            *state = parcast_elastic_safe_point(e);
            if (*state) break;
            wrong +=
                visit_all(e, arrays, k, 0, 0) + visit_all(e, arrays, 0, 0, 1) + (*sum != k * (k - 1) / 2);
            visit_all(e, arrays, k + 1, 1, 0);
            *sum += k;
            MPI_Barrier(parcast_elastic_comm(e));
        }
    } while (*state == PARCAST_ELASTIC_RESIZED);
    return wrong;
}

int main(int argc, char **argv)
{
    const parcast_elastic_array *arrays[N];
    int64_t sum = 0;
    parcast_elastic_state state;
    int rank = -1;
    MPI_Init(&argc, &argv);
    parcast_elastic *e = parcast_elastic_open(MPI_COMM_WORLD, &(parcast_elastic_options){.in_memory = true});
    for (size_t a = 0; a < N; a++) arrays[a] = parcast_elastic_add(e, &shapes[a]);
    parcast_elastic_value(e, "sum", &sum, sizeof sum);
    int64_t wrong = run(e, arrays, argc > 1 ? atoll(argv[1]) : 10, &sum, &state);
    if (wrong) fprintf(stderr, "shapes: a rank saw %lld wrong elements\n", (long long)wrong);
    if (state == PARCAST_ELASTIC_GO_ON) MPI_Comm_rank(parcast_elastic_comm(e), &rank); /* others have none */
    if (wrong) MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) printf("shapes: 0 wrong\n");
    parcast_elastic_close(&e);
    MPI_Finalize();
    return 0;
}
