#include "valueflow/runtime/blocks/name.h"

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/steps/again.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"

uint16_t *vf_made;
size_t vf_made_capacity;
static struct vf_index by_signature = VF_INDEX;

void vf_made_grow(void)
{
    vf_made = vf_grow_sparse(vf_made, &vf_made_capacity, sizeof *vf_made, vf_n_values);
}

void vf_names_close(void)
{
    vf_hash_empty(&by_signature.hash);
    vf_empty(vf_made, vf_made_capacity * sizeof *vf_made);
}

static uint64_t sign(uint64_t hash, uint32_t n, const uint32_t *labels, uint32_t *age, uint32_t *oldest)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t vertex = vf_values[labels[i]].vertex;
        if (vertex == VF_BUNDLE) {
            hash = sign(hash, vf_bundle_of(labels[i])->n, vf_bundle_of(labels[i])->labels, age, oldest);
        } else if (vf_carries(labels[i])) {
            const struct vf_kin *kin = &vf_kin[vertex];
            uint32_t one = vf_age_of(vertex, kin);
            if (one > *age) *age = one, *oldest = vertex;
            hash = vf_add_hash(hash, vf_home_of(vertex, kin));
        }
    }
    return hash;
}

uint64_t vf_signature_of(uint64_t name, uint32_t n, const uint32_t *labels, uint32_t *age, uint32_t *oldest)
{
    *age = *oldest = 0;
    uint64_t hash = sign(vf_begin_hash(name), n, labels, age, oldest);
    return hash ? hash : 1;
}

static bool has_signature(uint32_t vertex, const void *signature)
{
    return vf_words[vertex].signature == *(const uint64_t *)signature;
}

uint32_t vf_find_named(uint64_t signature, uint32_t object)
{
    uint32_t *at = vf_index_at(&by_signature, vf_hash_of(signature), has_signature, &signature);
    if (!*at) {
        uint32_t n = vf_vertices_size(), made = vf_object_next_result(object);
        vf_n_results += vf_vertices_size() - n;
        vf_words[made].signature = signature;
        vf_words_name(made);
        *at = made;
    }
    return *at;
}

/* The group of all of them, or VF_SEVERAL_GROUPS. */
static uint32_t groups_of(uint32_t n, const uint32_t *labels, uint32_t group)
{
    for (uint32_t i = 0; i < n && group != VF_SEVERAL_GROUPS; i++) {
        uint32_t vertex = vf_values[labels[i]].vertex, one;
        if (!vf_carries(labels[i])) continue;
        if (vertex == VF_BUNDLE)
            group = groups_of(vf_bundle_of(labels[i])->n, vf_bundle_of(labels[i])->labels, group);
        else if ((one = vf_group_behind(vertex)) && one != group)
            group = group ? VF_SEVERAL_GROUPS : one;
    }
    return group;
}

/* The first vertex of a name; what it looks like is noted. */
static uint32_t find_first(uint64_t name, uint32_t object, uint32_t expected, uint32_t sight, uint32_t n,
                           const uint32_t *labels)
{
    uint32_t age, oldest, first = vf_first_of(expected);
    uint64_t signature = vf_signature_of(name << 1 | 1, n, labels, &age, &oldest);
    vf_index_ahead(&by_signature, vf_hash_of(signature));
    uint32_t group = groups_of(n, labels, 0);
    if (!first || vf_words[first].signature != signature) first = vf_find_named(signature, object);
    vf_words[first].sight = sight;
    vf_words[first].witness = oldest;
    vf_words[first].changes = group;
    return first;
}

uint32_t vf_named_vertex(uint64_t name, uint32_t object, uint32_t before, uint32_t n, const uint32_t *labels)
{
    uint32_t sight = vf_sight_of(n, labels);
    if (before && vf_words[before].sight == sight) return vf_grows_older(before);
    uint32_t vertex = before ? vf_words[before].last : 0;
    if (!vertex || vf_words[vertex].sight != sight) {
        vertex = find_first(name, object, vertex, sight, n, labels);
        if (before) vf_words[before].last = vertex;
    }
    return vf_grows_older(vertex);
}

/* What labels look like, and which values of these they are. */
struct look {
    uint64_t sight, stamp;
};

static inline void add_look(struct look *look, uint32_t label)
{
    look->sight = vf_add_sight(look->sight, label, vf_values[label].vertex);
    look->stamp = vf_mix(look->stamp, (uint64_t)vf_made[label] << 32 | label);
}

static inline struct look look_at(uint32_t n, const uint32_t *labels)
{
    struct look look = {n, n};
    vf_made_reach();
    for (uint32_t i = 0; i < n; i++) {
        if (__builtin_expect(!vf_is_bundle(labels[i]), 1)) {
            add_look(&look, labels[i]);
            continue;
        }
        const struct vf_bundle *bundle = vf_bundle_of(labels[i]);
        for (uint32_t j = 0; j < bundle->n; j++) add_look(&look, bundle->labels[j]);
    }
    return look;
}

/* The vertex of one that was computed so often before from the same values; `like` looks the same. */
static uint32_t find_again(uint32_t first, uint32_t number, uint32_t object, uint32_t like)
{
    uint32_t vertex = first;
    if (number) vertex = vf_find_named(vf_add_hash(vf_words[first].signature, number), object);
    vf_words[vertex].sight = vf_words[like].sight;
    vf_words[vertex].witness = vf_words[like].witness;
    vf_words[vertex].changes = vf_words[like].changes;
    return vertex;
}

uint32_t vf_vertex_again(uint64_t name, uint32_t object, uint32_t before, uint32_t n, const uint32_t *labels)
{
    uint32_t expected = before ? vf_words[before].last : 0, vertex = expected;
    struct look look = look_at(n, labels);
    uint32_t sight = vf_end_sight(look.sight), stamp = (uint32_t)(look.stamp >> 32);
    bool is_expected = expected && vf_words[expected].sight == sight;
    if (!is_expected) vertex = find_first(name, object, expected, sight, n, labels);
    uint32_t first = vf_first_of(vertex), number = vf_times_before(first, is_expected ? vertex : 0, stamp);
    if (number != vf_number_of(vertex)) vertex = find_again(first, number, object, vertex);
    if (number) vf_is_again(vertex, first, number);
    if (before && vertex != expected) vf_words[before].last = vertex;
    return vf_grows_older(vertex);
}
