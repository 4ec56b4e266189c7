/** Members of communicators by node, made once for each communicator. */
#ifndef PARCAST_REPLAY_BY_NODE_H
#define PARCAST_REPLAY_BY_NODE_H

#include "replay/schedules.h"

struct by_node_entry {
    uint32_t communicator, first, n_members; /**< first: member 0; communicators of one number may be apart */
    struct schedule_nodes nodes;
};

struct by_node {
    const int *rank_node; /**< [n_ranks] */
    uint32_t n_ranks;
    struct by_node_entry **table; /**< [room] open addressing; NULL: free */
    uint32_t n, room;             /**< room: a power of two, or 0 */
};

/**
 * The communicator's members by node.
 *
 * @param[in] members  [n_members] ranks of the program; NULL: all ranks, n_members of them
 * @return valid until by_node_destroy; NULL when memory is short
 *
 * Cost: O(n_members log n_members) the first time, O(1) then.
 */
const struct schedule_nodes *by_node_find(struct by_node *by_node, uint32_t communicator,
                                          const int32_t *members, uint32_t n_members);
void by_node_destroy(struct by_node *by_node);

#endif
