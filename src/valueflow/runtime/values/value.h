#ifndef PARCAST_VALUEFLOW_VALUE_H
#define PARCAST_VALUEFLOW_VALUE_H

#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/values/nets.h"

#pragma GCC visibility push(hidden)

enum {
    VF_QUARANTINE = 2048,            /* numbers that become free before one that did comes back */
    VF_SAFE_AGE = VF_QUARANTINE / 2, /* until so many did, a label in a register needs no hold */
    VF_AHEAD = 8,                    /* values ahead of which memory is asked for */
    VF_FAR_AHEAD = 16,
};

/** Numbers that are free: the last ones that became so wait in a ring, those before are on a stack, so that
 * what is used again was in use not long ago and is still in the cache. */
struct vf_freed {
    uint32_t waiting[VF_QUARANTINE];
    uint64_t last;  /* how many became free since the start */
    uint64_t taken; /* values created of numbers used again */
    uint32_t *ready;
    size_t n_ready, capacity;
};
extern struct vf_freed vf_freed;
extern uint32_t vf_n_values; /* numbers that have ever been used */

/** Values created since the start: of numbers used again, and of new ones. */
static inline uint64_t vf_values_created(void)
{
    return vf_freed.taken + vf_n_values - (VF_CONSTANT + 1);
}

void vf_values_open(void);
/** All values are finished. */
void vf_values_close(void);
uint32_t vf_value_add(void); /* a number that has never been used */
void vf_freed_grow(void);
/** Sums in registers hold their young labels: hook_sum.c. */
void vf_sums_hold(void);
void vf_net_slow(struct vf_vertex *v, uint32_t vertex, uint32_t state);
void vf_chain_net(uint32_t vertex, uint32_t chain);

/** The number of a bundle that is free. */
uint32_t vf_bundle_take(void);
void vf_bundle_dies(uint32_t id);

/** Count the pins and the chain of a value as one more version of its vertex. */
static inline void vf_value_finish(uint32_t id)
{
    const struct vf_value *value = &vf_values[id];
    if (__builtin_expect(value->vertex == VF_BUNDLE, 0)) {
        vf_bundle_dies(id);
        return;
    }
    if (value->state) {
        struct vf_vertex *v = &vf_vertices[value->vertex];
        if (__builtin_expect(v->net_state == value->state, 1))
            v->net_count++;
        else if (!vf_is_unread(value))
            vf_net_slow(v, value->vertex, value->state);
    }
    if (value->chain) vf_chain_net(value->vertex, value->chain);
}

/** What the numbers that are taken next meant is in memory far apart where many became free at once: ask for
 * it early, first the values and then what they lead to. */
static inline void vf_freed_ahead(void)
{
    const uint32_t *top = vf_freed.ready + vf_freed.n_ready; /* of zeros at the lower end */
    __builtin_prefetch(&vf_values[top[-VF_FAR_AHEAD]], 1);
    const struct vf_value *near = &vf_values[top[-VF_AHEAD]];
    const void *next = near->vertex == VF_BUNDLE ? (const void *)&vf_bundles[near->chain]
                                                 : (const void *)&vf_vertices[near->vertex];
    __builtin_prefetch(next, 1);
}

/** A number for a value. */
static inline uint32_t vf_value_take(void)
{
    vf_freed_ahead();
    while (__builtin_expect(vf_freed.n_ready > VF_FAR_AHEAD, 1)) {
        uint32_t id = vf_freed.ready[--vf_freed.n_ready];
        if (__builtin_expect(vf_values[id].references == VF_QUEUED, 1)) {
            vf_freed.taken++;
            vf_value_finish(id);
            return id;
        }
        vf_values[id].references &= ~VF_QUEUED; /* it was stored again since it is ready */
    }
    return vf_value_add();
}

/** A new version of a vertex, held by nothing yet. */
static inline uint32_t vf_value_create(uint32_t vertex)
{
    uint32_t id = vf_value_take();
    vf_values[id] = (struct vf_value){.vertex = vertex, .state = vf_vertices[vertex].way};
    vf_vertices[vertex].versions++;
    return id;
}

/** The same, held by one place. */
static inline uint32_t vf_value_create_held(uint32_t vertex)
{
    uint32_t id = vf_value_take();
    vf_values[id] = (struct vf_value){.vertex = vertex, .state = vf_vertices[vertex].way, .references = 1};
    vf_vertices[vertex].versions++;
    return id;
}

/** The last place that held it is gone. Labels of it may still be in registers, so that it can be read, and
 * even be stored again, while it waits to be used again. */
static inline void vf_value_waits(uint32_t id)
{
    vf_values[id].references = VF_QUEUED;
    if (__builtin_expect(!(vf_freed.last & (VF_SAFE_AGE - 1)), 0)) vf_sums_hold();
    __builtin_prefetch(&vf_values[vf_freed.waiting[(vf_freed.last + VF_AHEAD) & (VF_QUARANTINE - 1)]], 1);
    uint32_t *slot = &vf_freed.waiting[vf_freed.last++ & (VF_QUARANTINE - 1)], ready = *slot;
    *slot = id;
    /* Stored again from a register; or nothing, while the ring is not full. */
    if (__builtin_expect(vf_values[ready].references != VF_QUEUED, 0)) {
        vf_values[ready].references &= ~VF_QUEUED;
        return;
    }
    if (__builtin_expect(vf_freed.n_ready >= vf_freed.capacity, 0)) vf_freed_grow();
    vf_freed.ready[vf_freed.n_ready++] = ready;
}

static inline void vf_hold(uint32_t id)
{
    vf_values[id].references++;
}

static inline void vf_release(uint32_t id)
{
    if (vf_carries(id) && --vf_values[id].references == 0) vf_value_waits(id);
}

/** A register holds it beyond the time that its number is safe anyway. */
static inline void vf_hold_register(uint32_t id)
{
    if (vf_carries(id)) vf_values[id].references += VF_REGISTER;
}

static inline void vf_release_register(uint32_t id)
{
    if (vf_carries(id) && (vf_values[id].references -= VF_REGISTER) == 0) vf_value_waits(id);
}
#pragma GCC visibility pop

#endif
