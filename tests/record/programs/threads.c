/* Four threads, each with its own communicator: 500 rounds of Irecv, Isend, Waitall and Allreduce. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 500 };

static void *work(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    int in[4] = {0}, out[4], sum;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request r[2];
        MPI_Irecv(out, 4, MPI_INT, MPI_ANY_SOURCE, 0, comm, &r[0]);
        MPI_Isend(in, 1 + i % 4, MPI_INT, 0, 0, comm, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Allreduce(in, &sum, 1, MPI_INT, MPI_SUM, comm);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm comms[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) printf("no threads\n");
    for (int i = 0; i < THREADS; i++) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    for (int i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++)
        pthread_create(&threads[i], NULL, work, &comms[i]);
    for (int i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
