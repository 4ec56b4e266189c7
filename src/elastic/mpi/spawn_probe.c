/*
 * Can this MPI spawn ranks, and part from them again? One rank spawns another, merges, talks, and lets it go,
 * as a resize in memory does. Exit status 0 if all of it worked. `parcast run` gives it some seconds: some
 * MPIs hang.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int part(MPI_Comm inter, int high)
{
    MPI_Comm merged;
    int rank, sum = 0, one = 1;
    if (MPI_Intercomm_merge(inter, high, &merged) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(merged, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&inter);
    return sum == 2 && rank == high ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    char program[4096];
    int code, status = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        status = part(parent, 1);
    } else {
        ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        if (n > 0) {
            program[n] = '\0';
            if (MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, &code) ==
                MPI_SUCCESS)
                status = part(inter, 0);
        }
    }
    MPI_Finalize();
    return status;
}
