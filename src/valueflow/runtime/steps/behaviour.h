/*
 * What is seen of words that may be a workspace while they are undecided: whether they are coefficients,
 * which are computed from constants again and again, or are swept through other arrays.
 */
#ifndef PARCAST_VALUEFLOW_BEHAVIOUR_H
#define PARCAST_VALUEFLOW_BEHAVIOUR_H

#include "valueflow/runtime/blocks/workspace.h"

#pragma GCC visibility push(hidden)

enum {
    VF_MORE_OFTEN = 4,      /* than the sources its words are others: a workspace */
    VF_MUCH_MORE_OFTEN = 8, /* its blocks begin otherwise, it begins anew, is read by others: a workspace */
    VF_MANY_TIMES = 64,
};

/* What a value of a word is computed from, each source once, and what follows from these: all of vf_flatten,
 * vf_work_of and vf_instance in one way through the labels, which is most of what following a workspace
 * costs. */
struct vf_sources {
    uint32_t n, work, age;
    uint32_t oldest;   /* vertex of the age */
    uint32_t own;      /* vertex of the first one that is a value of the word itself, or 0 */
    bool is_undecided; /* is the word's array? */
    uint64_t hash;
    uint64_t by_words; /* the same where all that comes of undecided arrays comes of their words */
    uint32_t labels[VF_MOST_FLAT];
};

/* One more than the group of a word, or of those that a result was computed from: VF_SEVERAL_GROUPS, or 0
 * where there are none. Arrays of the program are in group 0. */
static inline uint32_t vf_group_behind(uint32_t vertex)
{
    const struct vf_kin *kin = &vf_kin[vertex];
    return kin->age && !kin->base ? vf_words[vertex].changes : kin->group + 1;
}

/* The word that an instance is a version of in names, since it was copied into it; 0: none. What may turn out
 * to be an array of the program is called by its own word, or it would be called otherwise before it was
 * copied than afterwards, and what is computed from it, too, in every step. */
static inline uint32_t vf_owner_in_names(const struct vf_kin *kin)
{
    if (!kin->owner) return 0;
    const struct vf_group *group = &vf_groups[kin->group];
    bool may_be_own = kin->base && group->state == VF_UNDECIDED && group->kind != VF_FRAME;
    return may_be_own ? 0 : kin->owner;
}

/* What a vertex counts as in names: instances that may turn out to be their word do so already. */
static inline uint32_t vf_home_of(uint32_t vertex, const struct vf_kin *kin)
{
    uint32_t owner = vf_owner_in_names(kin);
    if (owner) return owner;
    return kin->base && vf_groups[kin->group].state != VF_WORKSPACE ? kin->base : vertex;
}

/* What names a source of a value of an undecided array, if it is a value of one, too: what that was computed
 * from, as far as words tell. Lines that are solved one after the other pass through the same words, but come
 * of others. */
static inline uint32_t vf_name_in_undecided(uint32_t vertex, uint32_t home)
{
    const struct vf_kin *kin = &vf_kin[vertex];
    bool is_undecided = home == kin->base && vf_groups[kin->group].state == VF_UNDECIDED;
    return is_undecided ? vf_words[vertex].witness : home;
}

/** The name of a sum in a word of an undecided array. */
uint64_t vf_sum_in_undecided(uint64_t name, uint32_t n, const uint32_t *labels);

/* A value of the word that has become another array's is nothing that goes on here. */
static inline bool vf_is_of(uint32_t vertex, const struct vf_kin *kin, uint32_t base)
{
    return (kin->base ? kin->base : vertex) == base && !kin->owner;
}

/** How far from constants a value is that comes of nothing else, from 1 on; 0: it comes of something. */
uint32_t vf_steps_from_constants(const struct vf_sources *sources);
/** The group becomes a workspace where its words come of constants alone, each as far from them as before. */
void vf_look_for_coefficients(uint32_t base, struct vf_group *group, const struct vf_sources *sources);
/** Does the word go on from its own value past words of other arrays? */
bool vf_passes(uint32_t base, const struct vf_sources *sources);
/** The group becomes a workspace where what has begun anew passes by as before. */
void vf_look_for_sweeps(uint32_t base, uint32_t instance, struct vf_group *group);

#pragma GCC visibility pop

#endif
