/*
 * skeleton PATTERN COMPUTE_S [ITERATIONS [BYTES]]: the communication of a program, its computing replaced.
 *
 *     ring      everybody passes BYTES to the next rank
 *     halo      exchange of BYTES with both neighbours, then a sum over all ranks: Jacobi by rows
 *     alltoall  BYTES to everybody: bucket sort
 *
 * Every rank computes COMPUTE_S seconds of this machine's CPU in an iteration: for real, or
 * (validation/cluster run --sleep) as a sleep of the time that its node would take. Rank 0 prints the time of
 * the loop.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the cluster's shim; not there in a plain run. */
extern bool parcast_cluster_compute(double cpu_s) __attribute__((weak));

struct work {
    int rank, size, bytes;
    char *send, *receive; /* [size * bytes] */
};

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds)
{
    volatile double x = 1;
    if (parcast_cluster_compute && parcast_cluster_compute(seconds)) return;
    for (double end_s = cpu_s() + seconds; cpu_s() < end_s;)
        for (int i = 0; i < 1000; i++) x = x * 0.999 + 0.001;
}

static void pass(const struct work *w, int to, int from)
{
    MPI_Sendrecv(w->send, w->bytes, MPI_BYTE, to, 0, w->receive, w->bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void ring(const struct work *w)
{
    pass(w, (w->rank + 1) % w->size, (w->rank + w->size - 1) % w->size);
}

static void halo(const struct work *w)
{
    double residual = w->rank, sum;
    int up = w->rank > 0 ? w->rank - 1 : MPI_PROC_NULL,
        down = w->rank + 1 < w->size ? w->rank + 1 : MPI_PROC_NULL;
    pass(w, up, down);
    pass(w, down, up);
    MPI_Allreduce(&residual, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(const struct work *w)
{
    MPI_Alltoall(w->send, w->bytes, MPI_BYTE, w->receive, w->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*step)(const struct work *w);
} patterns[] = {{"ring", ring}, {"halo", halo}, {"alltoall", alltoall}};

int main(int argc, char **argv)
{
    struct work w = {.bytes = argc > 4 ? atoi(argv[4]) : 16000};
    void (*step)(const struct work *) = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    for (size_t i = 0; argc > 2 && i < sizeof patterns / sizeof patterns[0]; i++)
        if (strcmp(argv[1], patterns[i].name) == 0) step = patterns[i].step;
    int iterations = argc > 3 ? atoi(argv[3]) : 50;
    if (step && w.bytes > 0) {
        w.send = calloc((size_t)w.size, (size_t)w.bytes);
        w.receive = calloc((size_t)w.size, (size_t)w.bytes);
    }
    if (!step || iterations < 1 || !w.send || !w.receive) {
        if (w.rank == 0)
            fprintf(stderr, "usage: skeleton ring|halo|alltoall COMPUTE_S [ITERATIONS [BYTES]]\n");
        MPI_Finalize();
        return 2;
    }
    double compute_s = strtod(argv[2], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        compute(compute_s);
        step(&w);
    }
    double elapsed_s = MPI_Wtime() - start_s, longest_s;
    MPI_Reduce(&elapsed_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (w.rank == 0) printf("time_s %.6f\n", longest_s);
    free(w.receive);
    free(w.send);
    MPI_Finalize();
    return 0;
}
