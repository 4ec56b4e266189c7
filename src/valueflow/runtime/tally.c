#include "valueflow/runtime/tally.h"

#include <math.h>
#include <string.h>

#include "valueflow/runtime/chain.h"
#include "valueflow/runtime/hash.h"
#include "valueflow/runtime/object.h"
#include "valueflow/runtime/region.h"
#include "valueflow/runtime/value.h"
#include "valueflow/runtime/vector.h"

struct count {
    double more; /* times counts */
    double base;
};

/* Most vertices have one net: it lies with the vertex, the others where the nets do. */
static struct word {
    struct count net, work;
    uint32_t state, chain; /* chain: its first one in the list below */
} *words;
static struct count *others; /* by number of a net */
static struct chain_count {
    struct count count;
    uint32_t vertex, key;
} *chains;
static size_t word_capacity, other_capacity, chain_capacity;
static uint32_t n_words, n_others, n_chains = 1;
static struct vf_hash chain_numbers = {.width = 2};
static long double flop_more, values_more, flop_base, values_base;
static bool is_finished;

struct cut {
    double times;
    bool is_base;
};

static void add(struct count *count, struct cut cut, double n)
{
    count->more += cut.times * n;
    if (cut.is_base) count->base += n;
}

static struct count *other(uint32_t net)
{
    others = vf_grow_exact(others, &other_capacity, sizeof *others, net);
    if (net >= n_others) n_others = net + 1;
    return &others[net];
}

static void add_net(uint32_t vertex, uint32_t state, struct cut cut, double n)
{
    struct word *word = &words[vertex];
    if (!word->state) word->state = state;
    add(word->state == state ? &word->net : other(vf_net_of(vertex, state)), cut, n);
}

static uint32_t new_chain(uint32_t vertex, uint32_t key)
{
    chains = vf_grow_exact(chains, &chain_capacity, sizeof *chains, n_chains);
    chains[n_chains] = (struct chain_count){.vertex = vertex, .key = key};
    return n_chains++;
}

/* The first one of a vertex is found by that; only further ones are in the hash. */
static uint32_t chain_number(uint32_t vertex, uint32_t key)
{
    uint32_t pair[2] = {vertex, key}, *at = vf_hash_at(&chain_numbers, pair);
    if (*at) return *at;
    vf_hash_added(&chain_numbers);
    return *at = new_chain(vertex, key);
}

static void add_chain(uint32_t vertex, uint32_t key, struct cut cut, double n)
{
    uint32_t *first = &words[vertex].chain;
    if (!*first) *first = new_chain(vertex, key);
    uint32_t number = chains[*first].key == key ? *first : chain_number(vertex, key);
    add(&chains[number].count, cut, n);
}

static void add_vertices(struct cut cut)
{
    n_words = vf_vertices_size();
    words = vf_grow_exact(words, &word_capacity, sizeof *words, n_words);
    for (uint32_t v = 1; v < n_words; v++) {
        const struct vf_vertex *vertex = &vf_vertices[v];
        if (vertex->net_count && vertex->net_state != VF_SEVERAL)
            add_net(v, vertex->net_state, cut, vertex->net_count);
        if (vertex->chain_count) add_chain(v, vertex->chain_key, cut, vertex->chain_count);
        if (vertex->work) add(&words[v].work, cut, vertex->work);
    }
}

static void add_nets(struct cut cut)
{
    for (uint32_t i = 1; i < vf_nets_size(); i++) {
        const struct vf_net *net = &vf_nets[i];
        if (!net->count) continue;
        bool is_first = words[net->vertex].state == net->state || !words[net->vertex].state;
        if (is_first)
            add_net(net->vertex, net->state, cut, net->count);
        else
            add(other(i), cut, net->count);
    }
    for (size_t i = 0; i < vf_chain_nets.capacity; i++) {
        const uint32_t *entry = vf_chain_nets.entries + 3 * i;
        if (entry[2]) add_chain(entry[0], entry[1], cut, entry[2]);
    }
}

/* As vf_value_finish() would count what is alive. */
static void add_alive(struct cut cut)
{
    for (uint32_t id = VF_CONSTANT + 1; id < vf_n_values; id++) {
        const struct vf_value *value = &vf_values[id];
        if (value->vertex == VF_BUNDLE) continue;
        if (value->state && (vf_vertices[value->vertex].net_state == value->state || !vf_is_unread(value)))
            add_net(value->vertex, value->state, cut, 1);
        if (!value->chain) continue;
        uint32_t key = vf_chain_key(value->chain, vf_vertices[value->vertex].chain_key);
        add_chain(value->vertex, key, cut, 1);
    }
}

