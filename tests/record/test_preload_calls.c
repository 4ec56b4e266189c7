#include "preload.h"

#include <stdio.h>
#include <string.h>

/* What calls.c and calls.F90 do on each of two ranks, read off the programs; root bytes differ by rank. */
static const struct {
    const char *name;
    uint64_t count, bytes[2];
} truth[] = {
    {"MPI_Init", 1, {0, 0}},
    {"MPI_Finalize", 1, {0, 0}},
    {"MPI_Pcontrol", 1, {0, 0}},
    {"MPI_Send", 10, {184, 184}},
    {"MPI_Recv", 7, {160, 160}},
    {"MPI_Sendrecv", 6, {96, 96}},
    {"MPI_Ssend", 1, {24, 24}},
    {"MPI_Irecv", 8, {136, 136}},
    {"MPI_Isend", 6, {120, 120}},
    {"MPI_Wait", 15, {0, 0}},
    {"MPI_Waitall", 9, {0, 0}},
    {"MPI_Waitany", 1, {0, 0}},
    {"MPI_Waitsome", 1, {0, 0}},
    {"MPI_Test", 1, {0, 0}},
    {"MPI_Testall", 1, {0, 0}},
    {"MPI_Testany", 1, {0, 0}},
    {"MPI_Testsome", 1, {0, 0}},
    {"MPI_Iprobe", 1, {0, 0}},
    {"MPI_Probe", 1, {0, 0}},
    {"MPI_Mprobe", 2, {0, 0}},
    {"MPI_Mrecv", 1, {16, 16}},
    {"MPI_Imrecv", 1, {16, 16}},
    {"MPI_Send_init", 1, {0, 0}},
    {"MPI_Recv_init", 1, {0, 0}},
    {"MPI_Start", 4, {48, 48}},
    {"MPI_Startall", 5, {120, 120}},
    {"MPI_Request_free", 2, {0, 0}},
    {"MPI_Barrier", 3, {0, 0}},
    {"MPI_Bcast", 1, {40, 0}},
    {"MPI_Reduce", 1, {4, 4}},
    {"MPI_Allreduce", 3, {48, 48}},
    {"MPI_Gather", 1, {16, 16}},
    {"MPI_Gatherv", 1, {8, 8}},
    {"MPI_Scatter", 1, {32, 0}},
    {"MPI_Scatterv", 1, {16, 0}},
    {"MPI_Allgather", 1, {8, 8}},
    {"MPI_Allgatherv", 1, {8, 8}},
    {"MPI_Alltoall", 1, {24, 24}},
    {"MPI_Alltoallv", 1, {16, 16}},
    {"MPI_Alltoallw", 1, {16, 16}},
    {"MPI_Reduce_scatter", 1, {8, 8}},
    {"MPI_Reduce_scatter_block", 1, {8, 8}},
    {"MPI_Scan", 1, {4, 4}},
    {"MPI_Exscan", 1, {4, 4}},
    {"MPI_Ibarrier", 1, {0, 0}},
    {"MPI_Ibcast", 1, {40, 0}},
    {"MPI_Iallreduce", 1, {8, 8}},
    {"MPI_Iallgather", 1, {8, 8}},
    {"MPI_Ialltoall", 1, {16, 16}},
    {"MPI_Cart_create", 1, {0, 0}},
    {"MPI_Neighbor_allgather", 1, {4, 4}},
    {"MPI_Neighbor_alltoall", 1, {8, 8}},
    {"MPI_Neighbor_alltoallv", 1, {8, 8}},
    {"MPI_Ineighbor_alltoall", 1, {8, 8}},
    {"MPI_Comm_dup", 1, {0, 0}},
    {"MPI_Comm_split", 4, {0, 0}},
    {"MPI_Comm_split_type", 1, {0, 0}},
    {"MPI_Comm_free", 7, {0, 0}},
    {"MPI_Type_free", 1, {0, 0}},
    {"MPI_Win_create", 1, {0, 0}},
    {"MPI_Win_fence", 4, {0, 0}},
    {"MPI_Put", 1, {20, 20}},
    {"MPI_Get", 1, {20, 20}},
    {"MPI_Accumulate", 1, {8, 8}},
    {"MPI_Win_lock", 1, {0, 0}},
    {"MPI_Fetch_and_op", 1, {4, 4}},
    {"MPI_Win_unlock", 1, {0, 0}},
    {"MPI_Win_free", 1, {0, 0}},
    {"MPI_File_open", 1, {0, 0}},
    {"MPI_File_write_at", 1, {40, 40}},
    {"MPI_File_read_at", 1, {20, 20}},
    {"MPI_File_close", 1, {0, 0}},
};
enum { N_TRUTH = sizeof truth / sizeof truth[0] };

