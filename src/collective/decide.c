#include "collective/decide.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const operation_names[] = {
#define NAME(constant, name) [OPERATION_##constant] = name,
    COLLECTIVE_OPERATION_LIST(NAME)
#undef NAME
};

static const char *const algorithm_names[] = {
#define NAME(constant, name) [ALGORITHM_##constant] = name,
    COLLECTIVE_ALGORITHM_LIST(NAME)
#undef NAME
};

const char *collective_operation_name(enum collective_operation operation)
{
    return operation_names[operation];
}

const char *collective_algorithm_name(enum collective_algorithm algorithm)
{
    return algorithm_names[algorithm];
}

enum collective_library collective_library_of(const char *mpi)
{
    return mpi && strstr(mpi, "Open MPI") ? LIBRARY_OPENMPI : LIBRARY_MPICH;
}

/* ---- Open MPI ---- */

static const struct row {
    enum collective_operation operation;
    int ranks_below;
    double bytes_below;
    enum collective_algorithm algorithm;
} openmpi_rows[] = {
#define ROW(operation, ranks, bytes, algorithm) {OPERATION_##operation, ranks, bytes, ALGORITHM_##algorithm},
#include "collective/openmpi.def"
#undef ROW
};

static bool power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

static enum collective_algorithm openmpi(enum collective_operation operation, int n_ranks, double bytes)
{
    enum collective_algorithm algorithm = ALGORITHM_LINEAR; /* what component `basic` has for the others */
    for (size_t i = 0; i < sizeof openmpi_rows / sizeof *openmpi_rows; i++) {
        const struct row *row = &openmpi_rows[i];
        if (row->operation != operation || (row->ranks_below && n_ranks >= row->ranks_below) ||
            (row->bytes_below > 0 && bytes >= row->bytes_below))
            continue;
        algorithm = row->algorithm;
        break;
    }
    /* The library itself takes another one where an algorithm needs a power of two or an even count. */
    if (operation == OPERATION_ALLGATHER && algorithm == ALGORITHM_RECURSIVE_DOUBLING &&
        !power_of_two(n_ranks))
        return ALGORITHM_BRUCK;
    if (algorithm == ALGORITHM_NEIGHBOR && n_ranks % 2) return ALGORITHM_RING;
    return algorithm;
}

/* ---- MPICH ---- */

enum { KIB = 1024 };

static enum collective_algorithm mpich(enum collective_operation operation, int n_ranks, double bytes)
{
    bool even_power = power_of_two(n_ranks);
    double total = n_ranks * bytes;
    switch (operation) {
    case OPERATION_BARRIER:
        return ALGORITHM_DISSEMINATION;
    case OPERATION_BCAST:
        if (n_ranks < 8 || bytes <= 12 * KIB) return ALGORITHM_BINOMIAL;
        return even_power && bytes <= 512 * KIB ? ALGORITHM_SCATTER_RECURSIVE_DOUBLING
                                                : ALGORITHM_SCATTER_RING;
    case OPERATION_REDUCE:
        return bytes <= 2 * KIB ? ALGORITHM_BINOMIAL : ALGORITHM_RABENSEIFNER;
    case OPERATION_ALLREDUCE:
        return bytes <= 2 * KIB ? ALGORITHM_RECURSIVE_DOUBLING : ALGORITHM_RABENSEIFNER;
    case OPERATION_GATHER:
    case OPERATION_SCATTER:
        return ALGORITHM_BINOMIAL;
    case OPERATION_ALLGATHER:
    case OPERATION_ALLGATHERV:
        if (total < 512 * KIB && even_power) return ALGORITHM_RECURSIVE_DOUBLING;
        return total < 80 * KIB ? ALGORITHM_BRUCK : ALGORITHM_RING;
    case OPERATION_ALLTOALL:
        if (n_ranks >= 8 && bytes <= 256) return ALGORITHM_BRUCK;
        if (bytes <= 32 * KIB) return ALGORITHM_SCATTERED;
        return even_power ? ALGORITHM_PAIRWISE_XOR : ALGORITHM_PAIRWISE_SHIFT;
    case OPERATION_ALLTOALLV:
        return ALGORITHM_SCATTERED;
    case OPERATION_REDUCE_SCATTER:
        return bytes < 512 * KIB ? ALGORITHM_RECURSIVE_HALVING : ALGORITHM_PAIRWISE_SHIFT;
    case OPERATION_SCAN:
    case OPERATION_EXSCAN:
        return ALGORITHM_RECURSIVE_DOUBLING;
    case OPERATION_GATHERV:
    case OPERATION_SCATTERV:
    case COLLECTIVE_OPERATIONS:
        break;
    }
    return ALGORITHM_LINEAR;
}

enum collective_algorithm collective_decide(enum collective_library library,
                                            enum collective_operation operation, int n_ranks, double bytes)
{
    return library == LIBRARY_OPENMPI ? openmpi(operation, n_ranks, bytes) : mpich(operation, n_ranks, bytes);
}
