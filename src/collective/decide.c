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

bool collective_library_is_known(const char *mpi)
{
    static const char *const known[] = {"Open MPI", "MPICH", "MVAPICH", "Intel MPI"};
    for (size_t i = 0; mpi && i < sizeof known / sizeof known[0]; i++)
        if (strstr(mpi, known[i])) return true;
    return false;
}

enum collective_algorithm collective_algorithm_named(const char *name)
{
    unsigned i = 0;
    while (i < COLLECTIVE_ALGORITHMS && strcmp(algorithm_names[i], name) != 0) i++;
    return (enum collective_algorithm)i;
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

static int power_below(int n)
{
    int power = 1;
    while (power <= n / 2) power *= 2;
    return power;
}

/* The library itself takes another one where an algorithm needs a power of two, an even count of ranks, or an
   element for everybody. */
static enum collective_algorithm instead(enum collective_operation operation,
                                         enum collective_algorithm algorithm, int n_ranks, double elements)
{
    bool gathers = operation == OPERATION_ALLGATHER || operation == OPERATION_ALLGATHERV;
    switch (algorithm) {
    case ALGORITHM_RECURSIVE_DOUBLING:
        return gathers && !power_of_two(n_ranks) ? ALGORITHM_BRUCK : algorithm;
    case ALGORITHM_NEIGHBOR:
        return n_ranks % 2 ? ALGORITHM_RING : algorithm;
    case ALGORITHM_RING:
        return operation == OPERATION_ALLREDUCE && elements < n_ranks ? ALGORITHM_RECURSIVE_DOUBLING
                                                                      : algorithm;
    case ALGORITHM_RABENSEIFNER_HALVES:
        return elements < power_below(n_ranks) ? ALGORITHM_LINEAR : algorithm;
    case ALGORITHM_SCATTER_RECURSIVE_DOUBLING:
        return elements < n_ranks ? ALGORITHM_LINEAR : algorithm;
    default:
        return algorithm;
    }
}

static enum collective_algorithm openmpi(enum collective_operation operation, int n_ranks, double bytes,
                                         double elements)
{
    for (size_t i = 0; i < sizeof openmpi_rows / sizeof *openmpi_rows; i++) {
        const struct row *row = &openmpi_rows[i];
        if (row->operation == operation && (!row->ranks_below || n_ranks < row->ranks_below) &&
            (row->bytes_below <= 0 || bytes < row->bytes_below))
            return instead(operation, row->algorithm, n_ranks, elements);
    }
    return ALGORITHM_LINEAR; /* what component `basic` has for the others */
}

/* ---- MPICH ---- */

enum { KIB = 1024 };

static enum collective_algorithm mpich_bcast(int n_ranks, double bytes)
{
    if (n_ranks < 8 || bytes <= 12 * KIB) return ALGORITHM_BINOMIAL;
    return power_of_two(n_ranks) && bytes <= 512 * KIB ? ALGORITHM_SCATTER_RECURSIVE_DOUBLING
                                                       : ALGORITHM_SCATTER_RING;
}

static enum collective_algorithm mpich_allgather(int n_ranks, double total)
{
    if (power_of_two(n_ranks)) return total < 512 * KIB ? ALGORITHM_RECURSIVE_DOUBLING : ALGORITHM_RING;
    return total < 80 * KIB ? ALGORITHM_BRUCK : ALGORITHM_RING;
}

static enum collective_algorithm mpich_alltoall(int n_ranks, double bytes)
{
    if (n_ranks >= 8 && bytes <= 256) return ALGORITHM_BRUCK;
    if (bytes <= 32 * KIB) return ALGORITHM_SCATTERED;
    return power_of_two(n_ranks) ? ALGORITHM_PAIRWISE_XOR : ALGORITHM_PAIRWISE_SHIFT;
}

static enum collective_algorithm mpich(enum collective_operation operation, int n_ranks, double bytes,
                                       double elements)
{
    bool few = elements < power_below(n_ranks);
    switch (operation) {
    case OPERATION_BARRIER:
        return ALGORITHM_DISSEMINATION;
    case OPERATION_BCAST:
        return mpich_bcast(n_ranks, bytes);
    case OPERATION_REDUCE:
        return bytes <= 2 * KIB || few ? ALGORITHM_BINOMIAL : ALGORITHM_RABENSEIFNER;
    case OPERATION_ALLREDUCE:
        return bytes <= 8 || few ? ALGORITHM_RECURSIVE_DOUBLING : ALGORITHM_RABENSEIFNER;
    case OPERATION_GATHER:
        return ALGORITHM_BINOMIAL;
    case OPERATION_SCATTER:
        return ALGORITHM_BINOMIAL_DESCENDING;
    case OPERATION_GATHERV:
    case OPERATION_SCATTERV:
        return ALGORITHM_LINEAR_NONBLOCKING;
    case OPERATION_ALLGATHER:
    case OPERATION_ALLGATHERV:
        return mpich_allgather(n_ranks, n_ranks * bytes);
    case OPERATION_ALLTOALL:
        return mpich_alltoall(n_ranks, bytes);
    case OPERATION_ALLTOALLV:
    case OPERATION_ALLTOALLW:
        return ALGORITHM_SCATTERED;
    case OPERATION_REDUCE_SCATTER:
        return bytes < 512 * KIB ? ALGORITHM_RECURSIVE_HALVING : ALGORITHM_PAIRWISE_SHIFT;
    case OPERATION_REDUCE_SCATTER_BLOCK:
        return n_ranks * bytes < 512 * KIB ? ALGORITHM_RECURSIVE_HALVING : ALGORITHM_PAIRWISE_SHIFT;
    case OPERATION_SCAN:
    case OPERATION_EXSCAN:
        return ALGORITHM_RECURSIVE_DOUBLING;
    default:
        return ALGORITHM_LINEAR; /* neighbours */
    }
}

enum collective_algorithm collective_decide(enum collective_library library,
                                            enum collective_operation operation, int n_ranks, double bytes,
                                            double elements)
{
    const double usual_element_bytes = 8;
    if (elements <= 0) elements = bytes / usual_element_bytes;
    return library == LIBRARY_OPENMPI ? openmpi(operation, n_ranks, bytes, elements)
                                      : mpich(operation, n_ranks, bytes, elements);
}

/* Compositions of device ch4. Open MPI's tuned component does not look at nodes. */
enum collective_hierarchy collective_hierarchy_of(enum collective_library library,
                                                  enum collective_operation operation, int n_ranks,
                                                  int n_nodes, bool consecutive, double bytes)
{
    if (library != LIBRARY_MPICH || n_nodes == n_ranks) return HIERARCHY_FLAT;
    switch (operation) {
    case OPERATION_BCAST:
        if (n_ranks < 8 || bytes < 12 * KIB) return HIERARCHY_LEADERS;
        return power_of_two(n_ranks) && bytes < 512 * KIB ? HIERARCHY_ROOT_NODE : HIERARCHY_FLAT;
    case OPERATION_REDUCE:
        return bytes <= 2 * KIB ? HIERARCHY_ROOT_NODE : HIERARCHY_LEADERS;
    case OPERATION_ALLREDUCE:
    case OPERATION_BARRIER:
        return HIERARCHY_LEADERS;
    case OPERATION_SCAN:
        return consecutive ? HIERARCHY_LEADERS : HIERARCHY_FLAT;
    default:
        return HIERARCHY_FLAT;
    }
}
