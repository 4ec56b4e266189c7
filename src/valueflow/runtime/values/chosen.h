/* Sums whose word was chosen by what the region computed: the nearest centroid, the cell that a particle
 * moved to. Who distributes the work before the region cannot know them. */
#ifndef PARCAST_VALUEFLOW_CHOSEN_H
#define PARCAST_VALUEFLOW_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

bool vf_is_chosen(uint32_t vertex);
#pragma GCC visibility pop

#endif
