/*
 * Which algorithm an MPI library takes for a collective: the fixed decisions of Open MPI (openmpi.def) and
 * MPICH, for commutative built-in operators.
 *
 * Source: coll/tuned and coll/basic of Open MPI 4.1 to 6; the selection rules inside libmpich 4.0.2 (Debian
 * 12, device ch4), which are those of Thakur, Rabenseifner, Gropp, Optimization of collective communication
 * operations in MPICH, IJHPCA 19(1), 2005, with other limits.
 */
#ifndef PARCAST_COLLECTIVE_DECIDE_H
#define PARCAST_COLLECTIVE_DECIDE_H

#include <stdbool.h>

/* X(constant, MPI name without MPI_) */
#define COLLECTIVE_OPERATION_LIST(X)                                                                         \
    X(BARRIER, "Barrier")                                                                                    \
    X(BCAST, "Bcast")                                                                                        \
    X(REDUCE, "Reduce")                                                                                      \
    X(ALLREDUCE, "Allreduce")                                                                                \
    X(GATHER, "Gather")                                                                                      \
    X(GATHERV, "Gatherv")                                                                                    \
    X(SCATTER, "Scatter")                                                                                    \
    X(SCATTERV, "Scatterv")                                                                                  \
    X(ALLGATHER, "Allgather")                                                                                \
    X(ALLGATHERV, "Allgatherv")                                                                              \
    X(ALLTOALL, "Alltoall")                                                                                  \
    X(ALLTOALLV, "Alltoallv")                                                                                \
    X(ALLTOALLW, "Alltoallw")                                                                                \
    X(REDUCE_SCATTER, "Reduce_scatter")                                                                      \
    X(REDUCE_SCATTER_BLOCK, "Reduce_scatter_block")                                                          \
    X(SCAN, "Scan")                                                                                          \
    X(EXSCAN, "Exscan")                                                                                      \
    X(NEIGHBOR_ALLGATHER, "Neighbor_allgather")                                                              \
    X(NEIGHBOR_ALLGATHERV, "Neighbor_allgatherv")                                                            \
    X(NEIGHBOR_ALLTOALL, "Neighbor_alltoall")                                                                \
    X(NEIGHBOR_ALLTOALLV, "Neighbor_alltoallv")                                                              \
    X(NEIGHBOR_ALLTOALLW, "Neighbor_alltoallw")

enum collective_operation {
#define OPERATION_ENUM(constant, name) OPERATION_##constant,
    COLLECTIVE_OPERATION_LIST(OPERATION_ENUM)
#undef OPERATION_ENUM
        COLLECTIVE_OPERATIONS
};

/* X(constant, name that a user may write). What each is: docs/models/collectives.md. */
#define COLLECTIVE_ALGORITHM_LIST(X)                                                                         \
    X(NAIVE, "naive")                                                                                        \
    X(LINEAR, "linear")                                                                                      \
    X(LINEAR_NONBLOCKING, "linear_nonblocking")                                                              \
    X(LINEAR_TWO_SEGMENTS, "linear_two_segments")                                                            \
    X(SCATTERED, "scattered")                                                                                \
    X(CHAIN, "chain")                                                                                        \
    X(PIPELINE, "pipeline")                                                                                  \
    X(BINARY, "binary")                                                                                      \
    X(IN_ORDER_BINARY, "in_order_binary")                                                                    \
    X(SPLIT_BINARY, "split_binary")                                                                          \
    X(BINOMIAL, "binomial")                                                                                  \
    X(BINOMIAL_ASCENDING, "binomial_ascending")                                                              \
    X(BINOMIAL_DESCENDING, "binomial_descending")                                                            \
    X(BINOMIAL_OVERLAPPED, "binomial_overlapped")                                                            \
    X(KNOMIAL, "knomial")                                                                                    \
    X(KARY, "kary")                                                                                          \
    X(SCATTER_RECURSIVE_DOUBLING, "scatter_recursive_doubling")                                              \
    X(SCATTER_RING, "scatter_ring")                                                                          \
    X(RECURSIVE_DOUBLING, "recursive_doubling")                                                              \
    X(RECURSIVE_DOUBLING_UNFOLDED, "recursive_doubling_unfolded")                                            \
    X(RECURSIVE_HALVING, "recursive_halving")                                                                \
    X(RABENSEIFNER, "rabenseifner")                                                                          \
    X(RABENSEIFNER_HALVES, "rabenseifner_halves")                                                            \
    X(RING, "ring")                                                                                          \
    X(SEGMENTED_RING, "segmented_ring")                                                                      \
    X(DOUBLE_RING, "double_ring")                                                                            \
    X(NEIGHBOR, "neighbor")                                                                                  \
    X(TWO_RANKS, "two_ranks")                                                                                \
    X(SPREAD, "spread")                                                                                      \
    X(BRUCK, "bruck")                                                                                        \
    X(PAIRWISE_XOR, "pairwise_xor")                                                                          \
    X(PAIRWISE_SHIFT, "pairwise_shift")                                                                      \
    X(BUTTERFLY, "butterfly")                                                                                \
    X(DISSEMINATION, "dissemination")                                                                        \
    X(TREE, "tree")                                                                                          \
    X(REDUCE_BCAST, "reduce_bcast")                                                                          \
    X(REDUCE_SCATTERV, "reduce_scatterv")                                                                    \
    X(GATHERV_BCAST, "gatherv_bcast")

enum collective_algorithm {
#define ALGORITHM_ENUM(constant, name) ALGORITHM_##constant,
    COLLECTIVE_ALGORITHM_LIST(ALGORITHM_ENUM)
#undef ALGORITHM_ENUM
        COLLECTIVE_ALGORITHMS
};

enum collective_library { LIBRARY_OPENMPI, LIBRARY_MPICH };

const char *collective_operation_name(enum collective_operation operation);
const char *collective_algorithm_name(enum collective_algorithm algorithm);

/* Library of a text like "Open MPI 4.1.4" or "MPICH 4.0.2"; what is derived from MPICH decides as it does.
 * NULL and others: MPICH's rules. */
enum collective_library collective_library_of(const char *mpi);
/* Is it one of these libraries, or derived from MPICH? */
bool collective_library_is_known(const char *mpi);

/* An algorithm by its name; COLLECTIVE_ALGORITHMS if there is none. */
enum collective_algorithm collective_algorithm_named(const char *name);

/*
 * The algorithm for a communicator of n_ranks, as if every rank were on a node of its own. bytes: of the
 * whole vector for bcast, reduce, allreduce and scan, of all blocks for reduce_scatter, of the average block
 * for the v-variants, of one block otherwise. elements: of a reduction's vector; 0: not known, taken as 8
 * bytes each.
 */
enum collective_algorithm collective_decide(enum collective_library library,
                                            enum collective_operation operation, int n_ranks, double bytes,
                                            double elements);

/*
 * What a library does with ranks that share nodes. LEADERS: the first rank of every node acts for it; a root
 * that is none hands its data to, or gets them from, its node's first one (reduce: the communicator's rank
 * 0). ROOT_NODE: the same, but inside the root's node the root itself is the root.
 */
enum collective_hierarchy { HIERARCHY_FLAT, HIERARCHY_LEADERS, HIERARCHY_ROOT_NODE };

/* bytes as above; consecutive: the ranks of every node follow one another. */
enum collective_hierarchy collective_hierarchy_of(enum collective_library library,
                                                  enum collective_operation operation, int n_ranks,
                                                  int n_nodes, bool consecutive, double bytes);

#endif
