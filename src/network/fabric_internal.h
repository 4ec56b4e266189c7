/** What the parts of the flow model share: fabric.c (events), paths.c (routes), share.c (the solver). */
#ifndef PARCAST_NETWORK_FABRIC_INTERNAL_H
#define PARCAST_NETWORK_FABRIC_INTERNAL_H

#include "core/pairing.h"
#include "network/fabric.h"

#define NONE POOL_NONE

/** Handles of events: index * 4 + class. */
enum event_class { EVENT_MEMBER, EVENT_PATH, EVENT_NODE, EVENT_TIMER, EVENT_CLASSES };

struct fabric_member {
    double goal;                /**< before it joins: what it is to progress by */
    struct pairing_links links; /**< in its group */
    uint32_t group;             /**< path or node */
    uint32_t user;
};

struct fabric_node {
    struct fabric_group group; /**< computations */
    double cores, cpu_in, cpu_out;
    uint32_t n_in, n_out; /**< transfers under way */
    bool dirty;
};

struct fabric_use {
    uint32_t link;
    uint32_t place;  /**< in the link's list of users */
    double fraction; /**< of the share that the link carries: 1 on the route, crosstraffic on the way back */
};

struct fabric_path {
    struct fabric_group group; /**< transfers; rate is the share [bytes/s] */
    double bound;              /**< [bytes/s] */
    double per_weight;         /**< 1 / weight */
    double latency_s;
    uint32_t from, to;
    uint32_t uses;
    uint16_t n_uses;
    bool local, dirty;
    bool unfixed;         /**< of the solver: free and not fixed yet */
    uint64_t mark;        /**< of the solver: free */
    double share;         /**< of the solver: where it was fixed */
    uint32_t bottleneck;  /**< link that it was stopped by, NONE: its bound */
    uint32_t n_under_way; /**< transfers, those in their latency included */
    uint32_t idle_before, idle_after;
};

struct fabric_user {
    uint32_t path, use; /**< which of the path's uses */
};

struct fabric_link {
    uint64_t number; /**< in the topology */
    double capacity, latency_s;
    double bound_sum;          /**< sum of the bounds of its transfers: below the capacity it limits nobody */
    struct fabric_user *users; /**< [n_users] paths with transfers */
    uint32_t n_users, user_room, n_transfers;
    bool dirty, limited; /**< limited: when shares were last computed it could limit */
    uint64_t mark;
    /* of the solver */
    double left, per_level, per_level_before;
    double level;   /**< at which it stopped paths; INFINITY: none */
    double highest; /**< level of the free paths that cross it */
    uint32_t n_unfixed;
};

static inline struct fabric_path *path_at(const struct fabric *fabric, uint32_t index)
{
    return (struct fabric_path *)fabric->paths.records + index;
}

static inline struct fabric_member *member_at(const struct fabric *fabric, uint32_t index)
{
    return (struct fabric_member *)fabric->members.records + index;
}

static inline unsigned use_class(uint32_t n_uses)
{
    return n_uses <= 1 ? 0 : 32U - (unsigned)__builtin_clz(n_uses - 1);
}

static inline struct fabric_use *uses_of(const struct fabric *fabric, const struct fabric_path *path)
{
    return pool_at(&fabric->uses[use_class(path->n_uses)], path->uses);
}

void fabric_fail(struct fabric *fabric, parcast_status status, const char *text);

/* paths.c */
bool paths_create(struct fabric *fabric);
void paths_destroy(struct fabric *fabric);
/** The path between two nodes, made if it is new; NONE and a failure set when it cannot be. */
uint32_t paths_find(struct fabric *fabric, uint32_t from, uint32_t to);
/** The path has no transfers and none under way to it: it may be forgotten. */
void paths_set_idle(struct fabric *fabric, uint32_t path);
void paths_set_busy(struct fabric *fabric, uint32_t path);
/** n transfers more (or less) cross the path's links. */
void paths_count(struct fabric *fabric, uint32_t path, int n);

/* share.c */
bool share_needed(const struct fabric *fabric);
/** Compute the shares anew where something changed; group_update is called for each that does. */
void share_solve(struct fabric *fabric);

/* fabric.c */
/** The computations of a node, or what its transfers leave of its cores, have changed. */
void fabric_mark_node(struct fabric *fabric, uint32_t node);
/** Give a group another rate from now on, and move its event; `changed`: its members changed since the last
 * time. */
void group_update(struct fabric *fabric, struct fabric_group *group, double rate, bool changed,
                  uint32_t handle);
/** Room for n numbers; false when memory is short. */
bool fabric_grow(uint32_t **list, uint32_t *room, uint32_t n);

#endif