static void check_calls(const parcast_rank_profile *p)
{
    for (size_t i = 0; i < N_TRUTH; i++) {
        if (calls_of(p, truth[i].name) != truth[i].count)
            fail_msg("rank %d: %s %zu times instead of %zu", p->rank, truth[i].name,
                     (size_t)calls_of(p, truth[i].name), (size_t)truth[i].count);
        if (bytes_of(p, truth[i].name) != truth[i].bytes[p->rank])
            fail_msg("rank %d: %s %zu bytes instead of %zu", p->rank, truth[i].name,
                     (size_t)bytes_of(p, truth[i].name), (size_t)truth[i].bytes[p->rank]);
    }
    assert_int_equal(p->n_calls, N_TRUTH);
}

/* 9 sends, 6 non-blocking, 6 in Sendrecv, 1 synchronous, 7 starts: all to the other rank, also by turned
 * ranks. */
static void check_messages(const parcast_rank_profile *p)
{
    uint64_t sent = 0, sent_bytes = 0, received = 0, received_bytes = 0;
    assert_int_equal(p->n_peers, 1);
    assert_int_equal(p->peers[0].rank, 1 - p->rank);
    assert_int_equal(p->peers[0].reach, PARCAST_REACH_SAME_NODE);
    assert_int_equal(p->peers[0].count, 29);
    assert_int_equal(p->peers[0].bytes, 592);
    for (size_t i = 0; i < p->n_sizes; i++) {
        const parcast_profile_sizes *s = &p->sizes[i];
        if (s->message_class == PARCAST_MESSAGE_SEND) {
            sent += s->count;
            sent_bytes += s->bytes;
        } else if (s->message_class == PARCAST_MESSAGE_RECEIVE) {
            received += s->count;
            received_bytes += s->bytes;
        }
    }
    assert_int_equal(sent, 29);
    assert_int_equal(sent_bytes, 592);
    assert_int_equal(received, 29);
    assert_int_equal(received_bytes, 592);
}

static void check_rest(const parcast_rank_profile *p)
{
    uint64_t persistent = 0;
    assert_true(p->complete);
    assert_int_equal(p->end, PARCAST_END_FINALIZED);
    assert_int_equal(p->n_nodes, 1);
    assert_int_equal(p->node_ranks, 2);
    assert_int_equal(p->n_threads, 1);
    assert_int_equal(p->n_syncs,
                     13); /* 2 barriers, 3 + 1 + 1 + 3 + 2 all-to-all kinds of collectives, node barrier */
    assert_int_equal(p->n_windows, 13);
    assert_int_equal(p->n_phases, 2);
    assert_int_equal(p->phases[1].level, 2);
    assert_true(p->mpi_s > 0 && p->mpi_s <= p->time_s);
    assert_true(p->wait_s >= 0 && p->wait_s <= p->mpi_s);
    assert_true(p->io_s > 0 && p->compute_s > 0 && p->calibration > 0 && p->startup_s > 0);
    assert_int_equal(p->lost_sites + p->lost_peers + p->lost_collectives + p->lost_requests, 0);
    for (size_t i = 0; i < p->n_sites; i++) persistent += strcmp(p->sites[i].name, "MPI_Startall") == 0;
    assert_int_equal(persistent, 1);
}

static void check_program(int mpi, const char *program)
{
    struct record r;
    char arguments[64];
    need_program(mpi, program);
    snprintf(arguments, sizeof arguments, "-n 2 @%s%%", program);
    run_recorded(&r, mpi, "", arguments);
    if (r.exit_status != 0) fail_msg("exit status %d\n%s", r.exit_status, r.output);
    assert_int_equal(r.n, 2);
    for (int rank = 0; rank < 2; rank++) {
        const parcast_rank_profile *p = rank_of(&r, rank);
        assert_string_equal(p->mpi, mpi == MPICH ? "MPICH" : "Open MPI");
        check_calls(p);
        check_messages(p);
        check_rest(p);
    }
    free_record(&r);
}

#define COUNTS_ARE_TRUE(mpi, program, name)                                                                  \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_program(mpi, program);                                                                         \
    }
COUNTS_ARE_TRUE(MPICH, "calls_c", counts_of_a_c_program_under_mpich_are_true)
COUNTS_ARE_TRUE(MPICH, "calls_mpif", counts_of_an_mpif_program_under_mpich_are_true)
COUNTS_ARE_TRUE(MPICH, "calls_usempi", counts_of_a_use_mpi_program_under_mpich_are_true)
COUNTS_ARE_TRUE(MPICH, "calls_f08", counts_of_an_mpi_f08_program_under_mpich_are_true)
COUNTS_ARE_TRUE(OPENMPI, "calls_c", counts_of_a_c_program_under_open_mpi_are_true)
COUNTS_ARE_TRUE(OPENMPI, "calls_mpif", counts_of_an_mpif_program_under_open_mpi_are_true)
COUNTS_ARE_TRUE(OPENMPI, "calls_usempi", counts_of_a_use_mpi_program_under_open_mpi_are_true)
COUNTS_ARE_TRUE(OPENMPI, "calls_f08", counts_of_an_mpi_f08_program_under_open_mpi_are_true)

