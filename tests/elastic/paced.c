/*
 * An elastic program that lasts until an event, on machines of any speed, and whose result does not depend on
 * when that was: as long as the file GATE is not there every iteration takes PACE_MS longer.
 *
 *   paced CELLS STEPS GATE PACE_MS      without a gate to wait for: paced CELLS STEPS - 0
 *
 * STEPS times PACE_MS is the hard end. Cells hang on their neighbours, so that a cell that was lost, moved to
 * a wrong place or taken from another iteration changes the sum of all bits that is printed.
 */
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct line {
    MPI_Comm comm;
    int64_t cells;
    const parcast_elastic_array *u;
    int left, right;
};

static void find_neighbours(struct line *line, const parcast_elastic *e)
{
    const parcast_elastic_array *u = line->u;
    line->comm = parcast_elastic_comm(e);
    line->left = u->first[0] > 0 ? u->part[0] - 1 : MPI_PROC_NULL;
    line->right = u->first[0] + u->count[0] < line->cells ? u->part[0] + 1 : MPI_PROC_NULL;
}

static void begin(const struct line *line)
{
    uint64_t *cell = line->u->data;
    for (int64_t i = 0; i < line->u->count[0]; i++)
        cell[i + 1] = (uint64_t)(line->u->first[0] + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void step(const struct line *line, int64_t k)
{
    uint64_t *cell = line->u->data, before;
    const int64_t n = line->u->count[0];
    MPI_Sendrecv(&cell[1], 1, MPI_UINT64_T, line->left, 0, &cell[n + 1], 1, MPI_UINT64_T, line->right, 0,
                 line->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&cell[n], 1, MPI_UINT64_T, line->right, 1, &cell[0], 1, MPI_UINT64_T, line->left, 1,
                 line->comm, MPI_STATUS_IGNORE);
    if (line->left == MPI_PROC_NULL) cell[0] = (uint64_t)k;
    if (line->right == MPI_PROC_NULL) cell[n + 1] = ~(uint64_t)k;
    before = cell[0];
    for (int64_t i = 1; i <= n; i++) {
        uint64_t here = cell[i], mixed = (here ^ here >> 29) + 3 * before + 5 * cell[i + 1];
        before = here;
        cell[i] = mixed * UINT64_C(0xbf58476d1ce4e5b9);
    }
}

static void pace(const char *gate, long pace_ms)
{
    const struct timespec nap = {.tv_sec = pace_ms / 1000, .tv_nsec = pace_ms % 1000 * 1000000};
    if (pace_ms > 0 && access(gate, F_OK) != 0) nanosleep(&nap, NULL);
}

static void report(const struct line *line, int64_t steps)
{
    const uint64_t *cell = line->u->data;
    uint64_t sum = 0, bits;
    int rank, n_ranks;
    for (int64_t i = 0; i < line->u->count[0]; i++)
        sum += cell[i + 1] * (uint64_t)(2 * (line->u->first[0] + i) + 1);
    MPI_Reduce(&sum, &bits, 1, MPI_UINT64_T, MPI_SUM, 0, line->comm);
    MPI_Comm_rank(line->comm, &rank);
    MPI_Comm_size(line->comm, &n_ranks);
    if (rank == 0)
        printf("paced: %lld steps, ended on %d ranks: bits %016llx, whole: correct\n", (long long)steps,
               n_ranks, (unsigned long long)bits);
}

static int compute(int64_t cells, int64_t steps, const char *gate, long pace_ms)
{
    struct line line = {.cells = cells};
    parcast_elastic *e = parcast_elastic_open(
        MPI_COMM_WORLD, &(parcast_elastic_options){.iterations = steps, .in_memory = true});
    line.u = parcast_elastic_add(
        e, &(parcast_elastic_shape){.name = "u",
                                    .element_bytes = sizeof(uint64_t),
                                    .n_dims = 1,
                                    .dims = {{.size = cells, .kind = PARCAST_ELASTIC_BLOCK, .halo = 1}}});
    parcast_elastic_state state;
    do {
        state = PARCAST_ELASTIC_GO_ON;
        int64_t k = parcast_elastic_first_iteration(e);
        find_neighbours(&line, e);
        if (!parcast_elastic_resumed(e)) begin(&line);
        for (; k < steps; k++) {
            state = parcast_elastic_safe_point(e);
            if (state != PARCAST_ELASTIC_GO_ON) break;
            step(&line, k);
            pace(gate, pace_ms);
        }
    } while (state == PARCAST_ELASTIC_RESIZED);
    if (state == PARCAST_ELASTIC_GO_ON) report(&line, steps);
    parcast_elastic_close(&e);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    MPI_Init(&argc, &argv);
    if (argc == 5 && atoll(argv[1]) >= 64 && atoll(argv[2]) > 0)
        status = compute(atoll(argv[1]), atoll(argv[2]), argv[3], atol(argv[4]));
    else
        fprintf(stderr, "usage: paced CELLS STEPS GATE PACE_MS   (CELLS from 64)\n");
    MPI_Finalize();
    return status;
}
