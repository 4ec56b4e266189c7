/* More events than a small disk has room for: reductions of one number, manyevents [N]. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int in = 1, out, n = argc > 1 ? atoi(argv[1]) : 500000;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < n; i++) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
