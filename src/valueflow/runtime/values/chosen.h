/* Sums whose word was chosen by what the region computed: the nearest centroid, the cell that a particle
 * moved to. Who distributes the work before the region cannot know them. */
#ifndef PARCAST_VALUEFLOW_CHOSEN_H
#define PARCAST_VALUEFLOW_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

bool vf_is_chosen(uint32_t vertex);

/** The word that the last term in memory went to, where that carried nothing, and its operation; NULL. */
extern struct vf_bare_term {
    const void *word;
    uint32_t op;
} vf_bare_term;
#pragma GCC visibility pop

#endif
