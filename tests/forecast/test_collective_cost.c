/* What collectives cost on a machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "forecast/collective.h"

static struct machine machine_of(int n_nodes, int per_node)
{
    struct machine m = {.n_nodes = n_nodes,
                        .n_ranks = n_nodes * per_node,
                        .n_groups = 1,
                        .max_ranks_per_node = per_node,
                        .min_bandwidth_bytes_per_s = 1e8,
                        .latency_s = 5e-5,
                        .bisection_bytes_per_s = NAN,
                        .local_latency_s = 5e-7,
                        .local_bandwidth_bytes_per_s = 5e9};
    m.nodes = calloc((size_t)n_nodes, sizeof *m.nodes);
    m.node_of_rank = calloc((size_t)m.n_ranks, sizeof *m.node_of_rank);
    assert_true(m.nodes && m.node_of_rank);
    for (int i = 0; i < n_nodes; i++)
        m.nodes[i] = (struct machine_node){
            .speed = 1, .cores = per_node, .sockets = 1, .bandwidth_bytes_per_s = 1e8, .n_ranks = per_node};
    for (int rank = 0; rank < m.n_ranks; rank++) m.node_of_rank[rank] = rank / per_node;
    return m;
}

static double sum(struct transfer_cost cost)
{
    return cost.start_s + cost.network_s + cost.local_s;
}

static void mpi_names_are_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int kind;
    } names[] = {{"MPI_Allreduce", COLLECTIVE_ALLREDUCE},
                 {"MPI_Iallreduce", COLLECTIVE_ALLREDUCE},
                 {"MPI_Reduce", COLLECTIVE_REDUCE},
                 {"MPI_Ireduce_scatter_block", COLLECTIVE_REDUCE_SCATTER},
                 {"MPI_Alltoallw_init", COLLECTIVE_ALLTOALLV},
                 {"MPI_Neighbor_alltoall", COLLECTIVE_NEIGHBOR},
                 {"MPI_Ibcast", COLLECTIVE_BCAST},
                 {"MPI_Exscan", COLLECTIVE_SCAN},
                 {"MPI_Iscatterv", COLLECTIVE_SCATTERV},
                 {"MPI_Send", -1},
                 {"MPI_Reduce_local", -1},
                 {"MPI_Isend", -1},
                 {"MPI_Comm_split", -1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(collective_kind_of(names[i].name), names[i].kind);
}

static struct transfer_cost cost_of(enum collective_kind kind, enum collective_library library,
                                    const struct machine *machine, double bytes)
{
    struct transfer_cost cost;
    parcast_error error;
    assert_int_equal(collective_cost(kind, library, machine, machine->n_ranks, bytes, false, &cost, &error),
                     PARCAST_OK);
    assert_true(cost.start_s >= 0 && cost.network_s >= 0 && cost.local_s >= 0);
    return cost;
}

static void alone_it_is_free_and_inside_a_node_there_is_no_network(void **state)
{
    (void)state;
    struct machine alone = machine_of(1, 1), node = machine_of(1, 16), eight = machine_of(8, 2);
    for (int kind = 0; kind < COLLECTIVE_KINDS; kind++)
        for (int library = LIBRARY_OPENMPI; library <= LIBRARY_MPICH; library++) {
            enum collective_kind k = (enum collective_kind)kind;
            enum collective_library l = (enum collective_library)library;
            assert_true(sum(cost_of(k, l, &alone, 1e6)) == 0);
            struct transfer_cost inside = cost_of(k, l, &node, 1e4), across = cost_of(k, l, &eight, 1e4);
            assert_true(inside.network_s == 0 && inside.start_s == 0 && inside.local_s > 0);
            assert_true(across.start_s > 0);
        }
    machine_clear(&alone);
    machine_clear(&node);
    machine_clear(&eight);
}

/* By hand, 1e8 bytes/s and 50 us: see each line. */
static void costs_are_those_of_the_algorithm(void **state)
{
    (void)state;
    struct machine four = machine_of(4, 1), pairs = machine_of(2, 2);
    /* Open MPI, recursive doubling: 1e6, then 2e6 bytes */
    struct transfer_cost c = cost_of(COLLECTIVE_ALLGATHER, LIBRARY_OPENMPI, &four, 1e6);
    assert_float_equal(c.network_s, 0.03, 1e-9);
    assert_float_equal(c.start_s, 1e-4, 1e-12);
    /* MPICH, ring: three steps of 1e6 bytes */
    c = cost_of(COLLECTIVE_ALLGATHER, LIBRARY_MPICH, &four, 1e6);
    assert_float_equal(c.network_s, 0.03, 1e-9);
    assert_float_equal(c.start_s, 1.5e-4, 1e-12);
    /* two ranks a node: the first exchange stays inside, in the second two pairs share the link */
    c = cost_of(COLLECTIVE_ALLGATHER, LIBRARY_OPENMPI, &pairs, 1e6);
    assert_float_equal(c.network_s, 0.04, 1e-9);
    assert_float_equal(c.local_s, 5e-7 + 1e6 / 5e9, 1e-12);
    /* every rank 1e6 bytes to every other: 3e6 out of each node */
    c = cost_of(COLLECTIVE_ALLTOALLV, LIBRARY_MPICH, &four, 4e6);
    assert_float_equal(c.network_s, 0.03, 1e-9);
    /* the link of the root carries all */
    c = cost_of(COLLECTIVE_GATHERV, LIBRARY_MPICH, &four, 1e6);
    assert_float_equal(c.network_s, 0.03, 1e-9);
    /* half duplex: both directions of the all-to-all share the link */
    four.half_duplex = true;
    c = cost_of(COLLECTIVE_ALLTOALLV, LIBRARY_MPICH, &four, 4e6);
    assert_float_equal(c.network_s, 0.06, 1e-9);
    machine_clear(&four);
    machine_clear(&pairs);
}

static void an_exchange_may_be_slower_than_its_halves(void **state)
{
    (void)state;
    static const parcast_breakpoint halves[] = {{0, 1}, {65536, 0.5}};
    struct machine two = machine_of(2, 1);
    two.exchange_factors = halves;
    two.n_exchange_factors = 2;
    assert_float_equal(machine_exchange_penalty(&two, 1000), 0, 1e-9);
    assert_float_equal(machine_exchange_penalty(&two, 1e6), 1, 1e-9);
    struct transfer_cost one_way = cost_of(COLLECTIVE_GATHERV, LIBRARY_OPENMPI, &two, 1e6);
    assert_float_equal(one_way.network_s, 0.01, 1e-9);
    struct transfer_cost c = cost_of(COLLECTIVE_ALLGATHER, LIBRARY_OPENMPI, &two, 1e6);
    assert_float_equal(c.network_s, 0.02, 1e-9);
    machine_clear(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mpi_names_are_kinds),
        cmocka_unit_test(alone_it_is_free_and_inside_a_node_there_is_no_network),
        cmocka_unit_test(costs_are_those_of_the_algorithm),
        cmocka_unit_test(an_exchange_may_be_slower_than_its_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
