/*
 * Which algorithm an MPI library takes for a collective: the fixed decisions of Open MPI (openmpi.def) and
 * MPICH, for communicators across nodes and commutative built-in operators.
 *
 * Source: coll/tuned of Open MPI 4.1 to 6; Thakur, Rabenseifner, Gropp, Optimization of collective
 * communication operations in MPICH, IJHPCA 19(1), 2005, with the limits of MPICH 3 to 5.
 */
#ifndef PARCAST_COLLECTIVE_DECIDE_H
#define PARCAST_COLLECTIVE_DECIDE_H

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
    X(REDUCE_SCATTER, "Reduce_scatter")                                                                      \
    X(SCAN, "Scan")                                                                                          \
    X(EXSCAN, "Exscan")

enum collective_operation {
#define OPERATION_ENUM(constant, name) OPERATION_##constant,
    COLLECTIVE_OPERATION_LIST(OPERATION_ENUM)
#undef OPERATION_ENUM
        COLLECTIVE_OPERATIONS
};

/* X(constant, name that a user may write) */
#define COLLECTIVE_ALGORITHM_LIST(X)                                                                         \
    X(LINEAR, "linear")                                                                                      \
    X(LINEAR_NONBLOCKING, "linear_nonblocking")                                                              \
    X(LINEAR_TWO_SEGMENTS, "linear_two_segments")                                                            \
    X(LINEAR_WINDOWS, "linear_windows")                                                                      \
    X(SCATTERED, "scattered")                                                                                \
    X(CHAIN, "chain")                                                                                        \
    X(PIPELINE, "pipeline")                                                                                  \
    X(BINARY, "binary")                                                                                      \
    X(IN_ORDER_BINARY, "in_order_binary")                                                                    \
    X(SPLIT_BINARY, "split_binary")                                                                          \
    X(BINOMIAL, "binomial")                                                                                  \
    X(BINOMIAL_ASCENDING, "binomial_ascending")                                                              \
    X(KNOMIAL, "knomial")                                                                                    \
    X(SCATTER_RECURSIVE_DOUBLING, "scatter_recursive_doubling")                                              \
    X(SCATTER_RING, "scatter_ring")                                                                          \
    X(RECURSIVE_DOUBLING, "recursive_doubling")                                                              \
    X(RECURSIVE_HALVING, "recursive_halving")                                                                \
    X(RABENSEIFNER, "rabenseifner")                                                                          \
    X(RING, "ring")                                                                                          \
    X(SEGMENTED_RING, "segmented_ring")                                                                      \
    X(NEIGHBOR, "neighbor")                                                                                  \
    X(TWO_RANKS, "two_ranks")                                                                                \
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

/*
 * The algorithm for a communicator of n_ranks. bytes: of the whole vector for bcast, reduce, allreduce and
 * scan, of all blocks for reduce_scatter, of the average block for the v-variants, of one block otherwise.
 */
enum collective_algorithm collective_decide(enum collective_library library,
                                            enum collective_operation operation, int n_ranks, double bytes);

#endif
