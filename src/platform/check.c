/*
 * What one key alone cannot show: does it all make a machine?
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "platform/read.h"

static const struct tree *at(const struct tree *mapping, const char *key)
{
    const struct tree *value = tree_find(mapping, key);
    return value ? value : mapping;
}

parcast_status check_node_type(const struct reader *reader, const struct tree *mapping,
                               const parcast_node_type *type)
{
    if (type->cores % type->sockets != 0)
        return reader_fail(reader, at(mapping, "sockets"), PARCAST_DATA,
                           "key 'sockets': %d cores do not divide into %d sockets", type->cores,
                           type->sockets);
    if (type->n_hosts > (size_t)type->count)
        return reader_fail(reader, at(mapping, "hosts"), PARCAST_DATA,
                           "key 'hosts' has %zu names for %d nodes", type->n_hosts, type->count);
    if (type->n_memory_scaling == 0) return PARCAST_OK;
    const struct tree *scaling = at(mapping, "memory_scaling");
    if (type->n_memory_scaling > (size_t)type->cores)
        return reader_fail(reader, scaling, PARCAST_DATA, "key 'memory_scaling' has %zu entries for %d cores",
                           type->n_memory_scaling, type->cores);
    if (type->memory_scaling[0] != 1)
        return reader_fail(reader, scaling, PARCAST_DATA,
                           "key 'memory_scaling' must begin with 1, the throughput of one core");
    return PARCAST_OK;
}

/* Each topology has its own parameters; a parameter of another one is a mistake. */
static parcast_status check_parameters(const struct reader *reader, const struct tree *network,
                                       parcast_topology topology)
{
    static const struct {
        const char *key, *topology;
        parcast_topology of;
        bool required;
    } parameters[] = {
        {"dims", "torus", PARCAST_TORUS, true},
        {"down", "fat-tree", PARCAST_FAT_TREE, true},
        {"up", "fat-tree", PARCAST_FAT_TREE, true},
        {"parallel", "fat-tree", PARCAST_FAT_TREE, false},
        {"groups", "dragonfly", PARCAST_DRAGONFLY, true},
        {"chassis", "dragonfly", PARCAST_DRAGONFLY, true},
        {"routers", "dragonfly", PARCAST_DRAGONFLY, true},
        {"nodes_per_router", "dragonfly", PARCAST_DRAGONFLY, true},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const struct tree *value = tree_find(network, parameters[i].key);
        if (value && parameters[i].of != topology)
            return reader_fail(reader, value, PARCAST_DATA, "key '%s' belongs to topology %s",
                               parameters[i].key, parameters[i].topology);
        if (!value && parameters[i].of == topology && parameters[i].required)
            return reader_fail(reader, at(network, "topology"), PARCAST_FORMAT,
                               "key '%s' is missing in network: topology %s needs it", parameters[i].key,
                               parameters[i].topology);
    }
    return PARCAST_OK;
}

static double product(const int *factors, int n)
{
    double result = 1;
    for (int i = 0; i < n; i++) result *= factors[i];
    return result;
}

/* Nodes that the topology has places for. */
static double places(const parcast_network_description *network)
{
    switch (network->topology) {
    case PARCAST_STAR:
        break;
    case PARCAST_FAT_TREE:
        return product(network->down, network->n_levels);
    case PARCAST_TORUS:
        return product(network->dims, network->n_dims);
    case PARCAST_DRAGONFLY:
        return (double)network->groups * network->chassis * network->routers * network->nodes_per_router;
    }
    return INFINITY;
}

static parcast_status check_topology(const struct reader *reader, const struct tree *tree,
                                     const parcast_platform *platform)
{
    const parcast_network_description *network = &platform->network;
    const struct tree *where = at(tree, "topology");
    parcast_status status = check_parameters(reader, tree, network->topology);
    if (status) return status;
    if (places(network) < parcast_platform_nodes(platform))
        return reader_fail(reader, where, PARCAST_DATA,
                           "key 'topology' has places for %.0f nodes, not for %d", places(network),
                           parcast_platform_nodes(platform));
    if (places(network) > 1e9 && network->topology != PARCAST_STAR)
        return reader_fail(reader, where, PARCAST_DATA, "key 'topology' has more than 1e9 places for nodes");
    if (network->topology == PARCAST_DRAGONFLY && network->groups > network->routers)
        return reader_fail(reader, at(tree, "groups"), PARCAST_DATA,
                           "key 'groups': %d groups need at least as many routers in a chassis, not %d",
                           network->groups, network->routers);
    return PARCAST_OK;
}

static parcast_status check_network(const struct reader *reader, const struct tree *tree,
                                    const parcast_platform *platform)
{
    const struct tree *latency = tree_find(tree, "latency"), *link = tree_find(tree, "link_latency");
    if (!latency && !link)
        return reader_fail(reader, tree, PARCAST_FORMAT, "key 'latency' is missing in network");
    if (latency && link)
        return reader_fail(reader, link, PARCAST_DATA,
                           "keys 'latency' (end to end) and 'link_latency' (per link): give one of them");
    const parcast_network_description *n = &platform->network;
    if (n->detached_below_bytes < n->eager_below_bytes)
        return reader_fail(reader, at(tree, "detached_below"), PARCAST_DATA,
                           "key 'detached_below' is less than 'eager_below'");
    return check_topology(reader, tree, platform);
}

static parcast_status check_totals(const struct reader *reader, const struct tree *nodes,
                                   const parcast_platform *platform)
{
    double n_nodes = 0, n_cores = 0;
    for (size_t i = 0; i < platform->n_types; i++) {
        n_nodes += platform->types[i].count;
        n_cores += (double)platform->types[i].count * platform->types[i].cores;
    }
    if (n_nodes > 1e7 || n_cores > 1e9)
        return reader_fail(reader, nodes, PARCAST_DATA,
                           "%.0f nodes with %.0f cores: more than 1e7 nodes or 1e9 cores", n_nodes, n_cores);
    return PARCAST_OK;
}

parcast_status check_platform(const struct reader *reader, const struct tree *root,
                              const parcast_platform *platform)
{
    parcast_status status = check_totals(reader, at(root, "nodes"), platform);
    if (status) return status;
    const struct tree *network = tree_find(root, "network");
    if (network) return check_network(reader, network, platform);
    if (parcast_platform_nodes(platform) == 1) return PARCAST_OK;
    reader_fail(reader, root, PARCAST_FORMAT, "key 'network' is missing; %d nodes need one",
                parcast_platform_nodes(platform));
    parcast_error_hint(reader->error, "network: {topology: star, latency: 30 us, bandwidth: 1 Gbit/s}");
    return PARCAST_FORMAT;
}
