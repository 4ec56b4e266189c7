/*
 * Reductions: v = v op term, again and again, nobody else reading in between. A processor may add up the
 * terms that it owns and send one word. Which terms there were is kept as sequences of homes, one for each
 * label of a term: the rows and columns of a matrix product are then n^2 states and not n^3 terms.
 */
#include "valueflow/runtime/values/chain.h"

#include <string.h>

#include "valueflow/runtime/tables/sequence.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/nets.h"

static struct vf_chain *open_chains;
static uint64_t *open_hashes; /* 0: not known */
uint64_t *vf_chain_hashes;
static size_t open_capacity, open_hash_capacity, key_hash_capacity;
static uint32_t n_open, first_free; /* free ones are linked through `before` */

struct vf_chain *vf_chains;
static size_t key_capacity;
static uint32_t n_keys;
static struct vf_index keys = VF_INDEX;

void vf_chains_open(void)
{
    open_chains = vf_grow(NULL, &open_capacity, sizeof *open_chains, 0);
    open_hashes = vf_grow(NULL, &open_hash_capacity, sizeof *open_hashes, 0);
    vf_chains = vf_grow(NULL, &key_capacity, sizeof *vf_chains, 0);
    vf_chain_hashes = vf_grow(NULL, &key_hash_capacity, sizeof *vf_chain_hashes, 0);
    n_open = n_keys = 1;
}

void vf_chains_close(void)
{
    vf_hash_empty(&keys.hash);
    vf_empty(open_chains, open_capacity * sizeof *open_chains);
    vf_empty(open_hashes, open_hash_capacity * sizeof *open_hashes);
    vf_empty(vf_chain_hashes, key_hash_capacity * sizeof *vf_chain_hashes);
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

static const struct vf_chain *content(uint32_t chain)
{
    return chain & VF_FINISHED ? &vf_chains[chain & ~VF_FINISHED] : &open_chains[chain];
}

uint32_t vf_chain_op(uint32_t chain)
{
    return content(chain)->op_and_labels >> 8;
}

bool vf_chain_is_empty(uint32_t chain)
{
    const struct vf_chain *c = content(chain);
    return !c->before && !(c->op_and_labels & 0xff);
}

void vf_chain_remember(uint32_t chain, uint64_t hash)
{
    if (!(chain & VF_FINISHED)) open_hashes[chain] = hash; /* without any term it is as it was */
}

static bool has_terms(uint32_t key, const void *chain)
{
    return memcmp(&vf_chains[key], chain, sizeof *vf_chains) == 0;
}

static uint64_t hash_of(const struct vf_chain *chain)
{
    uint64_t hash = (uint64_t)chain->before << 32 | chain->op_and_labels;
    for (int i = 0; i < VF_TERM_LABELS; i += 2)
        hash = vf_hash_of(hash) ^ ((uint64_t)chain->streams[i] << 32 | chain->streams[i + 1]);
    return vf_hash_of(hash);
}

static uint32_t add_key(const struct vf_chain *chain)
{
    vf_chains = vf_grow(vf_chains, &key_capacity, sizeof *vf_chains, n_keys);
    vf_chain_hashes = vf_grow(vf_chain_hashes, &key_hash_capacity, sizeof *vf_chain_hashes, n_keys);
    vf_chains[n_keys] = *chain;
    return n_keys++;
}

static uint32_t intern(const struct vf_chain *chain)
{
    uint32_t *at = vf_index_at(&keys, hash_of(chain), has_terms, chain);
    if (!*at) *at = add_key(chain);
    return *at;
}

/* Vertices that have very many sums find theirs in the table of all: those behind the last one that is
 * linked, which the vertex itself may still hold. 0: there is none. */
static uint32_t find_key(const struct vf_chain *chain, uint32_t vertex)
{
    uint32_t likely = vf_vertices[vertex].chain_key, net = vf_first_net(&vf_chain_nets, vertex);
    if (likely && has_terms(likely, chain)) return likely;
    for (int i = 0; net; i++, net = vf_chain_nets.net[net].more) {
        if (has_terms(vf_chain_nets.net[net].what, chain)) return vf_chain_nets.net[net].what;
        if (i + 2 == VF_LINKED) return intern(chain);
    }
    return 0;
}

/* The same term again changes nothing: whoever has it adds it up. */
static bool is_last(const struct vf_chain *chain, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (vf_sequences.labels[chain->streams[i]] != vf_values[labels[i]].vertex) return false;
    return true;
}

static uint32_t reopen(uint32_t chain)
{
    uint32_t opened = vf_chain_create(0);
    open_chains[opened] = vf_chains[chain & ~VF_FINISHED];
    return opened;
}

static struct vf_chain *prepare(uint32_t chain, uint32_t n)
{
    struct vf_chain *c = &open_chains[chain];
    open_hashes[chain] = 0;
    uint32_t had = c->op_and_labels & 0xff;
    if (had != n) {
        uint32_t op = c->op_and_labels >> 8;
        if (had) *c = (struct vf_chain){.before = intern(c)};
        c->op_and_labels = op << 8 | n;
    }
    return c;
}

static inline void add(struct vf_chain *c, uint32_t n, const uint32_t *labels)
{
    if (is_last(c, n, labels)) return;
    for (uint32_t i = 0; i < n; i++)
        c->streams[i] = vf_sequence_next(c->streams[i], vf_values[labels[i]].vertex);
}

uint32_t vf_chain_add(uint32_t chain, uint32_t n, const uint32_t *labels)
{
    if (chain & VF_FINISHED) chain = reopen(chain);
    add(prepare(chain, n), n, labels);
    return chain;
}

uint32_t vf_chain_fill(uint32_t chain, uint32_t n, uint32_t n_terms, const uint32_t *labels)
{
    if (chain & VF_FINISHED) chain = reopen(chain);
    struct vf_chain *c = prepare(chain, n);
    for (uint32_t i = 0; i < n_terms; i++) add(c, n, labels + (size_t)i * n);
    return chain;
}

void vf_chain_drop(uint32_t chain)
{
    open_chains[chain].before = first_free;
    first_free = chain;
}

uint32_t vf_chain_key(uint32_t chain, uint32_t vertex)
{
    if (chain & VF_FINISHED) return chain & ~VF_FINISHED;
    uint32_t key = find_key(&open_chains[chain], vertex);
    if (key) return key;
    key = add_key(&open_chains[chain]);
    vf_net_of(&vf_chain_nets, vertex, key);
    return key;
}

uint32_t vf_chain_close(uint32_t chain, uint32_t vertex)
{
    if (chain & VF_FINISHED) return chain & ~VF_FINISHED;
    uint32_t key = find_key(&open_chains[chain], vertex);
    if (!key) key = add_key(&open_chains[chain]);
    if (open_hashes[chain]) vf_chain_hashes[key] = open_hashes[chain];
    vf_chain_drop(chain);
    return key;
}
