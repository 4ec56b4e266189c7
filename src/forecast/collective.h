/*
 * What a collective costs on a placement, by the algorithm that a library would take.
 *
 * Costs are kept as three sums, because each has its own fitted factor: start-ups of messages between nodes,
 * bytes on the links, and messages inside a node.
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH,
 * IJHPCA 19(1), 2005; equations in docs/models/cluster.md.
 */
#ifndef PARCAST_FORECAST_COLLECTIVE_H
#define PARCAST_FORECAST_COLLECTIVE_H

#include <stdbool.h>

#include "forecast/machine.h"

/* X(constant, text, every rank waits for every other, only the root contributes bytes) */
#define COLLECTIVE_LIST(X)                                                                                   \
    X(BARRIER, "barrier", true, false)                                                                       \
    X(BCAST, "broadcast", false, true)                                                                       \
    X(REDUCE, "reduce", false, false)                                                                        \
    X(ALLREDUCE, "allreduce", true, false)                                                                   \
    X(GATHER, "gather", false, false)                                                                        \
    X(SCATTER, "scatter", false, true)                                                                       \
    X(ALLGATHER, "allgather", true, false)                                                                   \
    X(ALLTOALL, "all-to-all", true, false)                                                                   \
    X(REDUCE_SCATTER, "reduce-scatter", true, false)                                                         \
    X(SCAN, "scan", false, false)                                                                            \
    X(NEIGHBOR, "neighbourhood", false, false)

enum collective_kind {
#define COLLECTIVE_ENUM(constant, text, synchronises, root_only) COLLECTIVE_##constant,
    COLLECTIVE_LIST(COLLECTIVE_ENUM)
#undef COLLECTIVE_ENUM
        COLLECTIVE_KINDS
};

/* Seconds with all factors at 1. */
struct transfer_cost {
    double start_s;   /* latency and overhead between nodes */
    double network_s; /* bytes / bandwidth of links */
    double local_s;   /* inside a node */
};

/* Kind of "MPI_Iallreduce", "MPI_Alltoallv_init", ...; -1 for names that move nothing. */
int collective_kind_of(const char *mpi_name);
const char *collective_text(enum collective_kind kind);
bool collective_synchronises(enum collective_kind kind);
bool collective_root_only(enum collective_kind kind);

/*
 * One call on a communicator of n_ranks of the machine's ranks. bytes: of one contribution (barrier:
 * ignored); what every rank contributes in all for the all-to-all kinds, what the root holds in all for
 * scatter.
 */
struct transfer_cost collective_cost(enum collective_kind kind, const struct machine *machine, int n_ranks,
                                     double bytes);

#endif
