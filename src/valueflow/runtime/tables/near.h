/*
 * A hash whose entries lie where their user says. A program comes to the same ones again, step by step and in
 * the same order: entries that it comes to one after the other lie near each other, a few to a line of the
 * cache, where a hash (hash.h) would have each in a line and on a page of its own. What a line has no room
 * for is in a hash.
 */
#ifndef PARCAST_VALUEFLOW_NEAR_H
#define PARCAST_VALUEFLOW_NEAR_H

#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/tables/hash.h"

#pragma GCC visibility push(hidden)

struct vf_near_entry {
    uint32_t key[2], content; /* content 0: free */
};

struct vf_near {
    uint32_t (*place)(const struct vf_near_entry *entry); /* any number, the same for the same entry always */
    struct vf_near_line *lines; /* [n_lines], a power of two; NULL before the first */
    size_t n_lines, n;          /* n: entries in lines */
    size_t n_ahead; /* entries at which the pages of twice as many lines are asked for; 0: never */
    struct vf_hash far;
};
#define VF_NEAR(how) ((struct vf_near){.place = (how), .far = {.width = 2}})

/** The content of a key that belongs to this place; 0: it has none. */
uint32_t vf_near_find(struct vf_near *near, uint32_t place, uint32_t key, uint32_t more);
/** An entry gets this content, not 0. */
void vf_near_put(struct vf_near *near, const struct vf_near_entry *entry);
/** Nothing is looked up in it any more. */
void vf_near_empty(struct vf_near *near);

#pragma GCC visibility pop

#endif
