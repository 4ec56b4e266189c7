#include "forecast/collective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collective/rounds.h"

static const struct {
    const char *text;
    enum collective_operation operation;
    bool synchronises, root_only;
} kinds[COLLECTIVE_KINDS] = {
#define ROW(constant, text, operation, synchronises, root_only)                                              \
    [COLLECTIVE_##constant] = {text, OPERATION_##operation, synchronises, root_only},
    COLLECTIVE_LIST(ROW)
#undef ROW
};

/* Beginnings of the names after "MPI_" or "MPI_I", longest first where one begins another. */
static const struct {
    const char *stem;
    enum collective_kind kind;
} stems[] = {
    {"neighbor_", COLLECTIVE_NEIGHBOR},  {"reduce_scatter", COLLECTIVE_REDUCE_SCATTER},
    {"allreduce", COLLECTIVE_ALLREDUCE}, {"allgatherv", COLLECTIVE_ALLGATHERV},
    {"allgather", COLLECTIVE_ALLGATHER}, {"alltoallv", COLLECTIVE_ALLTOALLV},
    {"alltoallw", COLLECTIVE_ALLTOALLV}, {"alltoall", COLLECTIVE_ALLTOALL},
    {"reduce", COLLECTIVE_REDUCE},       {"barrier", COLLECTIVE_BARRIER},
    {"bcast", COLLECTIVE_BCAST},         {"gatherv", COLLECTIVE_GATHERV},
    {"gather", COLLECTIVE_GATHER},       {"scatterv", COLLECTIVE_SCATTERV},
    {"scatter", COLLECTIVE_SCATTER},     {"exscan", COLLECTIVE_SCAN},
    {"scan", COLLECTIVE_SCAN},
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

/* ---- rounds on a machine ---- */

/* One direction of a node's link in the round under way. */
struct load {
    double time_s;    /* of the bytes alone */
    double penalty_s; /* on top while as much goes the other way */
};

struct loads {
    const struct machine *machine;
    int n_ranks, root;
    double sharing;        /* communicators of this size that work side by side on a node */
    struct load *out, *in; /* [n_nodes] */
    int *members;          /* [n_nodes] ranks of the communicator */
    bool crosses, local;   /* anything between nodes, inside one */
    double longest_local_s;
    struct transfer_cost total;
};

static void add_load(const struct machine *m, int node, double bytes, double times, struct load *load)
{
    double time_s = times * machine_wire_bytes(m, bytes) / m->nodes[node].bandwidth_bytes_per_s;
    load->time_s += time_s;
    load->penalty_s += time_s * machine_exchange_penalty(m, bytes);
}

static void lay_message(void *context, int from, int to, double bytes)
{
    struct loads *l = context;
    const struct machine *m = l->machine;
    int a = m->node_of_rank[(from + l->root) % l->n_ranks], b = m->node_of_rank[(to + l->root) % l->n_ranks];
    if (a == b) {
        l->local = true;
        l->longest_local_s = fmax(l->longest_local_s, bytes / m->local_bandwidth_bytes_per_s);
        return;
    }
    l->crosses = true;
    add_load(m, a, bytes, 1, &l->out[a]);
    add_load(m, b, bytes, 1, &l->in[b]);
}

/* n_i members of node i send to n - n_i others, and as much comes in. */
static void lay_all_pairs(void *context, double bytes)
{
    struct loads *l = context;
    const struct machine *m = l->machine;
    for (int i = 0; i < m->n_nodes; i++) {
        double own = l->members[i], others = l->n_ranks - own;
        add_load(m, i, bytes, own * others, &l->out[i]);
        add_load(m, i, bytes, own * others, &l->in[i]);
        l->crosses = l->crosses || (own > 0 && others > 0);
        l->local = l->local || own > 1;
        l->longest_local_s = fmax(l->longest_local_s, (own - 1) * bytes / m->local_bandwidth_bytes_per_s);
    }
}

/* Time of a link: the busier direction, and what the other one takes away from it. */
static double link_time(const struct machine *m, struct load out, struct load in)
{
    if (m->half_duplex) return out.time_s + in.time_s;
    return fmax(out.time_s, in.time_s) + fmin(out.penalty_s, in.penalty_s);
}

/* A round takes what its busiest link takes, or the messages inside a node if these take longer. */
static void close_round(void *context, double times)
{
    struct loads *l = context;
    const struct machine *m = l->machine;
    double network_s = 0, start_s = m->latency_s + 2 * m->overhead_s;
    for (int i = 0; i < m->n_nodes; i++) {
        network_s = fmax(network_s, link_time(m, l->out[i], l->in[i]) * l->sharing);
        l->out[i] = l->in[i] = (struct load){0, 0};
    }
    double local_s = l->local ? m->local_latency_s + l->longest_local_s : 0;
    if (l->crosses && start_s + network_s >= local_s) {
        l->total.start_s += times * start_s;
        l->total.network_s += times * network_s;
    } else {
        l->total.local_s += times * local_s;
    }
    l->crosses = l->local = false;
    l->longest_local_s = 0;
}

/* Size by which the library decides, from what the profile counts. */
static double decisive_bytes(enum collective_kind kind, int n_ranks, double bytes)
{
    switch (kind) {
    case COLLECTIVE_ALLTOALL:
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        return bytes / n_ranks;
    case COLLECTIVE_BARRIER:
        return 0;
    default:
        return bytes;
    }
}

/* One message to each neighbour; all of a node's share its link. */
static struct transfer_cost neighbour_cost(const struct machine *m, double bytes)
{
    struct transfer_cost cost = {0, 0, m->local_latency_s + bytes / m->local_bandwidth_bytes_per_s};
    if (m->n_nodes < 2) return cost;
    cost.start_s = m->latency_s + 2 * m->overhead_s;
    cost.network_s = bytes * m->max_ranks_per_node / m->min_bandwidth_bytes_per_s;
    return cost;
}

/* From rank 0, or from one rank of each group of like nodes, each counting as often as the group has ranks.
 */
static void walk_from_roots(enum collective_kind kind, enum collective_library library, double bytes,
                            bool rotates, struct loads *l)
{
    const struct machine *m = l->machine;
    const struct collective_visitor visitor = {l, lay_message, lay_all_pairs, close_round};
    enum collective_algorithm algorithm =
        collective_decide(library, kinds[kind].operation, l->n_ranks, bytes, 0);
    struct transfer_cost mean = {0, 0, 0};
    for (int group = 0; group < (rotates ? m->n_groups : 1); group++) {
        int members = 0;
        for (int rank = l->n_ranks - 1; rank >= 0 && rotates; rank--) {
            if (m->nodes[m->node_of_rank[rank]].group != group) continue;
            l->root = rank;
            members++;
        }
        if (rotates && members == 0) continue;
        double share = rotates ? (double)members / l->n_ranks : 1;
        l->total = (struct transfer_cost){0, 0, 0};
        collective_rounds(kinds[kind].operation, algorithm, l->n_ranks, bytes, &visitor);
        mean.start_s += share * l->total.start_s;
        mean.network_s += share * l->total.network_s;
        mean.local_s += share * l->total.local_s;
    }
    l->total = mean;
}

parcast_status collective_cost(enum collective_kind kind, enum collective_library library,
                               const struct machine *machine, int n_ranks, double bytes, bool rotates,
                               struct transfer_cost *cost, parcast_error *error)
{
    *cost = (struct transfer_cost){0, 0, 0};
    if (n_ranks > machine->n_ranks) n_ranks = machine->n_ranks;
    if (n_ranks < 2) return PARCAST_OK;
    if (kind == COLLECTIVE_NEIGHBOR) {
        *cost = neighbour_cost(machine, bytes);
        return PARCAST_OK;
    }
    struct loads l = {.machine = machine, .n_ranks = n_ranks};
    size_t n = (size_t)machine->n_nodes;
    l.out = calloc(2 * n, sizeof *l.out);
    l.members = calloc(n, sizeof *l.members);
    if (!l.out || !l.members) {
        free(l.out);
        free(l.members);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0,
                                 "out of memory for a collective on %zu nodes", n);
    }
    l.in = l.out + n;
    for (int rank = 0; rank < n_ranks; rank++) l.members[machine->node_of_rank[rank]]++;
    int most = 0;
    for (int i = 0; i < machine->n_nodes; i++) most = l.members[i] > most ? l.members[i] : most;
    l.sharing = fmax((double)machine->max_ranks_per_node / most, 1);
    walk_from_roots(kind, library, decisive_bytes(kind, n_ranks, bytes), rotates, &l);
    *cost = l.total;
    free(l.out);
    free(l.members);
    return PARCAST_OK;
}
