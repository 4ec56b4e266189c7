/*
 * An MPI that errs once: preloaded before a program, it spoils what one call has received on one rank.
 *
 *   FAULT_CALL  MPI_Allreduce, MPI_Allgatherv, MPI_Alltoallv, MPI_Bcast or MPI_Waitall
 *   FAULT_RANK  the rank in MPI_COMM_WORLD
 *   FAULT_NTH   which of its calls errs, from 1; calls that receive less than 8 bytes do not count
 *
 * The fault is one bit: the lowest of the sixth of the last 8 bytes. A number of type double changes by 2^-12
 * of its size at most, an int by 256. With MPI_Waitall the last receive before it is meant.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

static int n_calls;
static struct {
    unsigned char *end; /* of the data that the last MPI_Irecv waits for; NULL for none */
    MPI_Aint size;
} awaited;

/* Where the data of `count` items of `type` ends. */
static unsigned char *end_of(void *buffer, int count, MPI_Datatype type)
{
    MPI_Aint low, extent, true_low, true_extent;
    PMPI_Type_get_extent(type, &low, &extent);
    PMPI_Type_get_true_extent(type, &true_low, &true_extent);
    return (unsigned char *)buffer + (count - 1) * extent + true_low + true_extent;
}

static MPI_Aint size_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (MPI_Aint)count * size;
}

/* `call` has received so many bytes, and they end here. */
static void spoil(const char *call, unsigned char *end, MPI_Aint size)
{
    int rank;
    const char *wanted = getenv("FAULT_CALL"), *where = getenv("FAULT_RANK"), *nth = getenv("FAULT_NTH");
    if (!wanted || !where || !nth || strcmp(wanted, call) != 0 || size < WORD) return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == atoi(where) && ++n_calls == atoi(nth)) end[5 - WORD] ^= 1;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int status = PMPI_Allreduce(from, to, count, type, op, comm);
    spoil("MPI_Allreduce", end_of(to, count, type), size_of(count, type));
    return status;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int status = PMPI_Bcast(buffer, count, type, root, comm);
    spoil("MPI_Bcast", end_of(buffer, count, type), size_of(count, type));
    return status;
}

/* Blocks that follow each other without gaps, as the programs here have them. */
static void spoil_blocks(const char *call, void *to, const int counts[], const int displs[],
                         MPI_Datatype type, MPI_Comm comm)
{
    int n_ranks;
    PMPI_Comm_size(comm, &n_ranks);
    int count = displs[n_ranks - 1] + counts[n_ranks - 1];
    spoil(call, end_of(to, count, type), size_of(count, type));
}

int MPI_Allgatherv(const void *from, int n_from, MPI_Datatype from_type, void *to, const int counts[],
                   const int displs[], MPI_Datatype type, MPI_Comm comm)
{
    int status = PMPI_Allgatherv(from, n_from, from_type, to, counts, displs, type, comm);
    spoil_blocks("MPI_Allgatherv", to, counts, displs, type, comm);
    return status;
}

int MPI_Alltoallv(const void *from, const int from_counts[], const int from_displs[], MPI_Datatype from_type,
                  void *to, const int counts[], const int displs[], MPI_Datatype type, MPI_Comm comm)
{
    int status = PMPI_Alltoallv(from, from_counts, from_displs, from_type, to, counts, displs, type, comm);
    spoil_blocks("MPI_Alltoallv", to, counts, displs, type, comm);
    return status;
}

int MPI_Irecv(void *to, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (source != MPI_PROC_NULL) {
        awaited.end = end_of(to, count, type);
        awaited.size = size_of(count, type);
    }
    return PMPI_Irecv(to, count, type, source, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses)
{
    int status = PMPI_Waitall(count, requests, statuses);
    if (awaited.end) spoil("MPI_Waitall", awaited.end, awaited.size);
    awaited.end = NULL;
    return status;
}
