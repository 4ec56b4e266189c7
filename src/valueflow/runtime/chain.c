/*
 * Reductions: v = v op term, again and again, nobody else reading in between. A processor may add up the
 * terms that it owns and send one word. Which terms there were is kept as sequences of homes, one for each
 * label of a term: the rows and columns of a matrix product are then n^2 states and not n^3 terms.
 */
#include "valueflow/runtime/chain.h"

#include <string.h>

#include "valueflow/runtime/sequence.h"
#include "valueflow/runtime/vector.h"

static struct vf_chain *open_chains;
static uint64_t *open_hashes, *key_hashes; /* 0: not known */
static size_t open_capacity, open_hash_capacity, key_hash_capacity;
static uint32_t n_open, first_free; /* free ones are linked through `before` */

struct vf_chain *vf_chains;
static size_t key_capacity;
static uint32_t n_keys;
static struct vf_hash keys = {.width = 2 + VF_TERM_LABELS};

void vf_chains_open(void)
{
    open_chains = vf_grow(NULL, &open_capacity, sizeof *open_chains, 0);
    open_hashes = vf_grow(NULL, &open_hash_capacity, sizeof *open_hashes, 0);
    vf_chains = vf_grow(NULL, &key_capacity, sizeof *vf_chains, 0);
    key_hashes = vf_grow(NULL, &key_hash_capacity, sizeof *key_hashes, 0);
    n_open = n_keys = 1;
}

uint32_t vf_chains_size(void)
{
    return n_keys;
}

uint32_t vf_chain_create(uint32_t op)
{
    uint32_t chain = first_free;
    if (chain) {
        first_free = open_chains[chain].before;
    } else {
        open_chains = vf_grow(open_chains, &open_capacity, sizeof *open_chains, n_open);
        open_hashes = vf_grow(open_hashes, &open_hash_capacity, sizeof *open_hashes, n_open);
        chain = n_open++;
    }
    open_hashes[chain] = 0;
    open_chains[chain] = (struct vf_chain){.op_and_labels = op << 8};
    return chain;
}

uint32_t vf_chain_op(uint32_t chain)
{
    return open_chains[chain].op_and_labels >> 8;
}

bool vf_chain_is_empty(uint32_t chain)
{
    const struct vf_chain *c = &open_chains[chain];
    return !c->before && !(c->op_and_labels & 0xff);
}

bool vf_chain_adopt(uint32_t chain, uint32_t key, uint64_t hash)
{
    if (!key || key_hashes[key] != hash || !vf_chain_is_empty(chain)) return false;
    if ((vf_chains[key].op_and_labels ^ open_chains[chain].op_and_labels) >> 8) return false;
    open_chains[chain] = vf_chains[key];
    open_hashes[chain] = hash;
    return true;
}

void vf_chain_remember(uint32_t chain, uint64_t hash)
{
    open_hashes[chain] = hash;
}

static uint32_t intern(const struct vf_chain *chain)
{
    uint32_t *at = vf_hash_at(&keys, (const uint32_t *)chain);
    if (!*at) {
        vf_chains = vf_grow(vf_chains, &key_capacity, sizeof *vf_chains, n_keys);
        key_hashes = vf_grow(key_hashes, &key_hash_capacity, sizeof *key_hashes, n_keys);
        vf_chains[n_keys] = *chain;
        *at = n_keys++;
        vf_hash_added(&keys);
    }
    return *at;
}

/* The same term again changes nothing: whoever has it adds it up. */
static bool is_last(const struct vf_chain *chain, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (vf_sequences.labels[chain->streams[i]] != vf_values[labels[i]].vertex) return false;
    return true;
}

void vf_chain_add(uint32_t chain, uint32_t n, const uint32_t *labels)
{
    struct vf_chain *c = &open_chains[chain];
    open_hashes[chain] = 0;
    uint32_t had = c->op_and_labels & 0xff;
    if (had != n) {
        uint32_t op = c->op_and_labels >> 8;
        if (had) *c = (struct vf_chain){.before = intern(c)};
        c->op_and_labels = op << 8 | n;
    }
    if (is_last(c, n, labels)) return;
    for (uint32_t i = 0; i < n; i++)
        c->streams[i] = vf_sequence_next(c->streams[i], vf_values[labels[i]].vertex);
}

uint32_t vf_chain_close(uint32_t chain, uint32_t likely)
{
    bool same = likely && memcmp(&vf_chains[likely], &open_chains[chain], sizeof *vf_chains) == 0;
    uint32_t key = same ? likely : intern(&open_chains[chain]);
    if (open_hashes[chain]) key_hashes[key] = open_hashes[chain];
    open_chains[chain].before = first_free;
    first_free = chain;
    return key;
}
