/*
 * What bench_elastic moves: an array of MIB MiB, one added to every element in every iteration, so that a
 * lost or doubled byte shows in the end. With `points`: what a safe point costs.
 *
 *   elastic_move MIB ITERATIONS
 *   elastic_move points N        N safe points and nothing else
 *   elastic_move idle N US       N safe points with US microseconds of work in between
 */
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

static int move(int64_t mib, int64_t iterations)
{
    const int64_t n = mib << 17;
    parcast_elastic *e = parcast_elastic_open(MPI_COMM_WORLD, &(parcast_elastic_options){.in_memory = true});
    const parcast_elastic_array *a = parcast_elastic_add(
        e, &(parcast_elastic_shape){.name = "a",
                                    .element_bytes = sizeof(double),
                                    .n_dims = 1,
                                    .dims = {{.size = n, .kind = PARCAST_ELASTIC_BLOCK}}});
    double *data;
    int64_t wrong = 0, all = 0;
    parcast_elastic_state state;
    do {
        state = PARCAST_ELASTIC_GO_ON;
        int64_t k = parcast_elastic_first_iteration(e);
        data = a->data;
        for (; k < iterations; k++) {
            state = parcast_elastic_safe_point(e);
            if (state != PARCAST_ELASTIC_GO_ON) break;
            for (int64_t i = 0; i < a->count[0]; i++) data[i] += (double)(a->first[0] + i);
            MPI_Barrier(parcast_elastic_comm(e));
        }
    } while (state == PARCAST_ELASTIC_RESIZED);
    int leave = state != PARCAST_ELASTIC_GO_ON;
    if (!leave) MPI_Comm_rank(parcast_elastic_comm(e), &rank);
    for (int64_t i = 0; i < a->count[0] && !leave; i++)
        wrong += data[i] != (double)iterations * (double)(a->first[0] + i);
    if (!leave) MPI_Allreduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, parcast_elastic_comm(e));
    if (!leave && rank == 0) fprintf(stderr, "elastic_move: %lld wrong\n", (long long)all);
    parcast_elastic_close(&e);
    return all != 0;
}

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
    else if (argc == 3)
        status = move(atoll(argv[1]), atoll(argv[2]));
    else if (rank == 0)
        fprintf(stderr, "usage: elastic_move MIB ITERATIONS | points N | idle N US\n");
    MPI_Finalize();
    return status;
}
