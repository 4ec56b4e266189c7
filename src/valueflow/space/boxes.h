/*
 * Boxes of slots: an array in which each so many words are a cell of space with room for particles, say.
 * Words that are read together lie in the same box or in neighbouring ones, at any distance from each other
 * within these.
 */
#ifndef PARCAST_VALUEFLOW_BOXES_H
#define PARCAST_VALUEFLOW_BOXES_H

#include "valueflow/graph/graph.h"

struct once_boxes;

/** Extents in n dimensions, two to four, of an array of boxes: rows and planes of boxes, or the words of a
 * box as the last of them. False: it has none, not in so many dimensions, or memory has run out. Costs
 * O(homes + pins), once. */
bool boxes_extents(const parcast_values *values, uint32_t array, size_t n, parcast_extents *extents);
/** How many words a box of such an array is. */
uint64_t boxes_words(const parcast_values *values, uint32_t array);
void boxes_clear(struct once_boxes *boxes);

#endif
