#ifndef PARCAST_VALUEFLOW_CHAIN_H
#define PARCAST_VALUEFLOW_CHAIN_H

#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

enum { VF_TERM_LABELS = 4 }; /* labels of one term that are kept apart */

/** A reduction: what was added up, term by term. streams[i] is the sequence of the homes of the i-th label of
 * the terms; `before` is what came before when the terms had another number of labels. */
struct vf_chain {
    uint32_t before, op_and_labels; /* op << 8 | labels per term */
    uint32_t streams[VF_TERM_LABELS];
};

/** Keys: closed chains, from 1. Equal ones of a vertex have one key, and so have those that others follow;
 * those of several vertices are found to be alike when the graph is made (graph/alike.c). */
extern struct vf_chain *vf_chains;
void vf_chains_open(void);
/** None is open any more, and no key looked for. */
void vf_chains_close(void);
uint32_t vf_chains_size(void);

/* The chain of a value is 0, one that can still grow, or one whose terms are known already: VF_FINISHED and
 * its key. */
#define VF_FINISHED 0x80000000u

/** A chain that can still grow; from 1. */
uint32_t vf_chain_create(uint32_t op);
uint32_t vf_chain_op(uint32_t chain);
bool vf_chain_is_empty(uint32_t chain);
/** Add a term of n labels, n from 1 to VF_TERM_LABELS. Returns the chain, another one if it was finished. */
uint32_t vf_chain_add(uint32_t chain, uint32_t n, const uint32_t *labels);
/** The same of so many terms of n labels, one after the other. */
uint32_t vf_chain_fill(uint32_t chain, uint32_t n, uint32_t n_terms, const uint32_t *labels);
/** Hash of the operation and the homes of terms in order, for chains that get all their terms at once. */
static inline uint64_t vf_chain_hash_start(uint64_t start)
{
    return (start + 1) * 0x9e3779b97f4a7c15ull;
}
static inline uint64_t vf_chain_hash_add(uint64_t hash, uint32_t home)
{
    hash = (hash ^ home) * 0xff51afd7ed558ccdull;
    return hash ^ hash >> 32;
}
extern uint64_t *vf_chain_hashes; /* by key; 0: not known */
/** Does the key stand for the terms of this hash? Then they need not be added one by one. */
static inline bool vf_chain_is(uint32_t key, uint64_t hash)
{
    return key && vf_chain_hashes[key] == hash;
}
/** What it holds now has this hash; adding more to it is adding to something without. */
void vf_chain_remember(uint32_t chain, uint64_t hash);

/** End that of a value of the vertex: the key of its terms. The number is free for another chain afterwards.
 */
uint32_t vf_chain_close(uint32_t chain, uint32_t vertex);
/** The key that it would have if it ended now, which is noted as one of the vertex. */
uint32_t vf_chain_key(uint32_t chain, uint32_t vertex);
/** It was begun in vain. */
void vf_chain_drop(uint32_t chain);
#pragma GCC visibility pop

#endif
