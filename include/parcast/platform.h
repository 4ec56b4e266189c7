/**
 * A machine: node types with cores, speeds, memory and prices; the network between the nodes; and the
 * placement of ranks on nodes. Read from and written to YAML (docs/formats/platform.md).
 *
 * All quantities are SI: seconds, bytes, bytes/s, flop/s. A quantity that the file does not give is NAN
 * unless its field says otherwise.
 */
#ifndef PARCAST_PLATFORM_H
#define PARCAST_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One kind of node and how many of them there are. */
typedef struct parcast_node_type {
    char *name;
    char **
        hosts; /**< [n_hosts] names of these nodes, so that recorded ones are recognised; NULL if not given */
    size_t n_hosts;
    int count;          /**< nodes of this type, from 1 */
    int cores;          /**< physical cores of a node, from 1 */
    int sockets;        /**< 1 unless given; divides cores */
    double speed;       /**< of a core, relative to the node type that recorded the study; 1 unless given */
    bool speed_given;   /**< false: speed may be derived from calibration */
    double calibration; /**< score of the fixed kernel (calibrate.h) [1/s], NAN if not probed */
    double flop_rate_flop_per_s;         /**< of a core, NAN if not given */
    double memory_bytes;                 /**< of a node, NAN if not given */
    double memory_bandwidth_bytes_per_s; /**< of a node, NAN if not given */
    double
        *memory_scaling; /**< [n_memory_scaling] throughput of j+1 cores / of one core; NULL if not given */
    size_t n_memory_scaling;
    double bandwidth_bytes_per_s; /**< of the node's link, per direction; NAN: the network's */
    double link_latency_s;        /**< of the node's link; NAN: the network's */
    double price_per_hour;        /**< of a node, in the platform's currency; NAN if not given */
    double startup_delay_s;       /**< until a rented node is ready; 0 unless given */
    double cpu_in, cpu_out;       /**< share of a core spent per incoming/outgoing flow; 0 unless given */
} parcast_node_type;

typedef enum parcast_topology {
    PARCAST_STAR,
    PARCAST_FAT_TREE,
    PARCAST_TORUS,
    PARCAST_DRAGONFLY
} parcast_topology;

typedef enum parcast_duplex { PARCAST_FULL_DUPLEX, PARCAST_HALF_DUPLEX } parcast_duplex;

/** A piecewise curve: from `bytes` on, `value` holds. */
typedef struct parcast_breakpoint {
    double bytes;
    double value;
} parcast_breakpoint;

enum { PARCAST_MAX_DIMENSIONS = 8 };

/** The network between nodes. */
typedef struct parcast_network_description {
    parcast_topology topology;
    double latency_s;      /**< one way, end to end between two neighbouring nodes; where the file gives
                                link_latency: that times the links between them */
    double link_latency_s; /**< per link; NAN: derived from latency_s and the hops of a neighbour pair */
    double bandwidth_bytes_per_s;     /**< of a link, per direction */
    parcast_duplex duplex;            /**< full unless given */
    double bisection_bytes_per_s;     /**< limit on the traffic between halves; NAN: none beyond the links */
    double overhead_s;                /**< CPU time per message and side; 0 unless given */
    int dims[PARCAST_MAX_DIMENSIONS]; /**< torus: extent of each dimension */
    int n_dims;
    int down[PARCAST_MAX_DIMENSIONS], up[PARCAST_MAX_DIMENSIONS],
        parallel[PARCAST_MAX_DIMENSIONS]; /**< fat tree, per level */
    int n_levels;
    int groups, chassis, routers, nodes_per_router; /**< dragonfly; 0 unless given */
    int group_cables, chassis_cables,
        router_cables;                     /**< dragonfly: parallel cables of a link; 1 unless given */
    char *sharing, *routing, *collectives; /**< as written, NULL unless given: used by replay */
    bool collectives_assumed; /**< the file does not say: SimGrid's default, for a platform of SimGrid's */
    double weights;           /**< replay: 0 equal, 1 by latency; NAN unless given */
    double weight_size_bytes, crosstraffic, window_bytes, envelope_bytes; /**< replay; NAN unless given */
    double eager_below_bytes, detached_below_bytes;                       /**< replay; NAN unless given */
    parcast_breakpoint *bandwidth_factors, *latency_factors;              /**< NULL unless given */
    size_t n_bandwidth_factors, n_latency_factors;
    parcast_breakpoint *exchange_factors; /**< rate of each direction while two ranks exchange, against one
                                             direction alone; NULL: 1 */
    size_t n_exchange_factors;
    parcast_breakpoint *overlap; /**< share of a non-blocking transfer that computing hides, by message size;
                                      NULL: not known */
    size_t n_overlap;
    struct {
        bool given;
        double L_s, o_s, g_s, G_s_per_byte, O_s_per_byte, S_bytes;
    } loggops;
} parcast_network_description;

/** Messages between ranks of one node. */
typedef struct parcast_shared_memory {
    double latency_s;             /**< 0.5 us unless given */
    double bandwidth_bytes_per_s; /**< 5 GB/s unless given */
} parcast_shared_memory;

