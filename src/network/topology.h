/**
 * Links between nodes and the route from one to another: docs/models/network.md, "Topologies and routes".
 *
 * A cable between two things is an edge with two directions, each a link of its own unless the network is
 * half duplex; where the platform's exchange_factors say that both at once carry less, both share a third
 * one. Nothing is stored per link or per pair: edges are numbers, computed from the ends.
 */
#ifndef PARCAST_NETWORK_TOPOLOGY_H
#define PARCAST_NETWORK_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "parcast/platform.h"

enum { TOPOLOGY_MOST_HOPS = 64 };

/** One link of a route. */
struct topology_hop {
    uint64_t link; /**< unique number */
    double bandwidth_bytes_per_s, latency_s;
};

struct topology {
    const parcast_platform *platform; /**< must outlive it */
    uint32_t n_nodes;
    uint64_t n_edges; /**< of the topology; the bisection, if it is limited, is one edge more */
    double link_latency_s;
    double both_ratio; /**< what each direction of a node's link reaches while both are busy; 1: all of it */
    bool peer_compat;  /**< dragonfly: the detour of SimGrid's routes inside a group */
    uint32_t *first_node;                             /**< [n_types + 1] nodes of a type begin here */
    uint64_t level_edges[PARCAST_MAX_DIMENSIONS + 1]; /**< fat tree: edges below a level */
    uint32_t most_hops;
};

/**
 * @return PARCAST_OK, PARCAST_DATA (a route would have more than TOPOLOGY_MOST_HOPS links, or the values make
 *         no topology), PARCAST_MEMORY
 */
parcast_status topology_create(struct topology *topology, const parcast_platform *platform,
                               parcast_error *error);
void topology_destroy(struct topology *topology);

/**
 * The links from one node to another, in order; a node's way to itself is none, or with through_link its own
 * link up and down.
 *
 * @param[out] hops  [topology.most_hops]
 * @return their number
 */
uint32_t topology_route(const struct topology *topology, uint32_t from, uint32_t to, bool through_link,
                        struct topology_hop *hops);

/** The type of a node. */
size_t topology_type(const struct topology *topology, uint32_t node);

#endif
