/*
 * Values: created by a store, dead when the last word that holds them is overwritten or freed. A dead value's
 * number is used again, but late, and its net is counted then: a label may still be in a register.
 * The ring of numbers that wait is longer than what ends in a short stretch of code; what a register holds
 * beyond one, or across a branch or call, is held by the instrumented code (keep in call.c). Behind it they
 * are used again in the order in which a stack gives them, so that what they named is still in the cache.
 */
#include "valueflow/runtime/values/value.h"

#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/parts.h"

struct vf_value *vf_values;
struct vf_bundle *vf_bundles;
struct vf_freed vf_freed;
static size_t value_capacity, bundle_capacity;
static uint32_t n_bundles = 1, first_free_bundle; /* free ones are linked through their first label */
uint32_t vf_n_values;

void vf_values_open(void)
{
    vf_values = vf_grow(NULL, &value_capacity, sizeof *vf_values, 0);
    vf_bundles = vf_grow(NULL, &bundle_capacity, sizeof *vf_bundles, 0);
    vf_n_values = VF_CONSTANT + 1;
    vf_freed_grow();
    vf_freed.n_ready = VF_FAR_AHEAD;
}

void vf_values_close(void)
{
    vf_empty(vf_values, value_capacity * sizeof *vf_values);
    vf_empty(vf_bundles, bundle_capacity * sizeof *vf_bundles);
    vf_empty(vf_freed.ready, vf_freed.capacity * sizeof *vf_freed.ready);
}

uint32_t vf_value_add(void)
{
    if (vf_n_values == VF_SPLIT) vf_stop("more than 2^32 values at a time; use a smaller problem");
    vf_values = vf_grow(vf_values, &value_capacity, sizeof *vf_values, vf_n_values);
    return vf_n_values++;
}

static __attribute__((noinline)) void pin_bundle(uint32_t id, uint32_t vertex, uint32_t flag)
{
    if (vf_bundle_of(id)->word == VF_READ_IN && !flag) {
        vf_settle(id, vf_value_create(vertex));
        return;
    }
    struct vf_bundle *bundle = vf_bundle_of(id);
    if (bundle->parts) {
        vf_parts_pin(bundle, vertex, flag);
        return;
    }
    for (uint32_t i = 0; i < bundle->n; i++) vf_pin(bundle->labels[i], vertex, flag);
    vf_add_work(vertex, vf_work_read(bundle));
}

/* Once more the one before. */
static inline bool is_pinned(const struct vf_value *value, uint32_t sink)
{
    uint32_t behind = vf_trie.labels[value->state] - sink;
    return behind == 0 || behind == vf_shift(value->vertex);
}

void vf_pin_slow(uint32_t id, uint32_t vertex, uint32_t flag)
{
    if (!vf_carries(id)) return;
    struct vf_value *value = &vf_values[id];
    if (__builtin_expect(value->vertex == VF_BUNDLE, 0))
        pin_bundle(id, vertex, flag);
    else if (!is_pinned(value, vertex | flag))
        value->state = vf_trie_next(value->state, vertex | flag, value->vertex);
}

void vf_bundle_dies(uint32_t id)
{
    uint32_t number = vf_values[id].chain;
    struct vf_bundle *bundle = &vf_bundles[number];
    for (uint32_t i = 0; i < bundle->n; i++) vf_release(bundle->labels[i]);
    if (bundle->parts) vf_parts_die(bundle->parts);
    bundle->labels[0] = first_free_bundle;
    first_free_bundle = number;
}

uint32_t vf_bundle_take(void)
{
    uint32_t number = first_free_bundle;
    if (number) {
        first_free_bundle = vf_bundles[number].labels[0];
        return number;
    }
    vf_bundles = vf_grow(vf_bundles, &bundle_capacity, sizeof *vf_bundles, n_bundles);
    return n_bundles++;
}

void vf_freed_grow(void)
{
    vf_freed.ready = vf_grow(vf_freed.ready, &vf_freed.capacity, sizeof *vf_freed.ready, vf_freed.n_ready);
}

/* ---- nets ---- */

/* The vertex has a second net: both go to the table. */
static void begin_nets(struct vf_vertex *v, uint32_t vertex)
{
    uint32_t first = vf_net_of(&vf_nets, vertex, v->net_state);
    vf_nets.net[first].count = v->net_count;
    v->net_state = VF_SEVERAL;
    v->net_count = first;
}

/* Another net than the last one. Where nets take turns the next one is known. */
void vf_net_slow(struct vf_vertex *v, uint32_t vertex, uint32_t state)
{
    if (!v->net_count) {
        v->net_state = state;
        v->net_count = 1;
        return;
    }
    if (v->net_state != VF_SEVERAL) begin_nets(v, vertex);
    uint32_t net = v->net_count;
    if (vf_nets.net[net].what != state) {
        uint32_t next = vf_nets.net[net].next;
        if (!next || vf_nets.net[next].what != state) {
            next = vf_net_of(&vf_nets, vertex, state);
            vf_nets.net[net].next = next;
        }
        v->net_count = net = next;
    }
    if (vf_nets.net[net].count < UINT32_MAX) vf_nets.net[net].count++;
}

/* ---- sums ---- */

void vf_chain_net(uint32_t vertex, uint32_t chain)
{
    struct vf_vertex *v = &vf_vertices[vertex];
    uint32_t key = vf_chain_close(chain, vertex);
    if (v->chain_key != key) {
        if (v->chain_count) {
            uint32_t net = vf_net_of(&vf_chain_nets, vertex, v->chain_key),
                     *n = &vf_chain_nets.net[net].count;
            if (__builtin_add_overflow(*n, v->chain_count, n)) *n = UINT32_MAX;
        }
        v->chain_key = key;
        v->chain_count = 0;
    }
    v->chain_count++;
}