/** A machine. Fields are read-only for users of the library. */
typedef struct parcast_platform {
    char *name;
    char *currency;           /**< "USD" unless given */
    double billing_unit_s;    /**< prices are charged in whole units; 0: by the second, unrounded */
    parcast_node_type *types; /**< [n_types] in the order of the file, which is the order nodes are filled */
    size_t n_types;
    parcast_network_description network;
    parcast_shared_memory shared_memory;
} parcast_platform;

/**
 * Read a platform file. Unknown keys, bad units, repeated names and impossible numbers are refused with
 * file, line and key.
 *
 * @param[in]  path     file, or "-" for standard input
 * @param[out] platform set on success; release with parcast_platform_destroy
 * @return PARCAST_OK, PARCAST_IO, PARCAST_FORMAT (malformed), PARCAST_DATA (a value that makes no machine)
 */
PARCAST_API parcast_status parcast_platform_load(const char *path, parcast_platform **platform,
                                                 parcast_error *error);

/** The same from memory; `source` names it in messages. */
PARCAST_API parcast_status parcast_platform_parse(const char *text, size_t length, const char *source,
                                                  parcast_platform **platform, parcast_error *error);

/**
 * Write a platform as YAML that parcast_platform_load reads back to the same values. A file is replaced in
 * one step: when writing fails, what was there before stays. path "-" is stdout.
 *
 * @return PARCAST_OK, PARCAST_INVALID as parcast_platform_format, PARCAST_IO, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_platform_save(const parcast_platform *platform, const char *path,
                                                 parcast_error *error);

/**
 * The same as text.
 *
 * @param[out] text   YAML, free() by the caller; set on success
 * @return PARCAST_OK, PARCAST_INVALID when the values make no machine (built by hand), PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_platform_format(const parcast_platform *platform, char **text,
                                                   size_t *length, parcast_error *error);

/** Release a platform and null the pointer. NULL is fine. */
PARCAST_API void parcast_platform_destroy(parcast_platform **platform);

/** Nodes and cores of all types together. */
PARCAST_API int parcast_platform_nodes(const parcast_platform *platform);
PARCAST_API int parcast_platform_cores(const parcast_platform *platform);

/** Directed links on the way between two neighbouring nodes (0 and 1): 2 on a star, 1 on a torus. */
PARCAST_API int parcast_platform_neighbour_links(const parcast_platform *platform);

/** Latency of one link [s]: link_latency, or the latency between neighbours divided by the links there. */
PARCAST_API double parcast_platform_link_latency(const parcast_platform *platform);

/** Bandwidth of a node type's link [bytes/s]: its own or the network's. */
PARCAST_API double parcast_platform_link_bandwidth(const parcast_platform *platform, size_t type);

/**
 * The largest share of a transfer that computing can hide, 0 to 1; NAN: not known. A program may cut its
 * messages to the size that hides best.
 */
PARCAST_API double parcast_platform_overlap(const parcast_platform *platform);

/**
 * Mean one-way latency [s] between two different nodes among the first n_nodes: the star's latency, or the
 * mean number of links of the topology times the latency of a link, over all pairs. 0 when n_nodes < 2;
 * n_nodes above the platform's count as all of them.
 *
 * Cost: O(1) for star and torus, O(levels) fat tree, O(routers per chassis) dragonfly. Thread-safe.
 */
PARCAST_API double parcast_platform_latency(const parcast_platform *platform, int n_nodes);

/** fill: a node's cores are filled before the next is used (block). spread: one rank a node in turn (cyclic).
 */
typedef enum parcast_placement_policy { PARCAST_FILL, PARCAST_SPREAD } parcast_placement_policy;

/** Where ranks run: nodes with the same type and the same number of ranks are one group. */
typedef struct parcast_placement_group {
    size_t type; /**< index into platform->types */
    int n_nodes; /**< nodes of the group, from 1 */
    int n_ranks; /**< ranks on each node of the group, from 1 */
} parcast_placement_group;

typedef struct parcast_placement {
    parcast_placement_policy policy; /**< order of the ranks: block by block, or dealt in turn */
    int n_ranks;                     /**< of all groups */
    int n_nodes;                     /**< nodes used */
    parcast_placement_group
        *groups; /**< [n_groups] ordered by type, then by ranks descending; no empty group */
    size_t n_groups;
} parcast_placement;

/**
 * Place n ranks on a platform. fill takes the node types in the order of the file and fills each node's
 * cores; spread deals one rank to each node in turn, skipping nodes whose cores are taken.
 * More ranks than cores are refused unless oversubscribe is set; then the ranks beyond are dealt in
 * proportion to the cores.
 *
 * @return PARCAST_OK, PARCAST_DATA when the platform has too few cores, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_placement_create(const parcast_platform *platform, int n_ranks,
                                                    parcast_placement_policy policy, bool oversubscribe,
                                                    parcast_placement **placement, parcast_error *error);

PARCAST_API void parcast_placement_destroy(parcast_placement **placement);

/**
 * Cost of using the placement's nodes for a time [currency]: sum of price_per_hour x hours over the nodes
 * used, rounded up to the billing unit if there is one; NAN when a node used has no price.
 */
PARCAST_API double parcast_placement_cost(const parcast_platform *platform,
                                          const parcast_placement *placement, double time_s);

#ifdef __cplusplus
}
#endif
#endif