static const parcast_profile_collective *collective_of(const parcast_rank_profile *p, const char *name)
{
    for (size_t i = 0; i < p->n_collectives; i++)
        if (strcmp(p->collectives[i].name, name) == 0) return &p->collectives[i];
    fail_msg("no collective %s", name);
    return NULL;
}

/* Persistent collectives count under their own name at every start; 3000 windows were merged twice. */
static void check_more(const parcast_rank_profile *p, bool mpi_4)
{
    assert_int_equal(calls_of(p, "MPI_Barrier"), 3000);
    assert_int_equal(p->n_syncs, mpi_4 ? 3001 : 3000);
    assert_int_equal(p->syncs_per_window, 4);
    assert_int_equal(p->n_windows, mpi_4 ? 751 : 750);
    assert_int_equal(calls_of(p, "MPI_Irecv"), 201);
    assert_int_equal(bytes_of(p, "MPI_Irecv"), 200 * 4 + 64); /* the cancelled one as it was posted */
    assert_int_equal(calls_of(p, "MPI_Waitall"), 2);
    assert_int_equal(calls_of(p, "MPI_Cancel"), 1);
    assert_int_equal(calls_of(p, "MPI_Allreduce_init"), 1);
    assert_int_equal(collective_of(p, "MPI_Allreduce_init")->count, 6);
    assert_int_equal(collective_of(p, "MPI_Allreduce_init")->bytes, 6 * 16);
    assert_int_equal(collective_of(p, "MPI_Neighbor_alltoall_init")->count, 3);
    assert_int_equal(collective_of(p, "MPI_Neighbor_alltoall_init")->bytes, 3 * 16);
    assert_int_equal(p->n_peers, 1); /* also through the intercommunicator */
    assert_int_equal(p->peers[0].rank, 1 - p->rank);
    if (!mpi_4) return;
    assert_int_equal(calls_of(p, "MPI_Allreduce"), 1);
    assert_int_equal(bytes_of(p, "MPI_Allreduce"), 12);
    assert_int_equal(calls_of(p, "MPI_Send"), 1);
    assert_int_equal(bytes_of(p, "MPI_Send"), 12);
    assert_int_equal(bytes_of(p, "MPI_Recv"), 12);
    if (p->rank == 0) {
        assert_int_equal(calls_of(p, "MPI_Psend_init"), 1);
        assert_int_equal(calls_of(p, "MPI_Pready"), 2);
        assert_int_equal(p->peers[0].count, 200 + 1 + 1 + 1);
        assert_int_equal(p->peers[0].bytes, 200 * 4 + 32 + 12 + 40);
    }
}

static void many_requests_windows_and_the_calls_of_mpi_4_are_counted(void **state)
{
    (void)state;
    for (int mpi = 0; mpi < N_MPIS; mpi++) {
        struct record r;
        need_program(mpi, "more");
        run_recorded(&r, mpi, "", "-n 2 @more%");
        if (r.exit_status != 0) fail_msg("exit status %d\n%s", r.exit_status, r.output);
        for (int rank = 0; rank < 2; rank++)
            check_more(rank_of(&r, rank), calls_of(rank_of(&r, 0), "MPI_Psend_init") > 0);
        free_record(&r);
    }
}

/* 4 threads of 500 rounds; sizes 4, 8, 12, 16 bytes in turn, received as they came. */
static void counts_of_threads_that_call_at_once_are_exact(void **state)
{
    (void)state;
    for (int mpi = 0; mpi < N_MPIS; mpi++) {
        struct record r;
        need_program(mpi, "threads");
        run_recorded(&r, mpi, "", "-n 1 @threads%");
        const parcast_rank_profile *p = rank_of(&r, 0);
        if (strstr(r.output, "no threads")) {
            print_message("%s has no MPI_THREAD_MULTIPLE\n", mpi_name(mpi));
            free_record(&r);
            continue;
        }
        assert_int_equal(p->thread_level, 3);
        assert_int_equal(p->thread_level_asked, 3);
        assert_int_equal(p->n_threads, 5);
        assert_int_equal(calls_of(p, "MPI_Irecv"), 2000);
        assert_int_equal(bytes_of(p, "MPI_Irecv"), 20000);
        assert_int_equal(calls_of(p, "MPI_Isend"), 2000);
        assert_int_equal(bytes_of(p, "MPI_Isend"), 20000);
        assert_int_equal(calls_of(p, "MPI_Waitall"), 2000);
        assert_int_equal(calls_of(p, "MPI_Allreduce"), 2000);
        assert_int_equal(p->peers[0].count, 2000);
        assert_true(p->other_threads_mpi_s > 0);
        free_record(&r);
    }
}

