/*
 * Names of values that have no word of their own, results of registers and instances of workspaces: what they
 * are computed from, so that a step like the last one finds their vertices again.
 */
#ifndef PARCAST_VALUEFLOW_NAME_H
#define PARCAST_VALUEFLOW_NAME_H

#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/steps/behaviour.h"
#include "valueflow/runtime/values/value.h"

#pragma GCC visibility push(hidden)

/** By value, of those that have such a name: how often its number was given to one, since numbers come back.
 * It begins anew after many, which is no matter: all that is asked is whether a number is the same value. */
extern uint16_t *vf_made;
extern size_t vf_made_capacity;
void vf_made_grow(void);
/** Nothing is named any more. */
void vf_names_close(void);

/** There are entries for all values. */
static inline void vf_made_reach(void)
{
    if (__builtin_expect(vf_n_values > vf_made_capacity, 0)) vf_made_grow();
}

/** The value is of a vertex that has such a name. */
static inline void vf_is_named(uint32_t id)
{
    vf_made_reach();
    vf_made[id]++;
}

/** A new version of a vertex that has such a name, held by nothing yet. */
static inline uint32_t vf_create_named(uint32_t vertex)
{
    uint32_t id = vf_value_create(vertex);
    vf_is_named(id);
    return id;
}

static inline uint64_t vf_mix(uint64_t hash, uint64_t more)
{
    return (hash ^ more) * 0xff51afd7ed558ccdull;
}

/** What labels look like at a glance: what they are values of, in their order, but not yet what each of these
 * is. Adds one. */
static inline uint64_t vf_add_sight(uint64_t sight, uint32_t label, uint32_t vertex)
{
    __builtin_prefetch(&vf_trie.labels[vf_values[label].state + 1]);
    return vf_mix(sight, vertex);
}

/** Neither 0 nor VF_THROUGH. */
static inline uint32_t vf_end_sight(uint64_t sight)
{
    return sight >> 32 > VF_THROUGH ? (uint32_t)(sight >> 32) : VF_THROUGH + 1;
}

static inline uint32_t vf_sight_of(uint32_t n, const uint32_t *labels)
{
    uint64_t sight = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t vertex = vf_values[labels[i]].vertex;
        if (__builtin_expect(vertex != VF_BUNDLE, 1)) {
            sight = vf_add_sight(sight, labels[i], vertex);
            continue;
        }
        const struct vf_bundle *bundle = vf_bundle_of(labels[i]);
        for (uint32_t j = 0; j < bundle->n; j++)
            sight = vf_add_sight(sight, bundle->labels[j], vf_values[bundle->labels[j]].vertex);
    }
    return vf_end_sight(sight);
}

/** How many versions of itself what a value comes from has seen; what has become another array's, as that
 * word has. */
static inline uint32_t vf_age_of(uint32_t vertex, const struct vf_kin *kin)
{
    if (kin->owner) return vf_vertices[kin->owner].versions;
    return kin->age ? kin->age - 1 : vf_vertices[vertex].versions;
}

/** It looks as it did last time. */
static inline uint32_t vf_grows_older(uint32_t vertex)
{
    uint32_t witness = vf_words[vertex].witness;
    vf_kin[vertex].age = vf_age_of(witness, &vf_kin[witness]) + 1;
    return vertex;
}

static inline uint64_t vf_begin_hash(uint64_t name)
{
    return (name + 1) * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t vf_add_hash(uint64_t hash, uint32_t home)
{
    hash = vf_mix(hash, home);
    return hash ^ hash >> 32;
}

/** The name of a value that is computed from these, the greatest age among them and the vertex of that. */
uint64_t vf_signature_of(uint64_t name, uint32_t n, const uint32_t *labels, uint32_t *age, uint32_t *oldest);
/** The vertex of a signature; a new one of the object if it has not been seen. */
uint32_t vf_find_named(uint64_t signature, uint32_t object);

#pragma GCC visibility pop

#endif
