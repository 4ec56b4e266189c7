/*
 * Every kind of call a known number of times, on two ranks. calls.F90 makes the same calls in the same
 * numbers; test_preload.c holds the truth.
 */
#include <mpi.h>
#include <stdio.h>

static int rank, peer;
static int a[64], b[64];
static MPI_Comm world;

static void blocking(void)
{
    double in[5] = {0}, out[5];
    for (int i = 0; i < 3; i++) {
        if (rank == 0) MPI_Send(a, 10, MPI_INT, peer, 1, world);
        MPI_Recv(b, 10, MPI_INT, peer, 1, world, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(a, 10, MPI_INT, peer, 1, world);
    }
    for (int i = 0; i < 2; i++)
        MPI_Sendrecv(in, 5, MPI_DOUBLE, peer, 2, out, 5, MPI_DOUBLE, peer, 2, world, MPI_STATUS_IGNORE);
    MPI_Send(a, 4, MPI_INT, MPI_PROC_NULL, 0, world);
    MPI_Recv(a, 4, MPI_INT, MPI_PROC_NULL, 0, world, MPI_STATUS_IGNORE);
}

static void non_blocking(void)
{
    MPI_Request r[2];
    int index, flag, n, indices[2];
    for (int i = 0; i < 4; i++) {
        MPI_Irecv(b, 7, MPI_INT, peer, 3, world, &r[0]);
        MPI_Isend(a, 7, MPI_INT, peer, 3, world, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    /* Posted longer than what arrives, from anybody. */
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(b, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &r[0]);
        MPI_Isend(a, 1, MPI_INT, peer, 4, world, &r[1]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
    MPI_Irecv(b, 64, MPI_INT, peer, 5, world, &r[0]);
    MPI_Send(a, 2, MPI_INT, peer, 5, world);
    MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(b, 64, MPI_INT, peer, 5, world, &r[0]);
    MPI_Send(a, 2, MPI_INT, peer, 5, world);
    MPI_Waitsome(1, r, &n, indices, MPI_STATUSES_IGNORE);
    MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    MPI_Testall(1, r, &flag, MPI_STATUSES_IGNORE);
    MPI_Testany(1, r, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(1, r, &n, indices, MPI_STATUSES_IGNORE);
}

static void probes(void)
{
    MPI_Message message;
    MPI_Status status;
    MPI_Request r;
    int flag;
    MPI_Iprobe(peer, 99, world, &flag, MPI_STATUS_IGNORE);
    MPI_Send(a, 3, MPI_INT, peer, 6, world);
    MPI_Probe(MPI_ANY_SOURCE, 6, world, &status);
    MPI_Recv(b, 64, MPI_INT, status.MPI_SOURCE, 6, world, &status);
    MPI_Send(a, 4, MPI_INT, peer, 7, world);
    MPI_Mprobe(peer, 7, world, &message, &status);
    MPI_Mrecv(b, 64, MPI_INT, &message, &status);
    MPI_Send(a, 4, MPI_INT, peer, 8, world);
    MPI_Mprobe(peer, 8, world, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(b, 64, MPI_INT, &message, &r);
    MPI_Wait(&r, &status);
}

static void persistent(void)
{
    MPI_Request r[2];
    MPI_Send_init(a, 6, MPI_INT, peer, 9, world, &r[0]);
    MPI_Recv_init(b, 64, MPI_INT, peer, 9, world, &r[1]);
    for (int i = 0; i < 5; i++) {
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r[1]);
        MPI_Start(&r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void collectives(void)
{
    int counts[2] = {2, 2}, starts[2] = {0, 2}, byte_starts[2] = {0, 8}, ones[2] = {1, 1};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    double d[2] = {0};
    MPI_Barrier(world);
    MPI_Barrier(world);
    MPI_Bcast(a, 10, MPI_INT, 0, world);
    MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 0, world);
    for (int i = 0; i < 3; i++) MPI_Allreduce(MPI_IN_PLACE, d, 2, MPI_DOUBLE, MPI_SUM, world);
    MPI_Gather(a, 4, MPI_INT, b, 4, MPI_INT, 1, world);
    MPI_Gatherv(a, 2, MPI_INT, b, counts, starts, MPI_INT, 1, world);
    MPI_Scatter(a, 4, MPI_INT, b, 4, MPI_INT, 0, world);
    MPI_Scatterv(a, counts, starts, MPI_INT, b, 2, MPI_INT, 0, world);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, starts, MPI_INT, world);
    MPI_Alltoall(a, 3, MPI_INT, b, 3, MPI_INT, world);
    MPI_Alltoallv(a, counts, starts, MPI_INT, b, counts, starts, MPI_INT, world);
    MPI_Alltoallw(a, counts, byte_starts, types, b, counts, byte_starts, types, world);
    MPI_Reduce_scatter(a, b, ones, MPI_INT, MPI_SUM, world);
    MPI_Reduce_scatter_block(a, b, 1, MPI_INT, MPI_SUM, world);
    MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, world);
    MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, world);
}

static void non_blocking_collectives(void)
{
    MPI_Request r;
    MPI_Ibarrier(world, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ibcast(a, 10, MPI_INT, 0, world, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Iallreduce(a, b, 2, MPI_INT, MPI_SUM, world, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Iallgather(a, 2, MPI_INT, b, 2, MPI_INT, world, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ialltoall(a, 2, MPI_INT, b, 2, MPI_INT, world, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void neighbours(void)
{
    MPI_Comm ring;
    MPI_Request r;
    int size[1] = {2}, periodic[1] = {1}, counts[2] = {1, 1}, starts[2] = {0, 1};
    MPI_Cart_create(world, 1, size, periodic, 0, &ring);
    MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, ring);
    MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, ring);
    MPI_Neighbor_alltoallv(a, counts, starts, MPI_INT, b, counts, starts, MPI_INT, ring);
    MPI_Ineighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, ring, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
}

/* Ranks turned round: rank 0 of the new communicator is rank 1 of the world. Many are made and freed: handles
 * return. */
static void communicators(void)
{
    MPI_Comm copy, turned, node;
    MPI_Comm_dup(world, &copy);
    MPI_Send(a, 1, MPI_INT, peer, 10, copy);
    MPI_Recv(b, 1, MPI_INT, peer, 10, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    for (int i = 0; i < 4; i++) {
        MPI_Comm_split(world, 0, i % 2 ? rank : -rank, &turned);
        int other = i % 2 ? peer : rank;
        MPI_Sendrecv(a, 1, MPI_INT, other, 11, b, 1, MPI_INT, other, 11, turned, MPI_STATUS_IGNORE);
        MPI_Comm_free(&turned);
    }
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Barrier(node);
    MPI_Comm_free(&node);
}

static void derived_type(void)
{
    MPI_Datatype three;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    if (rank == 0) MPI_Ssend(a, 2, three, peer, 12, world);
    MPI_Recv(b, 2, three, peer, 12, world, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Ssend(a, 2, three, peer, 12, world);
    MPI_Type_free(&three);
}

static void one_sided(void)
{
    static int memory[16];
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, world, &window);
    MPI_Win_fence(0, window);
    MPI_Put(a, 5, MPI_INT, peer, 0, 5, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Get(b, 5, MPI_INT, peer, 0, 5, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(a, 2, MPI_INT, peer, 0, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, window);
    MPI_Fetch_and_op(a, b, MPI_INT, peer, 0, MPI_SUM, window);
    MPI_Win_unlock(peer, window);
    MPI_Win_free(&window);
}

static void files(void)
{
    MPI_File file;
    const char *name = rank == 0 ? "calls.0" : "calls.1";
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, a, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 20, b, 10, MPI_INT, MPI_STATUS_IGNORE); /* only 5 are there */
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    peer = 1 - rank;
    blocking();
    non_blocking();
    probes();
    persistent();
    MPI_Pcontrol(2);
    collectives();
    non_blocking_collectives();
    neighbours();
    communicators();
    derived_type();
    one_sided();
    files();
    MPI_Finalize();
    return 0;
}
