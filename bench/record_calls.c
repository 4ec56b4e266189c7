/*
 * The program that bench_record measures: MPI calls of one rank on MPI_COMM_SELF. Prints one line per kind:
 * its name and the least time of a call [ns] over the repetitions; last the resident memory [kB]. Repetitions
 * are much shorter than a time slice, so the minimum holds on a busy machine too.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { CALLS = 2000 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void sendrecv(void)
{
    double in = 1, out;
    MPI_Sendrecv(&in, 1, MPI_DOUBLE, 0, 1, &out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void isend_irecv_wait(void)
{
    double in = 1, out;
    MPI_Request receive, send;
    MPI_Irecv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &receive);
    MPI_Isend(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

static void irecv_send_waitall(void)
{
    double in = 1, out;
    MPI_Request receive;
    MPI_Status status;
    MPI_Irecv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &receive);
    MPI_Send(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    MPI_Waitall(1, &receive, &status);
}

static void isend_recv_wait(void)
{
    double in = 1, out;
    MPI_Request send;
    MPI_Isend(&in, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &send);
    MPI_Recv(&out, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void allreduce(void)
{
    double in = 1, out;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void bcast(void)
{
    double value = 1;
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_SELF);
}

static void iprobe(void)
{
    int flag;
    MPI_Iprobe(0, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static void test(void)
{
    int flag;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

/* Calls: how many MPI calls one turn makes; the time is divided by it. */
static const struct {
    const char *name;
    void (*turn)(void);
    int calls;
} kinds[] = {
    {"sendrecv", sendrecv, 1},
    {"isend_irecv_wait", isend_irecv_wait, 4},
    {"irecv_send_waitall", irecv_send_waitall, 3},
    {"isend_recv_wait", isend_recv_wait, 3},
    {"allreduce", allreduce, 1},
    {"bcast", bcast, 1},
    {"iprobe", iprobe, 1},
    {"test", test, 1},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int repetitions = argc > 1 ? atoi(argv[1]) : 300;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double best_ns = 1e300;
        for (int i = 0; i < repetitions; i++) {
            double start_ns = now_ns();
            for (int j = 0; j < CALLS; j++) kinds[k].turn();
            double ns = (now_ns() - start_ns) / (CALLS * kinds[k].calls);
            if (ns < best_ns) best_ns = ns;
        }
        printf("%s %.3f\n", kinds[k].name, best_ns);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("memory_kb %ld\n", usage.ru_maxrss);
    MPI_Finalize();
    return 0;
}
