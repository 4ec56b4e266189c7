/*
 * What calls.c leaves out, on two ranks: 3000 synchronisations, 100 requests at once, persistent collectives,
 * an intercommunicator, cancelled and unequal receives; with MPI 4 also 64-bit counts and partitioned
 * messages.
 */
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#define MPI_Allreduce_init         MPIX_Allreduce_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#endif

static int rank, peer, a[256], b[256];

static void many_requests(void)
{
    MPI_Request r[200];
    MPI_Status statuses[200];
    for (int i = 0; i < 100; i++) MPI_Irecv(b + i, 2, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 100; i++) MPI_Isend(a, 1, MPI_INT, peer, i, MPI_COMM_WORLD, &r[100 + i]);
    MPI_Waitall(200, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 100; i++) MPI_Irecv(b + i, 2, MPI_INT, peer, i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 100; i++) MPI_Isend(a, 1, MPI_INT, peer, i, MPI_COMM_WORLD, &r[100 + i]);
    MPI_Waitall(200, r, statuses);
}

static void persistent_collectives(void)
{
    MPI_Request r;
    MPI_Comm ring;
    int size[1] = {2}, periodic[1] = {1};
    MPI_Allreduce_init(a, b, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    for (int i = 0; i < 6; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r);
    MPI_Cart_create(MPI_COMM_WORLD, 1, size, periodic, 0, &ring);
    MPI_Neighbor_alltoall_init(a, 2, MPI_INT, b, 2, MPI_INT, ring, MPI_INFO_NULL, &r);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r);
    MPI_Comm_free(&ring);
}

/* Rank 0 of the other side is the other rank of the world. */
static void intercommunicator(void)
{
    MPI_Comm self, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
    MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, peer, 77, &inter);
    MPI_Sendrecv(a, 8, MPI_INT, 0, 0, b, 8, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&self);
}

static void cancelled(void)
{
    MPI_Request r;
    MPI_Irecv(b, 16, MPI_INT, peer, 999, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4
static void mpi_4(void)
{
    MPI_Request r;
    MPI_Allreduce_c(a, b, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) MPI_Send_c(a, 3, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Recv_c(b, 3, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send_c(a, 3, MPI_INT, peer, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Psend_init(a, 2, 5, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Pready(0, r);
        MPI_Pready(1, r);
    } else {
        MPI_Precv_init(b, 2, 5, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
        MPI_Start(&r);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    for (int i = 0; i < 3000; i++) MPI_Barrier(MPI_COMM_WORLD);
    many_requests();
    persistent_collectives();
    intercommunicator();
    cancelled();
#if MPI_VERSION >= 4
    mpi_4();
#endif
    MPI_Finalize();
    return 0;
}