static void a_program_in_cplusplus_is_counted(void **state)
{
    (void)state;
    for (int mpi = 0; mpi < N_MPIS; mpi++) {
        struct record r;
        need_program(mpi, "cplusplus");
        run_recorded(&r, mpi, "", "-n 2 @cplusplus%");
        for (int rank = 0; rank < 2; rank++) {
            assert_int_equal(calls_of(rank_of(&r, rank), "MPI_Allreduce"), 3);
            assert_int_equal(bytes_of(rank_of(&r, rank), "MPI_Allreduce"), 2400);
        }
        free_record(&r);
    }
}

/* As Python does it: only the plug-in's dependencies lead to the MPI library. */
static void an_mpi_library_of_local_scope_is_found(void **state)
{
    (void)state;
    for (int mpi = 0; mpi < N_MPIS; mpi++) {
        struct record r;
        need_program(mpi, "plugin");
        run_recorded(&r, mpi, "", "-n 1 @plugin_host @plugin%");
        if (r.exit_status != 0) fail_msg("exit status %d\n%s", r.exit_status, r.output);
        assert_int_equal(calls_of(rank_of(&r, 0), "MPI_Sendrecv"), 1);
        assert_int_equal(bytes_of(rank_of(&r, 0), "MPI_Sendrecv"), 4);
        assert_int_equal(calls_of(rank_of(&r, 0), "MPI_Barrier"), 1);
        free_record(&r);
    }
}

static void a_spawned_world_is_recorded_beside_its_parent(void **state)
{
    (void)state;
    for (int mpi = 0; mpi < N_MPIS; mpi++) {
        struct record r;
        need_program(mpi, "spawn");
        run_recorded(&r, mpi, "", "-n 1 @spawn%");
        if (strstr(r.output, "Error in spawn call")) {
            print_message("%s of this machine cannot spawn, recorded or not\n", mpi_name(mpi));
            free_record(&r);
            continue;
        }
        if (r.exit_status != 0) fail_msg("exit status %d\n%s", r.exit_status, r.output);
        assert_int_equal(r.n, 3);
        assert_false(r.profiles[0].spawned);
        assert_int_equal(calls_of(&r.profiles[0], "MPI_Comm_spawn"), 1);
        for (int i = 1; i < 3; i++) {
            assert_true(r.profiles[i].spawned);
            assert_true(r.profiles[i].world_id != r.profiles[0].world_id);
            assert_int_equal(r.profiles[i].peers[0].rank, -1);
            assert_int_equal(r.profiles[i].peers[0].bytes, 4);
        }
        free_record(&r);
    }
}

static void more_ranks_than_cpus_are_recognised(void **state)
{
    (void)state;
    struct record r;
    need_program(OPENMPI, "endings");
    run_recorded(&r, OPENMPI, "taskset -c 0", "-n 2 @endings% none");
    for (int rank = 0; rank < 2; rank++) {
        const parcast_rank_profile *p = rank_of(&r, rank);
        assert_int_equal(p->allowed_cores, 1);
        assert_int_equal(p->node_allowed_cores, 1);
        assert_true(p->oversubscribed);
        assert_true(p->compute_s <= p->compute_wall_s * 1.01);
        assert_int_equal(calls_of(p, "MPI_Allreduce"), 7);
    }
    free_record(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_a_c_program_under_mpich_are_true),
        cmocka_unit_test(counts_of_an_mpif_program_under_mpich_are_true),
        cmocka_unit_test(counts_of_a_use_mpi_program_under_mpich_are_true),
        cmocka_unit_test(counts_of_an_mpi_f08_program_under_mpich_are_true),
        cmocka_unit_test(counts_of_a_c_program_under_open_mpi_are_true),
        cmocka_unit_test(counts_of_an_mpif_program_under_open_mpi_are_true),
        cmocka_unit_test(counts_of_a_use_mpi_program_under_open_mpi_are_true),
        cmocka_unit_test(counts_of_an_mpi_f08_program_under_open_mpi_are_true),
        cmocka_unit_test(many_requests_windows_and_the_calls_of_mpi_4_are_counted),
        cmocka_unit_test(counts_of_threads_that_call_at_once_are_exact),
        cmocka_unit_test(a_program_in_cplusplus_is_counted),
        cmocka_unit_test(an_mpi_library_of_local_scope_is_found),
        cmocka_unit_test(a_spawned_world_is_recorded_beside_its_parent),
        cmocka_unit_test(more_ranks_than_cpus_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
