#include "network/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct route {
    const struct topology *topology;
    struct topology_hop *hops;
    uint32_t n;
};

enum direction { FORTH, BACK };

static void add_hop(struct route *route, uint64_t edge, enum direction direction, double bandwidth,
                    double latency)
{
    bool half = route->topology->platform->network.duplex == PARCAST_HALF_DUPLEX;
    uint64_t link = half ? edge : 2 * edge + (unsigned)direction;
    route->hops[route->n++] = (struct topology_hop){link, bandwidth, latency};
}

size_t topology_type(const struct topology *topology, uint32_t node)
{
    size_t low = 0, high = topology->platform->n_types - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (topology->first_node[middle] <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A link that belongs to a node: the node's own bandwidth and latency where they are given. */
static void add_own(struct route *route, uint64_t edge, enum direction direction, uint32_t node)
{
    const struct topology *t = route->topology;
    size_t type = topology_type(t, node);
    double latency = t->platform->types[type].link_latency_s;
    double bandwidth = parcast_platform_link_bandwidth(t->platform, type);
    add_hop(route, edge, direction, bandwidth, isnan(latency) ? t->link_latency_s : latency);
    /* What both directions together carry, if that is less than twice what one does. */
    if (t->both_ratio < 1)
        route->hops[route->n++] =
            (struct topology_hop){2 * (t->n_edges + 1) + edge, 2 * t->both_ratio * bandwidth, 0};
}

static void add_inner(struct route *route, uint64_t edge, enum direction direction, int cables)
{
    const struct topology *t = route->topology;
    add_hop(route, edge, direction, t->platform->network.bandwidth_bytes_per_s * cables, t->link_latency_s);
}

static void star_route(struct route *route, uint32_t from, uint32_t to)
{
    add_own(route, from, FORTH, from);
    add_own(route, to, BACK, to);
}

/* Torus: edge (node, dimension) leads from the node to its neighbour above. The shorter way round; where both
   are as long, upwards, except from the middle to 0. */
static void torus_dimension(struct route *route, int64_t *at, uint32_t to, int dimension, int64_t stride)
{
    const parcast_network_description *network = &route->topology->platform->network;
    int64_t extent = network->dims[dimension], here = *at / stride % extent, there = to / stride % extent;
    int64_t up = (there - here + extent) % extent, down = extent - up;
    bool goes_up = up < down || (up == down && !(there == 0 && here == extent / 2));
    for (int64_t i = goes_up ? up : down % extent; i > 0; i--) {
        int64_t next = (here + (goes_up ? 1 : extent - 1)) % extent;
        int64_t neighbour = *at + (next - here) * stride, owner = goes_up ? *at : neighbour;
        add_own(route, (uint64_t)(owner * network->n_dims + dimension), goes_up ? FORTH : BACK,
                (uint32_t)owner);
        *at = neighbour;
        here = next;
    }
}

static void torus_route(struct route *route, uint32_t from, uint32_t to)
{
    const parcast_network_description *network = &route->topology->platform->network;
    int64_t at = from, stride = 1;
    for (int i = 0; i < network->n_dims; i++) {
        torus_dimension(route, &at, to, i, stride);
        stride *= network->dims[i];
    }
}

/* Fat tree: edge between a child of level l and its parent number `up` by cable number `cable`. The child is
   (number of its up-digits below l, number of its leaf digits from l on). */
static void fat_tree_hop(struct route *route, int level, uint64_t child, uint64_t up, uint64_t cable,
                         enum direction direction, uint32_t node)
{
    const struct topology *t = route->topology;
    const parcast_network_description *network = &t->platform->network;
    uint64_t edge = (child * (uint64_t)network->up[level] + up) * (uint64_t)network->parallel[level] + cable;
    edge += t->level_edges[level];
    if (level == 0)
        add_own(route, edge, direction, node);
    else
        add_inner(route, edge, direction, 1);
}

static void fat_tree_route(struct route *route, uint32_t from, uint32_t to)
{
    const parcast_network_description *network = &route->topology->platform->network;
    uint64_t up_digit[PARCAST_MAX_DIMENSIONS], switches[PARCAST_MAX_DIMENSIONS + 1] = {0};
    uint64_t ups = 1, source = from, target = to; /* leaf digits from the level on */
    uint64_t targets[PARCAST_MAX_DIMENSIONS];
    int level = 0;
    for (; level < network->n_levels && source != target; level++) {
        uint64_t parents = (uint64_t)network->up[level], cables = (uint64_t)network->parallel[level];
        uint64_t d = to / ups % (parents * cables);
        up_digit[level] = d % parents;
        targets[level] = target;
        fat_tree_hop(route, level, switches[level] + ups * source, up_digit[level], d / parents, FORTH, from);
        switches[level + 1] = switches[level] + up_digit[level] * ups;
        ups *= parents;
        source /= (uint64_t)network->down[level];
        target /= (uint64_t)network->down[level];
    }
    while (level-- > 0) {
        ups /= (uint64_t)network->up[level];
        fat_tree_hop(route, level, switches[level] + ups * targets[level], up_digit[level],
                     from % (uint64_t)network->parallel[level], BACK, to);
    }
}

/* Dragonfly: nodes' own links, then inside each chassis, then across the chassis of a group, then between
   groups. */
struct router {
    uint64_t group, chassis, b;
};

static struct router router_of(const parcast_network_description *network, uint32_t node)
{
    uint64_t router = node / (uint64_t)network->nodes_per_router, b = (uint64_t)network->routers;
    uint64_t chassis = router / b;
    return (struct router){chassis / (uint64_t)network->chassis, chassis % (uint64_t)network->chassis,
                           router % b};
}

static uint64_t n_pairs(uint64_t n)
{
    return n * (n - 1) / 2;
}

/* Number of the pair (i, j) among the pairs of n things. */
static uint64_t pair_number(uint64_t n, uint64_t i, uint64_t j)
{
    uint64_t low = i < j ? i : j, high = i < j ? j : i;
    return low * (2 * n - low - 1) / 2 + high - low - 1;
}

static uint64_t dragonfly_places(const parcast_network_description *network)
{
    return (uint64_t)network->groups * (uint64_t)network->chassis * (uint64_t)network->routers *
           (uint64_t)network->nodes_per_router;
}

static void to_router(struct route *route, struct router *at, uint64_t b)
{
    const parcast_network_description *network = &route->topology->platform->network;
    uint64_t routers = (uint64_t)network->routers,
             chassis = at->group * (uint64_t)network->chassis + at->chassis;
    if (at->b == b) return;
    uint64_t edge = dragonfly_places(network) + chassis * n_pairs(routers) + pair_number(routers, at->b, b);
    add_inner(route, edge, at->b < b ? FORTH : BACK, network->router_cables);
    at->b = b;
}

static void to_chassis(struct route *route, struct router *at, uint64_t chassis)
{
    const parcast_network_description *network = &route->topology->platform->network;
    uint64_t n_chassis = (uint64_t)network->chassis, routers = (uint64_t)network->routers;
    if (at->chassis == chassis) return;
    uint64_t below = dragonfly_places(network) + (uint64_t)network->groups * n_chassis * n_pairs(routers);
    uint64_t edge = below + (at->group * routers + at->b) * n_pairs(n_chassis) +
                    pair_number(n_chassis, at->chassis, chassis);
    add_inner(route, edge, at->chassis < chassis ? FORTH : BACK, network->chassis_cables);
    at->chassis = chassis;
}

static void to_group(struct route *route, struct router *at, uint64_t group)
{
    const parcast_network_description *network = &route->topology->platform->network;
    uint64_t groups = (uint64_t)network->groups, n_chassis = (uint64_t)network->chassis;
    uint64_t routers = (uint64_t)network->routers;
    uint64_t below = dragonfly_places(network) + groups * n_chassis * n_pairs(routers) +
                     groups * routers * n_pairs(n_chassis);
    to_router(route, at, group);
    to_chassis(route, at, 0);
    add_inner(route, below + pair_number(groups, at->group, group), at->group < group ? FORTH : BACK,
              network->group_cables);
    *at = (struct router){group, 0, at->group};
}

static void dragonfly_route(struct route *route, uint32_t from, uint32_t to)
{
    const parcast_network_description *network = &route->topology->platform->network;
    struct router at = router_of(network, from), target = router_of(network, to);
    add_own(route, from, FORTH, from);
    if (at.group != target.group) {
        to_group(route, &at, target.group);
        to_router(route, &at, target.b);
    } else if (at.b != target.b) {
        to_router(route, &at, target.b);
        if (route->topology->peer_compat) at.chassis = 0; /* where SimGrid believes to stand */
    }
    to_chassis(route, &at, target.chassis);
    add_own(route, to, BACK, to);
}

static void bisection(struct route *route, uint32_t from, uint32_t to)
{
    const struct topology *t = route->topology;
    uint32_t half = t->n_nodes / 2;
    if (isnan(t->platform->network.bisection_bytes_per_s) || (from < half) == (to < half)) return;
    add_hop(route, t->n_edges, from < half ? FORTH : BACK, t->platform->network.bisection_bytes_per_s, 0);
}

uint32_t topology_route(const struct topology *topology, uint32_t from, uint32_t to, bool through_link,
                        struct topology_hop *hops)
{
    struct route route = {topology, hops, 0};
    if (from == to) {
        if (through_link) star_route(&route, from, to);
        return route.n;
    }
    switch (topology->platform->network.topology) {
    case PARCAST_STAR:
        star_route(&route, from, to);
        break;
    case PARCAST_FAT_TREE:
        fat_tree_route(&route, from, to);
        break;
    case PARCAST_TORUS:
        torus_route(&route, from, to);
        break;
    case PARCAST_DRAGONFLY:
        dragonfly_route(&route, from, to);
        break;
    }
    bisection(&route, from, to);
    return route.n;
}

/* Edges of each level, and the longest route. */
static double measure(struct topology *topology)
{
    const parcast_network_description *network = &topology->platform->network;
    double hops = 2, ups = 1, edges = topology->n_nodes;
    switch (network->topology) {
    case PARCAST_STAR:
        break;
    case PARCAST_TORUS:
        edges *= network->n_dims;
        for (int i = 0; i < network->n_dims; i++) hops += (double)network->dims[i] / 2;
        break;
    case PARCAST_FAT_TREE:
        hops = 2 * network->n_levels;
        edges = 0;
        for (int i = 0; i < network->n_levels; i++) {
            double leaves = 1;
            for (int j = i; j < network->n_levels; j++) leaves *= network->down[j];
            topology->level_edges[i] = (uint64_t)fmin(edges, 9e18);
            edges += ups * leaves * network->up[i] * network->parallel[i];
            ups *= network->up[i];
        }
        break;
    case PARCAST_DRAGONFLY:
        hops = 7;
        edges = (double)dragonfly_places(network) +
                1.0 * network->groups * network->chassis * network->routers *
                    (network->routers + network->chassis) +
                1.0 * network->groups * network->groups;
        break;
    }
    topology->n_edges = (uint64_t)fmin(edges, 9e18);
    if (topology->both_ratio < 1) hops *= 2;
    topology->most_hops = (uint32_t)fmin(hops, 1e9) + 1; /* and the bisection */
    return edges;
}

static double places(const parcast_network_description *network)
{
    double n = 1;
    switch (network->topology) {
    case PARCAST_STAR:
        break;
    case PARCAST_FAT_TREE:
        for (int i = 0; i < network->n_levels; i++) n *= network->down[i];
        return n;
    case PARCAST_TORUS:
        for (int i = 0; i < network->n_dims; i++) n *= network->dims[i];
        return n;
    case PARCAST_DRAGONFLY:
        return network->groups > network->routers ? 0 : (double)dragonfly_places(network);
    }
    return INFINITY;
}

/* Of a full-duplex link, for long messages: short ones do not fill it. */
static double both_directions(const parcast_network_description *network)
{
    if (network->duplex == PARCAST_HALF_DUPLEX || network->n_exchange_factors == 0) return 1;
    return fmin(fmax(network->exchange_factors[network->n_exchange_factors - 1].value, 0.5), 1);
}

parcast_status topology_create(struct topology *topology, const parcast_platform *platform,
                               parcast_error *error)
{
    const parcast_network_description *network = &platform->network;
    *topology = (struct topology){.platform = platform,
                                  .n_nodes = (uint32_t)parcast_platform_nodes(platform),
                                  .link_latency_s = parcast_platform_link_latency(platform)};
    topology->both_ratio = both_directions(network);
    topology->peer_compat = network->routing && strcmp(network->routing, "peer-compat") == 0;
    if (topology->n_nodes > 1 && !(places(network) >= topology->n_nodes))
        return parcast_error_set(error, PARCAST_DATA, platform->name, 0,
                                 "the topology has no place for %u nodes", topology->n_nodes);
    if (measure(topology) > 1e18 || topology->most_hops > TOPOLOGY_MOST_HOPS)
        return parcast_error_set(error, PARCAST_DATA, platform->name, 0,
                                 "the topology is too large: a route may have up to %u links",
                                 topology->most_hops);
    topology->first_node = calloc(platform->n_types + 1, sizeof *topology->first_node);
    if (!topology->first_node) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    for (size_t i = 0; i < platform->n_types; i++)
        topology->first_node[i + 1] = topology->first_node[i] + (uint32_t)platform->types[i].count;
    return PARCAST_OK;
}

void topology_destroy(struct topology *topology)
{
    free(topology->first_node);
    topology->first_node = NULL;
}
