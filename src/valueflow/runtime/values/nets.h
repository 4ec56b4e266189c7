/* Nets of vertices that have several, and their sums beyond the last one: how many versions were each. */
#ifndef PARCAST_VALUEFLOW_NETS_H
#define PARCAST_VALUEFLOW_NETS_H

#include "valueflow/runtime/tables/hash.h"

#pragma GCC visibility push(hidden)

struct vf_net {
    uint32_t vertex, what; /* what: the state of its readers, or the chain of its terms */
    uint32_t count;
    uint32_t next; /* the net of the vertex that followed last time, which is likely to follow again, or 0 */
    uint32_t more; /* another one of the vertex, or 0 */
};

struct vf_nets {
    struct vf_net *net; /* from 1 */
    uint32_t n;
    uint32_t *first; /* by vertex: its first one, or 0 */
    size_t capacity, first_capacity;
    struct vf_index others; /* those that are not linked, where a vertex has very many */
};

extern struct vf_nets vf_nets, vf_chain_nets;

enum { VF_LINKED = 8 }; /* nets of a vertex that are linked: most that have several have few */

/** The number of a net, a new one with no versions if it is not known. */
uint32_t vf_net_of(struct vf_nets *nets, uint32_t vertex, uint32_t what);
/** The first net of those of a vertex that are linked, or 0. */
static inline uint32_t vf_first_net(const struct vf_nets *nets, uint32_t vertex)
{
    return vertex < nets->first_capacity ? nets->first[vertex] : 0;
}

#pragma GCC visibility pop

#endif
