/*
 * What a collective costs on a placement, by the algorithm that the library takes (room collective), round by
 * round: a round lasts as long as the busiest link.
 *
 * Costs are kept as three sums, because each has its own fitted factor: start-ups of messages between nodes,
 * bytes on the links, and messages inside a node. Equations in docs/models/cluster.md, section 5.
 */
#ifndef PARCAST_FORECAST_COLLECTIVE_H
#define PARCAST_FORECAST_COLLECTIVE_H

#include <stdbool.h>

#include "collective/decide.h"
#include "forecast/machine.h"

/* X(constant, text, operation, every rank waits for every other, only the root contributes bytes) */
#define COLLECTIVE_LIST(X)                                                                                   \
    X(BARRIER, "barrier", BARRIER, true, false)                                                              \
    X(BCAST, "broadcast", BCAST, false, true)                                                                \
    X(REDUCE, "reduce", REDUCE, false, false)                                                                \
    X(ALLREDUCE, "allreduce", ALLREDUCE, true, false)                                                        \
    X(GATHER, "gather", GATHER, false, false)                                                                \
    X(GATHERV, "gatherv", GATHERV, false, false)                                                             \
    X(SCATTER, "scatter", SCATTER, false, true)                                                              \
    X(SCATTERV, "scatterv", SCATTERV, false, true)                                                           \
    X(ALLGATHER, "allgather", ALLGATHER, true, false)                                                        \
    X(ALLGATHERV, "allgatherv", ALLGATHERV, true, false)                                                     \
    X(ALLTOALL, "all-to-all", ALLTOALL, true, false)                                                         \
    X(ALLTOALLV, "all-to-all v", ALLTOALLV, true, false)                                                     \
    X(REDUCE_SCATTER, "reduce-scatter", REDUCE_SCATTER, true, false)                                         \
    X(SCAN, "scan", SCAN, false, false)                                                                      \
    X(NEIGHBOR, "neighbourhood", BARRIER, false, false)

enum collective_kind {
#define COLLECTIVE_ENUM(constant, text, operation, synchronises, root_only) COLLECTIVE_##constant,
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
 * scatter. rotates: every rank is the root in turn, the cost is the mean. PARCAST_MEMORY on failure.
 */
parcast_status collective_cost(enum collective_kind kind, enum collective_library library,
                               const struct machine *machine, int n_ranks, double bytes, bool rotates,
                               struct transfer_cost *cost, parcast_error *error);

#endif