void vf_tally_add(double times, bool is_base)
{
    struct cut cut = {times, is_base};
    add_vertices(cut);
    add_nets(cut);
    add_alive(cut);
    flop_more += (long double)times * vf_region_flop();
    values_more += (long double)times * vf_values_created();
    if (!is_base) return;
    flop_base = vf_region_flop();
    values_base = vf_values_created();
}

void vf_tally_multiply(double times)
{
    for (uint32_t v = 1; v < n_words; v++) {
        words[v].net.more *= times;
        words[v].work.more *= times;
    }
    for (uint32_t i = 1; i < n_others; i++) others[i].more *= times;
    for (uint32_t i = 1; i < n_chains; i++) chains[i].count.more *= times;
    flop_more *= times;
    values_more *= times;
}

/* ---- the whole run ---- */

/* A value that lived on and was read by more moved from one net of its vertex to another: no new version. */
static void lose(double *moved, struct count *count)
{
    if (count->more >= 0) return;
    *moved -= count->more;
    count->more = 0;
}

static void cancel(double *moved, struct count *count)
{
    double taken = count->more < *moved ? count->more : *moved;
    count->more -= taken;
    *moved -= taken;
}

static uint32_t whole(const struct count *count)
{
    double n = count->base + round(count->more);
    if (n > (double)UINT32_MAX) vf_stop("more than 2^32 values of one word; use fewer iterations");
    return (uint32_t)n;
}

static void finish_nets(double *moved)
{
    for (uint32_t v = 1; v < n_words; v++) lose(&moved[v], &words[v].net);
    for (uint32_t i = 1; i < n_others; i++) lose(&moved[vf_nets[i].vertex], &others[i]);
    for (uint32_t v = 1; v < n_words; v++) {
        cancel(&moved[v], &words[v].net);
        vf_vertices[v].net_state = words[v].state;
        vf_vertices[v].net_count = whole(&words[v].net);
    }
    uint32_t kept = 1;
    for (uint32_t i = 1; i < vf_nets_size(); i++) {
        struct vf_net net = vf_nets[i];
        struct count *count = other(i);
        cancel(&moved[net.vertex], count);
        net.count = whole(count);
        if (net.count) vf_nets[kept++] = net;
    }
    vf_nets_cut(kept);
}

static void finish_chains(double *moved)
{
    memset(vf_chain_nets.entries, 0, 3 * sizeof *vf_chain_nets.entries * vf_chain_nets.capacity);
    vf_chain_nets.n = 0;
    for (uint32_t v = 1; v < n_words; v++) vf_vertices[v].chain_count = 0;
    for (uint32_t i = 1; i < n_chains; i++) lose(&moved[chains[i].vertex], &chains[i].count);
    for (uint32_t i = 1; i < n_chains; i++) {
        const struct chain_count *chain = &chains[i];
        cancel(&moved[chain->vertex], &chains[i].count);
        uint32_t n = whole(&chain->count), key[2] = {chain->vertex, chain->key};
        if (!n) continue;
        if (words[chain->vertex].chain == i) {
            vf_vertices[chain->vertex].chain_key = chain->key;
            vf_vertices[chain->vertex].chain_count = n;
            continue;
        }
        *vf_hash_at(&vf_chain_nets, key) = n;
        vf_hash_added(&vf_chain_nets);
    }
}

void vf_tally_finish(void)
{
    size_t bytes = n_words * sizeof(double);
    double *moved = vf_map(bytes);
    finish_nets(moved);
    memset(moved, 0, bytes);
    finish_chains(moved);
    vf_unmap(moved, bytes);
    is_finished = true;
}

bool vf_tally_is_finished(void)
{
    return is_finished;
}

double vf_tally_work(uint32_t vertex)
{
    if (!is_finished) return vf_vertices[vertex].work;
    double work = words[vertex].work.base + words[vertex].work.more;
    return work > 0 ? work : 0;
}

static uint64_t whole_of(long double base, long double more)
{
    long double n = base + roundl(more);
    if (n >= 0x1p63L) vf_stop("more than 2^63 operations or values; use fewer iterations");
    return n > 0 ? (uint64_t)n : 0;
}

uint64_t vf_tally_flop(void)
{
    return is_finished ? whole_of(flop_base, flop_more) : vf_region_flop();
}

uint64_t vf_tally_values(void)
{
    return is_finished ? whole_of(values_base, values_more) : vf_values_created();
}
