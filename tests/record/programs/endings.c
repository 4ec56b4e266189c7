/* Seven reductions and five messages, then an end that is not MPI_Finalize: kill, exit, _exit, abort, none.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, n, in = 1, out;
    const char *end = argc > 1 ? argv[1] : "none";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int next = (rank + 1) % n, previous = (rank + n - 1) % n;
    for (int i = 0; i < 5; i++)
        MPI_Sendrecv(&in, 1, MPI_INT, next, 0, &out, 1, MPI_INT, previous, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < 7; i++) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    /* The one that ends first ends the other: both have made all their calls by then. */
    if (rank == 0) MPI_Send(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(end, "exit") == 0 || strcmp(end, "_exit") == 0) {
        if (rank == 1) MPI_Send(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strcmp(end, "kill") == 0) {
        if (rank == 1) raise(SIGKILL);
        sleep(100);
    }
    if (strcmp(end, "exit") == 0) exit(0);
    if (strcmp(end, "_exit") == 0) _exit(SIGKILL); /* a status that a launcher may give for a signal too */
    if (strcmp(end, "abort") == 0) {
        if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
        sleep(100);
    }
    MPI_Finalize();
    return 0;
}
