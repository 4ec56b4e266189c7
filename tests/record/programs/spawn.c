/* One rank starts two of itself; they send it one message each. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int value = 1, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                       MPI_ERRCODES_IGNORE);
        for (int i = 0; i < 2; i++) MPI_Recv(&value, 1, MPI_INT, i, 0, children, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&children);
    } else {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Send(&value, 1, MPI_INT, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
