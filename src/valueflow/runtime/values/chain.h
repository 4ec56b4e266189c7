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

extern struct vf_chain *vf_chains; /* keys: closed chains, equal ones once; from 1 */
void vf_chains_open(void);
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

/** End it: the key of its terms; `likely` is a key that it may have, or 0. The number is free for another
 * chain afterwards. */
uint32_t vf_chain_close(uint32_t chain, uint32_t likely);
/** The key that it would have if it ended now. */
uint32_t vf_chain_key(uint32_t chain, uint32_t likely);
/** It was begun in vain. */
void vf_chain_drop(uint32_t chain);
#pragma GCC visibility pop

#endif
