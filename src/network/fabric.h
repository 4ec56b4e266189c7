/**
 * The flow model: transfers share the links on their routes, computations share the cores of their node.
 * Rules and sources: docs/models/network.md, "Flows".
 *
 * All transfers from one node to another are a path: one route, one bound, one weight and so one share each.
 * The shares change, not the transfers: a path counts how far a transfer would have come that had been there
 * from the beginning (progress), a transfer ends when the progress has grown by its size, and only the first
 * to end of a path has an event. Computations of a node are the same thing with a rate instead of a share.
 *
 *     transfer --(latency)--> member of its path --(progress reaches its goal)--> done
 *
 * Events of one date are all handled before shares are computed, once, for the links where something changed
 * and those that are tied to them through transfers.
 */
#ifndef PARCAST_NETWORK_FABRIC_H
#define PARCAST_NETWORK_FABRIC_H

#include "core/pool.h"
#include "network/kernel.h"
#include "network/topology.h"

/** What the engine tells, while the date is kernel.now_ps. */
struct fabric_client {
    void *state;
    void (*transferred)(void *state, uint32_t user);
    void (*computed)(void *state, uint32_t user);
    void (*timer)(void *state, uint32_t user);
};

struct fabric_options {
    bool local_through_link; /**< messages inside a node take its link up and down, not its memory */
    bool ideal_network;      /**< latency and transfer take no time */
    double bandwidth_ratio, latency_ratio; /**< of the network, multiplied by these; 0: as it is */
    bool full_solver; /**< compute all shares anew each time: the test of the incremental one */
};

struct fabric_link;
struct fabric_path;
struct fabric_use; /* of a link by a path */
struct fabric_node;

/** What progresses together: a pairing heap of members by goal. */
struct fabric_group {
    double rate;     /* [1/s] */
    double progress; /* up to updated_ps */
    int64_t updated_ps;
    uint32_t first, n; /* members */
};

struct fabric_curve {
    const parcast_breakpoint *points;
    size_t n_points;
};

struct fabric {
    struct kernel kernel;
    struct topology topology;
    struct fabric_client client;
    struct fabric_options options;
    bool equal_share, latency_weights;
    double weight_size_bytes, crosstraffic, window_bytes, envelope_bytes;
    struct fabric_curve bandwidth_factors, latency_factors;

    struct pool members; /* transfers and computations */
    struct pool timers;
    struct fabric_node *nodes; /* [topology.n_nodes] */

    struct pool paths;
    uint32_t *path_table, path_mask, n_paths; /* (from, to) -> path */
    uint32_t idle_first, idle_last, n_idle;   /* paths without transfers, the longest idle first */
    struct pool uses[9];                      /* blocks of 2^i uses */

    struct fabric_link *links;
    uint32_t n_links, link_room, link_mask; /* link_mask + 1 places in the table */
    uint32_t *link_table;                   /* number in the topology -> link */

    uint32_t *dirty_links, *dirty_paths, *dirty_nodes;
    uint32_t n_dirty_links, n_dirty_paths, n_dirty_nodes;
    uint32_t dirty_link_room, dirty_path_room;
    uint32_t *part_links, *part_paths; /* what is being solved */
    uint32_t n_part_links, n_part_paths, part_path_room, part_link_room;
    uint64_t part_size;         /* users of the part's links */
    uint64_t n_active_uses;     /* users of all links */
    struct heap levels, bounds; /* of the solver */
    uint64_t mark;

    bool seen_no_weight, seen_weight;
    uint64_t n_events, n_transfers, n_solved; /* n_solved: shares that were computed */
    parcast_status failed;                    /* memory was short, or a route makes no sense */
    char failure[160];
};

/** The platform must outlive the fabric. */
parcast_status fabric_create(struct fabric *fabric, const parcast_platform *platform,
                             const struct fabric_options *options, const struct fabric_client *client,
                             parcast_error *error);
void fabric_destroy(struct fabric *fabric);

/** Begin a transfer now; bytes without the envelope. */
void fabric_transfer(struct fabric *fabric, uint32_t from, uint32_t to, double bytes, uint32_t user);
/** What a transfer that begins now would take if nothing else crossed its links. */
struct fabric_alone {
    int64_t latency_ps, transfer_ps;
};
struct fabric_alone fabric_alone(struct fabric *fabric, uint32_t from, uint32_t to, double bytes);
/** Begin a computation that takes so long on a core of its own. */
void fabric_compute(struct fabric *fabric, uint32_t node, double core_s, uint32_t user);
/** An event at a date that is not before now. */
void fabric_timer(struct fabric *fabric, int64_t date_ps, uint32_t user);

/** Handle events until there are none. */
parcast_status fabric_run(struct fabric *fabric, parcast_error *error);

/** Seconds to picoseconds, rounded up but for what is the rounding of doubles; KERNEL_LATEST_PS at most. */
int64_t fabric_ps(double seconds);

#endif
