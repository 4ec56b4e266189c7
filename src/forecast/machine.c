#include "forecast/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a run on several nodes whose network nobody has described. */
static const double default_latency_s = 30e-6, default_bandwidth_bytes_per_s = 1.25e9;
static const double default_local_latency_s = 0.5e-6, default_local_bandwidth_bytes_per_s = 5e9;

double machine_type_speed(const parcast_node_type *type, double reference_calibration)
{
    if (type->speed_given || !(type->calibration > 0) || !(reference_calibration > 0)) return type->speed;
    return type->calibration / reference_calibration;
}

static parcast_status allocate(struct machine *machine, int n_nodes, int n_ranks, parcast_error *error)
{
    *machine = (struct machine){.n_nodes = n_nodes, .n_ranks = n_ranks};
    machine->nodes = calloc((size_t)n_nodes, sizeof *machine->nodes);
    machine->node_of_rank = calloc((size_t)n_ranks, sizeof *machine->node_of_rank);
    if (machine->nodes && machine->node_of_rank) return PARCAST_OK;
    machine_clear(machine);
    parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a machine of %d ranks", n_ranks);
    return PARCAST_MEMORY;
}

static void use_network(struct machine *machine, const parcast_platform *platform)
{
    machine->latency_s = default_latency_s;
    machine->bisection_bytes_per_s = NAN;
    machine->local_latency_s = default_local_latency_s;
    machine->local_bandwidth_bytes_per_s = default_local_bandwidth_bytes_per_s;
    if (!platform) return;
    double latency_s = parcast_platform_latency(platform, machine->n_nodes);
    if (latency_s >= 0) machine->latency_s = latency_s; /* a single node may come without a network */
    if (platform->network.overhead_s >= 0) machine->overhead_s = platform->network.overhead_s;
    machine->bisection_bytes_per_s = platform->network.bisection_bytes_per_s;
    machine->half_duplex = platform->network.duplex == PARCAST_HALF_DUPLEX;
    machine->bandwidth_factors = platform->network.bandwidth_factors;
    machine->n_bandwidth_factors = platform->network.n_bandwidth_factors;
    machine->exchange_factors = platform->network.exchange_factors;
    machine->n_exchange_factors = platform->network.n_exchange_factors;
    machine->local_latency_s = platform->shared_memory.latency_s;
    machine->local_bandwidth_bytes_per_s = platform->shared_memory.bandwidth_bytes_per_s;
}

static void use_type(struct machine_node *node, const parcast_platform *platform, size_t t,
                     double reference_calibration)
{
    const parcast_node_type *type = &platform->types[t];
    node->type = (int)t;
    node->speed = machine_type_speed(type, reference_calibration);
    node->cores = type->cores;
    node->sockets = type->sockets;
    node->bandwidth_bytes_per_s = parcast_platform_link_bandwidth(platform, t);
    if (!(node->bandwidth_bytes_per_s > 0)) node->bandwidth_bytes_per_s = default_bandwidth_bytes_per_s;
    node->memory_scaling = type->memory_scaling;
    node->n_memory_scaling = (int)type->n_memory_scaling;
}

static bool alike(const struct machine_node *a, const struct machine_node *b)
{
    return a->type == b->type && a->n_ranks == b->n_ranks && a->speed == b->speed && a->cores == b->cores &&
           a->bandwidth_bytes_per_s == b->bandwidth_bytes_per_s;
}

/* Groups, and the figures over all nodes. Neighbours in the list are usually alike, so the search is short.
 */
static void finish(struct machine *machine)
{
    machine->min_bandwidth_bytes_per_s = INFINITY;
    for (int i = 0; i < machine->n_nodes; i++) {
        struct machine_node *node = &machine->nodes[i];
        int j = i - 1;
        while (j >= 0 && !alike(node, &machine->nodes[j])) j--;
        node->group = j >= 0 ? machine->nodes[j].group : machine->n_groups++;
        if (node->n_ranks > machine->max_ranks_per_node) machine->max_ranks_per_node = node->n_ranks;
        if (node->bandwidth_bytes_per_s < machine->min_bandwidth_bytes_per_s)
            machine->min_bandwidth_bytes_per_s = node->bandwidth_bytes_per_s;
    }
}

/* Ranks in order: block by block, or one to each node in turn as long as it has room. */
static void deal(struct machine *machine, parcast_placement_policy policy)
{
    int rank = 0;
    if (policy == PARCAST_FILL) {
        for (int i = 0; i < machine->n_nodes; i++)
            for (int j = 0; j < machine->nodes[i].n_ranks; j++) machine->node_of_rank[rank++] = i;
        return;
    }
    for (int round = 0; rank < machine->n_ranks; round++)
        for (int i = 0; i < machine->n_nodes; i++)
            if (round < machine->nodes[i].n_ranks) machine->node_of_rank[rank++] = i;
}

