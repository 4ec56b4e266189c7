#include "forecast/collective.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *text;
    bool synchronises, root_only;
} kinds[COLLECTIVE_KINDS] = {
#define ROW(constant, text, synchronises, root_only)                                                         \
    [COLLECTIVE_##constant] = {text, synchronises, root_only},
    COLLECTIVE_LIST(ROW)
#undef ROW
};

/* Beginnings of the names after "MPI_" or "MPI_I", longest first where one begins another. */
static const struct {
    const char *stem;
    enum collective_kind kind;
} stems[] = {
    {"neighbor_", COLLECTIVE_NEIGHBOR},  {"reduce_scatter", COLLECTIVE_REDUCE_SCATTER},
    {"allreduce", COLLECTIVE_ALLREDUCE}, {"allgather", COLLECTIVE_ALLGATHER},
    {"alltoall", COLLECTIVE_ALLTOALL},   {"reduce", COLLECTIVE_REDUCE},
    {"barrier", COLLECTIVE_BARRIER},     {"bcast", COLLECTIVE_BCAST},
    {"gather", COLLECTIVE_GATHER},       {"scatter", COLLECTIVE_SCATTER},
    {"exscan", COLLECTIVE_SCAN},         {"scan", COLLECTIVE_SCAN},
};

int collective_kind_of(const char *mpi_name)
{
    if (strncmp(mpi_name, "MPI_", 4) != 0) return -1;
    for (int skip = 4; skip <= 5; skip++) { /* MPI_X, MPI_Ix */
        if (skip == 5 && mpi_name[4] != 'I') break;
        for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++)
            if (strncasecmp(mpi_name + skip, stems[i].stem, strlen(stems[i].stem)) == 0) {
                if (strncmp(mpi_name + skip, "Reduce_local", 12) == 0) return -1;
                return (int)stems[i].kind;
            }
    }
    return -1;
}

const char *collective_text(enum collective_kind kind)
{
    return kinds[kind].text;
}

bool collective_synchronises(enum collective_kind kind)
{
    return kinds[kind].synchronises;
}

bool collective_root_only(enum collective_kind kind)
{
    return kinds[kind].root_only;
}

/* How a communicator of n ranks lies on the machine: nodes, ranks of it on a node, and everything on that
 * link. */
struct span {
    double n, nodes, per_node, sharing;
    double rounds_out, rounds_in; /* of a binary tree between nodes and inside one */
    double start_s, byte_s, local_start_s, local_byte_s;
};

static struct span span_of(const struct machine *machine, int n_ranks)
{
    struct span s = {.n = n_ranks};
    s.per_node = fmin(machine->max_ranks_per_node, n_ranks);
    s.nodes = n_ranks >= machine->n_ranks ? machine->n_nodes : ceil(n_ranks / s.per_node);
    s.nodes = fmin(s.nodes, machine->n_nodes);
    /* Other communicators of the same size work at the same time and share the link. */
    s.sharing = s.nodes > 1 ? fmax(machine->max_ranks_per_node / s.per_node, 1) : 1;
    s.rounds_out = ceil(log2(s.nodes));
    s.rounds_in = ceil(log2(s.per_node));
    s.start_s = machine->latency_s + 2 * machine->overhead_s;
    s.byte_s = s.sharing * (machine->half_duplex ? 2 : 1) / machine->min_bandwidth_bytes_per_s;
    s.local_start_s = machine->local_latency_s;
    s.local_byte_s = 1 / machine->local_bandwidth_bytes_per_s;
    return s;
}

/* Every rank exchanges with a partner in each round; all ranks of a node share its link. Long vectors go
 * round a ring in pieces instead: reduce-scatter, then allgather. */
static struct transfer_cost allreduce_cost(const struct span *s, double bytes)
{
    double doubling = s->rounds_out * s->per_node * bytes * s->byte_s + s->rounds_out * s->start_s;
    double ring = 2 * bytes * (s->n - 1) / s->n * s->byte_s + 2 * s->rounds_out * s->start_s;
    bool pieces = s->nodes > 1 && ring < doubling;
    struct transfer_cost cost;
    cost.start_s = (pieces ? 2 : 1) * s->rounds_out * s->start_s;
    cost.network_s =
        s->nodes > 1 ? (pieces ? 2 * (s->n - 1) / s->n : s->rounds_out * s->per_node) * bytes * s->byte_s : 0;
    cost.local_s = s->rounds_in * (s->local_start_s + bytes * s->local_byte_s);
    return cost;
}

