/*
 * Results that are computed again from the same values, as the flux through a face is by the cells on both
 * sides of it: each time it may be for another reader, who may be anywhere. So the second one is a vertex of
 * its own, and so is the third; all of them come again in the next step.
 *
 * Where what they come of never changes, as what is computed from coordinates, it is a new step when many
 * words have been computed a second time since.
 */
#ifndef PARCAST_VALUEFLOW_AGAIN_H
#define PARCAST_VALUEFLOW_AGAIN_H

#include "valueflow/runtime/blocks/workspace.h"

#pragma GCC visibility push(hidden)

#define VF_REPEATED 0x80000000u /* flag of `when`: it is the number of a repeat */

/** By vertex, of results: which values it was computed from last, and when. A table of its own: few vertices
 * have it. */
struct vf_latest {
    uint32_t stamp, when;
};
extern struct vf_latest *vf_latest;
/** Vertices were made: there must be entries for them. */
void vf_again_reach(uint32_t n_vertices);

/** A result that was computed again, and each of those that this made. From 1. */
struct vf_repeat {
    uint32_t first, number; /* which it is; how many were before, 0 of the first one */
    uint32_t since, last;   /* when it was computed last; of a first one: and any of the others */
    uint32_t times, most;   /* of a first one: how many were before the last, the most ever */
};
extern struct vf_repeat *vf_repeats;

/** Stores to words that had a value before: the clock of all this. */
extern uint32_t vf_computed_again;
/** A word that owns what it holds is about to be computed. */
static inline void vf_ticks(uint32_t vertex)
{
    vf_computed_again += vf_vertices[vertex].versions != 0;
}
/** The same of a word that may be a workspace. */
static inline void vf_ticks_flagged(const struct vf_cell *cell)
{
    vf_computed_again += vf_carries(cell->value) && !vf_in_workspace(cell);
}
/** An iteration of the program's steps has ended: what is computed now is computed in another one, however
 * few words are stored. */
void vf_again_step(void);
/** Vertices of results and instances, with those that will be. */
extern uint32_t vf_n_results;

/** Of a vertex that is `first` or one of those that were computed again: the first. */
static inline uint32_t vf_first_of(uint32_t vertex)
{
    uint32_t when = vf_latest[vertex].when;
    return when & VF_REPEATED ? vf_repeats[when & ~VF_REPEATED].first : vertex;
}

/** How many were before this one: 0 of a first one. */
static inline uint32_t vf_number_of(uint32_t vertex)
{
    uint32_t when = vf_latest[vertex].when;
    return when & VF_REPEATED ? vf_repeats[when & ~VF_REPEATED].number : 0;
}

/** A vertex is computed that comes after so many. */
void vf_is_again(uint32_t vertex, uint32_t first, uint32_t number);
uint32_t vf_times_slow(uint32_t first, uint32_t expected, uint32_t stamp);

/** How often the first vertex of a name has been computed from just these values before, as far as each time
 * may have a vertex of its own. Most are computed from other values than last time, and from these once.
 * `expected`: which of them is computed here where all is as in the last step, or 0. */
static inline uint32_t vf_times_before(uint32_t first, uint32_t expected, uint32_t stamp)
{
    struct vf_latest *latest = &vf_latest[first];
    if (latest->stamp == stamp || latest->when & VF_REPEATED) return vf_times_slow(first, expected, stamp);
    *latest = (struct vf_latest){stamp, vf_computed_again & ~VF_REPEATED};
    return 0;
}

#pragma GCC visibility pop

#endif