parcast_status machine_from_placement(const parcast_platform *platform, const parcast_placement *placement,
                                      double reference_calibration, struct machine *machine,
                                      parcast_error *error)
{
    parcast_status status = allocate(machine, placement->n_nodes, placement->n_ranks, error);
    if (status) return status;
    int next = 0;
    for (size_t g = 0; g < placement->n_groups; g++)
        for (int i = 0; i < placement->groups[g].n_nodes; i++) {
            struct machine_node *node = &machine->nodes[next++];
            use_type(node, platform, placement->groups[g].type, reference_calibration);
            node->n_ranks = placement->groups[g].n_ranks;
        }
    use_network(machine, platform);
    deal(machine, placement->policy);
    finish(machine);
    return PARCAST_OK;
}

/* By the list of hosts or, where there is none, by the name: cluster-07 is of type "cluster", as the probe
 * names them. */
static bool has_host(const parcast_node_type *type, const char *host)
{
    if (!host) return false;
    for (size_t i = 0; i < type->n_hosts; i++)
        if (strcmp(type->hosts[i], host) == 0) return true;
    if (type->n_hosts > 0) return false;
    size_t length = strlen(host);
    while (length > 0 && strchr("0123456789-", host[length - 1])) length--;
    return length > 0 && strlen(type->name) == length && strncmp(type->name, host, length) == 0;
}

int machine_node_type(const parcast_platform *platform, const parcast_run_node *node)
{
    const double close_enough = 0.1;
    int best = -1;
    double nearest = close_enough;
    for (size_t t = 0; platform && t < platform->n_types; t++) {
        const parcast_node_type *type = &platform->types[t];
        if (node->type ? strcmp(type->name, node->type) == 0 : has_host(type, node->name)) return (int)t;
        if (node->type || type->cores != node->cores || !(type->calibration > 0) || !(node->calibration > 0))
            continue;
        double distance = fabs(log(type->calibration / node->calibration));
        if (distance < nearest) {
            nearest = distance;
            best = (int)t;
        }
    }
    return best;
}

parcast_status machine_from_run(const parcast_run *run, const parcast_platform *platform,
                                double reference_calibration, struct machine *machine, parcast_error *error)
{
    if (run->n_nodes == 0 || run->n_profiles == 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "run %lld has no profile", (long long)run->id);
    parcast_status status = allocate(machine, (int)run->n_nodes, run->n_ranks, error);
    if (status) return status;
    for (size_t i = 0; i < run->n_nodes; i++) {
        const parcast_run_node *from = &run->nodes[i];
        struct machine_node *node = &machine->nodes[i];
        int type = machine_node_type(platform, from);
        node->n_ranks = from->n_ranks;
        if (platform && type >= 0) {
            use_type(node, platform, (size_t)type, reference_calibration);
        } else {
            node->type = -1;
            node->speed = from->calibration > 0 && reference_calibration > 0
                              ? from->calibration / reference_calibration
                              : 1;
            node->cores = from->cores > 0 ? from->cores : from->n_ranks;
            node->sockets = from->sockets > 0 ? from->sockets : 1;
            node->bandwidth_bytes_per_s =
                platform ? platform->network.bandwidth_bytes_per_s : default_bandwidth_bytes_per_s;
        }
        if (from->allowed_cores > 0 && from->allowed_cores < node->cores) node->cores = from->allowed_cores;
        if (!(node->bandwidth_bytes_per_s > 0)) node->bandwidth_bytes_per_s = default_bandwidth_bytes_per_s;
    }
    for (size_t i = 0; i < run->n_profiles; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        if (profile->rank < run->n_ranks && profile->node < machine->n_nodes)
            machine->node_of_rank[profile->rank] = profile->node;
    }
    use_network(machine, platform);
    finish(machine);
    return PARCAST_OK;
}

static double factor_of(const parcast_breakpoint *curve, size_t n, double bytes)
{
    double factor = 1;
    for (size_t i = 0; i < n && curve[i].bytes <= bytes; i++) factor = curve[i].value;
    return factor;
}

double machine_wire_bytes(const struct machine *machine, double bytes)
{
    return bytes / factor_of(machine->bandwidth_factors, machine->n_bandwidth_factors, bytes);
}

double machine_exchange_penalty(const struct machine *machine, double bytes)
{
    return 1 / factor_of(machine->exchange_factors, machine->n_exchange_factors, bytes) - 1;
}

void machine_clear(struct machine *machine)
{
    free(machine->nodes);
    free(machine->node_of_rank);
    *machine = (struct machine){0};
}