/* Binomial tree, or scatter and allgather for long vectors: at most two passes over the link. */
static struct transfer_cost tree_cost(const struct span *s, double bytes)
{
    struct transfer_cost cost;
    cost.start_s = s->rounds_out * s->start_s;
    cost.network_s = fmin(s->rounds_out, 2) * bytes * s->byte_s;
    cost.local_s = s->rounds_in * (s->local_start_s + bytes * s->local_byte_s);
    return cost;
}

/* Gather and scatter: everything from other nodes passes the root's link. */
static struct transfer_cost root_cost(const struct span *s, double block)
{
    struct transfer_cost cost;
    cost.start_s = s->rounds_out * s->start_s;
    cost.network_s = (s->n - s->per_node) * block * s->byte_s;
    cost.local_s = s->rounds_in * s->local_start_s + s->per_node * block * s->local_byte_s;
    return cost;
}

/* Short blocks: recursive doubling, every rank of a node receives everything. Long: a ring, in which each
 * link between neighbours carries every block but one. */
static struct transfer_cost allgather_cost(const struct span *s, double block)
{
    bool shorter = s->n * block < 81920;
    struct transfer_cost cost;
    cost.start_s = s->rounds_out * s->start_s;
    cost.network_s = (shorter        ? s->per_node * (s->n - s->per_node)
                      : s->nodes > 1 ? s->n - 1
                                     : 0) *
                     block * s->byte_s;
    cost.local_s = s->rounds_in * s->local_start_s + s->n * block * s->local_byte_s;
    return cost;
}

/* Tiny blocks: log2 n rounds (Bruck). Others: one message to every other rank, half of the start-ups hidden.
 */
static struct transfer_cost alltoall_cost(const struct span *s, double bytes, double overhead_s)
{
    double block = bytes / s->n;
    double away = s->n - s->per_node;
    double starts = block <= 256 ? s->rounds_out : fmax(s->rounds_out, away / 2);
    struct transfer_cost cost;
    cost.start_s = s->nodes > 1 ? starts * s->start_s + away * 2 * overhead_s : 0;
    cost.network_s = s->per_node * away * block * s->byte_s;
    cost.local_s = (s->per_node - 1) * (s->local_start_s + block * s->local_byte_s);
    return cost;
}

struct transfer_cost collective_cost(enum collective_kind kind, const struct machine *machine, int n_ranks,
                                     double bytes)
{
    struct transfer_cost zero = {0, 0, 0};
    if (n_ranks < 2) return zero;
    struct span s = span_of(machine, n_ranks);
    switch (kind) {
    case COLLECTIVE_BARRIER:
        return tree_cost(&s, 0);
    case COLLECTIVE_BCAST:
    case COLLECTIVE_REDUCE:
    case COLLECTIVE_SCAN:
        return tree_cost(&s, bytes);
    case COLLECTIVE_ALLREDUCE:
        return allreduce_cost(&s, bytes);
    case COLLECTIVE_GATHER:
        return root_cost(&s, bytes);
    case COLLECTIVE_SCATTER:
        return root_cost(&s, bytes / s.n);
    case COLLECTIVE_ALLGATHER:
        return allgather_cost(&s, bytes);
    case COLLECTIVE_ALLTOALL:
        return alltoall_cost(&s, bytes, machine->overhead_s);
    case COLLECTIVE_REDUCE_SCATTER: {
        struct transfer_cost cost = allreduce_cost(&s, bytes);
        cost.network_s /= 2;
        return cost;
    }
    case COLLECTIVE_NEIGHBOR: {
        struct transfer_cost cost = zero;
        cost.start_s = s.nodes > 1 ? s.start_s : 0;
        cost.network_s = s.nodes > 1 ? bytes * s.byte_s : 0;
        cost.local_s = s.local_start_s + bytes * s.local_byte_s;
        return cost;
    }
    case COLLECTIVE_KINDS:
        break;
    }
    return zero;
}
