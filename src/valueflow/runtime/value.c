/*
 * Values: created by a store, dead when the last word that holds them is overwritten or freed. A dead value's
 * net is counted with its vertex, and its number is used again, but late: a label may still be in a register.
 * The queue of free numbers is longer than any stretch of code without a loop or call; what lives across one
 * of those is held by the instrumented code (keep in call.c).
 */
#include "valueflow/runtime/value.h"

#include "valueflow/runtime/chain.h"
#include "valueflow/runtime/vector.h"

enum { QUARANTINE = 16384 };

struct vf_value *vf_values;
static size_t value_capacity;
static uint32_t n_values;
static uint64_t n_created;

static uint32_t *freed; /* ring */
static size_t freed_capacity, freed_first, n_freed;

struct vf_hash vf_nets = {.width = 2}, vf_chain_nets = {.width = 2};

void vf_values_open(void)
{
    vf_values = vf_grow(NULL, &value_capacity, sizeof *vf_values, 0);
    n_values = VF_CONSTANT + 1;
    freed_capacity = 4 * (size_t)QUARANTINE;
    freed = vf_map(freed_capacity * sizeof *freed);
}

uint32_t vf_values_size(void)
{
    return n_values;
}

uint64_t vf_values_created(void)
{
    return n_created;
}

static void free_later(uint32_t id)
{
    if (n_freed == freed_capacity) {
        uint32_t *bigger = vf_map(2 * freed_capacity * sizeof *freed);
        for (size_t i = 0; i < n_freed; i++) bigger[i] = freed[(freed_first + i) & (freed_capacity - 1)];
        freed = bigger; /* the old one stays mapped: it is small beside the values themselves */
        freed_first = 0;
        freed_capacity *= 2;
    }
    freed[(freed_first + n_freed++) & (freed_capacity - 1)] = id;
}

uint32_t vf_value_create(uint32_t vertex)
{
    uint32_t id;
    if (n_freed > QUARANTINE) {
        id = freed[freed_first];
        freed_first = (freed_first + 1) & (freed_capacity - 1);
        n_freed--;
    } else {
        if (n_values == VF_SPLIT) vf_stop("more than 2^32 values at a time; use a smaller problem");
        vf_values = vf_grow(vf_values, &value_capacity, sizeof *vf_values, n_values);
        id = n_values++;
    }
    vf_values[id] = (struct vf_value){.vertex = vertex};
    n_created++;
    return id;
}

static void count(struct vf_hash *hash, uint32_t vertex, uint32_t what, uint32_t n)
{
    uint32_t key[2] = {vertex, what}, *at = vf_hash_at(hash, key);
    if (!*at) vf_hash_added(hash);
    *at = *at + n < *at ? UINT32_MAX : *at + n;
}

void vf_value_finish(uint32_t id)
{
    const struct vf_value *value = &vf_values[id];
    struct vf_vertex *v = &vf_vertices[value->vertex];
    if (value->state) {
        if (v->net_state != value->state) {
            if (v->net_count) count(&vf_nets, value->vertex, v->net_state, v->net_count);
            v->net_state = value->state;
            v->net_count = 0;
        }
        v->net_count++;
    }
    if (value->chain) {
        uint32_t key = vf_chain_close(value->chain, v->chain_key);
        if (v->chain_key != key) {
            if (v->chain_count) count(&vf_chain_nets, value->vertex, v->chain_key, v->chain_count);
            v->chain_key = key;
            v->chain_count = 0;
        }
        v->chain_count++;
    }
}

void vf_value_dies(uint32_t id)
{
    vf_value_finish(id);
    vf_values[id].state = VF_ROOT;
    vf_values[id].chain = VF_NO_CHAIN;
    free_later(id);
}
