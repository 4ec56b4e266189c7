/* Sums that are only added to another one: what is known of them, and how their terms are put together. */
#ifndef PARCAST_VALUEFLOW_SPLICE_H
#define PARCAST_VALUEFLOW_SPLICE_H

#include "valueflow/graph/unite.h"
#include "valueflow/graph/versions.h"

enum { NOBODY = 0, SEVERAL = UINT32_MAX };

struct splice {
    struct unite *u;
    uint32_t *target;         /* of a vertex: the sum that it is added to; SEVERAL if it is more than that */
    uint32_t *key;            /* of a vertex: its chain; SEVERAL if it has others */
    uint64_t *n_read, *n_sum; /* of a vertex: versions that are read, versions that are sums */
    bool *has_sources;        /* of a vertex: values that it reads otherwise than as terms */
    struct versions versions; /* before anything is joined */
    uint32_t *guide;  /* of a sum: a part of it whose versions have other terms; SEVERAL if these differ */
    uint32_t version; /* of the sum that is joined */
    struct vf_dump_chain *chains;
    size_t n_chains, chain_capacity;
    uint32_t *parents, *homes; /* steps; of the file until there are more */
    size_t n_steps, step_capacity;
    uint32_t *waiting; /* chains that are to be joined */
    size_t n_waiting, waiting_capacity;
};

static inline bool is_one(uint32_t vertex)
{
    return vertex != NOBODY && vertex != SEVERAL;
}

static inline void splice_note(uint32_t *one, uint32_t vertex)
{
    if (*one != vertex) *one = *one == NOBODY ? vertex : SEVERAL;
}

/* The net of a sum's chain with this number, in the order of its versions. */
static inline const struct vf_dump_net *splice_net(const struct splice *s, uint32_t sum, uint32_t i)
{
    return &s->u->file->chain_nets[s->versions.nets[s->versions.first[sum] + i]];
}

/** The one sum that a net is read by besides its home; NOBODY or SEVERAL. */
uint32_t splice_reader(struct splice *s, const struct vf_dump_net *net);
/** `key` of all vertices, which is 0. */
void splice_find_keys(struct splice *s);
/** Results of registers that are the same in every step become one (splice_results.c); false without memory.
 * Cost: O(readers of nets) for each of few rounds. Writes `key` and `target`. */
bool splice_join_results(struct splice *s);
/** Has the chain terms that are sums added to this one? */
bool splice_needs_joining(const struct splice *s, uint32_t chain, uint32_t sum);
/** The segments of a sum and of all tiles below it, one after another; the last one's number, or 0. */
uint32_t splice_join(struct splice *s, uint32_t chain, uint32_t sum);

#endif
