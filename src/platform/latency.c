/*
 * Mean number of links between two nodes, in closed form, because forecasts ask for it at every point.
 *
 * Sums run over ordered pairs of different nodes among the first n. Routes are the minimal ones of
 * docs/formats/platform.md: node ids count from 0 in the order of the file.
 */
#include <math.h>

#include "parcast/platform.h"

/* 1 + 2 + ... + n and 1^2 + ... + n^2 */
static double sum_1(double n)
{
    return n * (n + 1) / 2;
}

static double sum_2(double n)
{
    return n * (n + 1) * (2 * n + 1) / 6;
}

/* Fat tree: two nodes whose lowest common switch is on level l are 2 l links apart. Of the n - 1 others,
   those within the same block of down_0 * .. * down_(l-1) nodes need at most l levels. */
static double fat_tree_links(const parcast_network_description *network, double n)
{
    double block = 1, links = 0, closer = n; /* pairs, a node with itself included, that need fewer levels */
    for (int level = 0; level < network->n_levels; level++) {
        block *= network->down[level];
        double full = floor(n / block), rest = n - full * block;
        double within = full * block * block + rest * rest;
        links += 2.0 * (level + 1) * (within - closer);
        closer = within;
    }
    return links;
}

/* Distance around a ring of d between 0 and t is min(t, d - t). Sum over t = 1..m, m < d. */
static double ring_sum(double d, double m)
{
    double half = floor(d / 2);
    if (m <= half) return sum_1(m);
    return sum_1(half) + d * (m - half) - (sum_1(m) - sum_1(half));
}

/* Sum of min(t, d - t) * t over t = 1..m. */
static double ring_sum_weighted(double d, double m)
{
    double half = floor(d / 2);
    if (m <= half) return sum_2(m);
    return sum_2(half) + d * (sum_1(m) - sum_1(half)) - (sum_2(m) - sum_2(half));
}

/*
 * Distance summed over pairs in one dimension of extent d, where `stride` consecutive ids share a coordinate.
 * Of the first n nodes, low of them have each coordinate above k, low + extra have k, low + stride those
 * below.
 */
static double torus_dimension_links(double d, double stride, double n)
{
    double full = floor(n / (stride * d)), rest = n - full * stride * d;
    double k = floor(rest / stride), extra = rest - k * stride, low = full * stride;
    double around = ring_sum(d, d - 1);       /* from one coordinate to all */
    double to_k = k > 0 ? ring_sum(d, k) : 0; /* from k to 0..k-1 */
    double below = k > 1 ? 2 * (k * ring_sum(d, k - 1) - ring_sum_weighted(d, k - 1)) : 0; /* among 0..k-1 */
    return low * low * d * around + 2 * low * (stride * k + extra) * around + stride * stride * below +
           2 * stride * extra * to_k;
}

static double torus_links(const parcast_network_description *network, double n)
{
    double stride = 1, links = 0;
    for (int i = 0; i < network->n_dims; i++) {
        links += torus_dimension_links(network->dims[i], stride, n);
        stride *= network->dims[i];
    }
    return links;
}

/* Nodes of one dragonfly group, of which the first n exist. */
struct group {
    double chassis, routers, nodes_per_router, n;
};

/* Nodes with router number b, over the chassis. */
static double on_router(const struct group *g, double b)
{
    if (b >= g->routers) return 0;
    double per_chassis = g->routers * g->nodes_per_router;
    double full = floor(g->n / per_chassis), rest = g->n - full * per_chassis;
    return full * g->nodes_per_router + fmin(fmax(rest - b * g->nodes_per_router, 0), g->nodes_per_router);
}

/* Nodes with router number below b. */
static double below_router(const struct group *g, double b)
{
    double per_chassis = g->routers * g->nodes_per_router;
    double full = floor(g->n / per_chassis), rest = g->n - full * per_chassis;
    return full * fmin(b, g->routers) * g->nodes_per_router + fmin(rest, b * g->nodes_per_router);
}

static double in_chassis_0(const struct group *g)
{
    return fmin(g->n, g->routers * g->nodes_per_router);
}

/* Up and down, a link when the router number differs, a link when the chassis differs. */
static double links_within(const struct group *g)
{
    double per_chassis = g->routers * g->nodes_per_router, same_router = 0;
    for (int b = 0; b < (int)g->routers; b++) same_router += on_router(g, b) * on_router(g, b);
    double full = floor(g->n / per_chassis), rest = g->n - full * per_chassis;
    double same_chassis = full * per_chassis * per_chassis + rest * rest;
    return 2 * g->n * (g->n - 1) + (g->n * g->n - same_router) + (g->n * g->n - same_chassis);
}

/* To the router named after the other group, to chassis 0, across, and the same there backwards. */
static double links_between(const struct group *from, double from_id, const struct group *to, double to_id)
{
    return 3 * from->n * to->n + (from->n - on_router(from, to_id)) * to->n +
           (from->n - in_chassis_0(from)) * to->n + from->n * (to->n - on_router(to, from_id)) +
           from->n * (to->n - in_chassis_0(to));
}

static double dragonfly_links(const parcast_network_description *network, double n)
{
    struct group whole = {network->chassis, network->routers, network->nodes_per_router, 0}, part = whole;
    whole.n = whole.chassis * whole.routers * whole.nodes_per_router;
    double full = floor(n / whole.n); /* groups 0..full-1 are whole, group `full` has the rest */
    part.n = n - full * whole.n;
    double links = full * links_within(&whole);
    if (full > 1) links += full * (full - 1) * links_between(&whole, 0, &whole, 1);
    if (part.n == 0) return links;
    links += links_within(&part);
    /* Between whole groups g and the part: everything but the router named g in the part is alike. */
    double one = 3 * whole.n * part.n + (whole.n - on_router(&whole, full)) * part.n +
                 (whole.n - in_chassis_0(&whole)) * part.n + whole.n * (part.n - in_chassis_0(&part));
    double routers = whole.n * (full * part.n - below_router(&part, full));
    return links + 2 * (full * one + routers);
}

/* Links summed over the n (n - 1) ordered pairs of different nodes. */
static double pair_links(const parcast_network_description *network, double n)
{
    switch (network->topology) {
    case PARCAST_STAR:
        break;
    case PARCAST_FAT_TREE:
        return fat_tree_links(network, n);
    case PARCAST_TORUS:
        return torus_links(network, n);
    case PARCAST_DRAGONFLY:
        return dragonfly_links(network, n);
    }
    return 2 * n * (n - 1);
}

int parcast_platform_neighbour_links(const parcast_platform *platform)
{
    double links = pair_links(&platform->network, 2) / 2;
    return links < 1 ? 1 : (int)lround(links); /* a network for one node has no neighbours */
}

double parcast_platform_link_latency(const parcast_platform *platform)
{
    if (!isnan(platform->network.link_latency_s)) return platform->network.link_latency_s;
    return platform->network.latency_s / parcast_platform_neighbour_links(platform);
}

double parcast_platform_latency(const parcast_platform *platform, int n_nodes)
{
    int all = parcast_platform_nodes(platform);
    double n = n_nodes < all ? n_nodes : all;
    if (n < 2) return 0;
    if (platform->network.topology == PARCAST_STAR) return platform->network.latency_s;
    return pair_links(&platform->network, n) / (n * (n - 1)) * parcast_platform_link_latency(platform);
}
