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
    bool *is_walk;            /* of a sum: some that are added to it have versions with other terms each */
    bool *is_repeated;        /* of a vertex: it is added more than once to one version */
    uint32_t *kind, *used;    /* of a vertex: its version that is next, and how many like it are gone */
    uint32_t run;             /* versions of a sum that are alike, in what has been visited */
    uint32_t *visited;
    size_t n_visited, visited_capacity;
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
/** Sums that are results by themselves get SEVERAL for `target` (splice_kept.c); false without memory. Cost:
 * O(terms of short sums). */
bool splice_keep_results(struct splice *s);
/** Sums with versions of several kinds stay where these do not fit those of the sum that they are added to
 * (splice_walk.c); false without memory. Cost: O(terms of chains). */
bool splice_find_walks(struct splice *s);
/** The chain of the next version of such a sum; false without memory. */
bool splice_visit(struct splice *s, uint32_t tile, uint32_t *chain);
/** splice_join() of the next versions of a sum, *n of at most so many. */
uint32_t splice_walk(struct splice *s, uint32_t chain, uint32_t sum, uint32_t most, uint32_t *n);
/** Has the chain terms that are sums added to this one? */
bool splice_needs_joining(const struct splice *s, uint32_t chain, uint32_t sum);
/** The segments of a sum and of all tiles below it, one after another; the last one's number, or 0. */
uint32_t splice_join(struct splice *s, uint32_t chain, uint32_t sum);

#endif
