/* A plug-in that uses MPI, as Python loads them: its libmpi is not in the global scope. */
#include <mpi.h>

int plugin_run(void);

int plugin_run(void)
{
    int in = 1, out = 0;
    MPI_Init(0, 0);
    MPI_Sendrecv(&in, 1, MPI_INT, 0, 0, &out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return out;
}
