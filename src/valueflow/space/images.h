/*
 * Images of words at the end of an array: ghost atoms that are kept behind the others, the boxes of a halo
 * behind those of the domain. Each is computed from one word of the array, moved by a period, say, and lies
 * where that does.
 */
#ifndef PARCAST_VALUEFLOW_IMAGES_H
#define PARCAST_VALUEFLOW_IMAGES_H

#include "valueflow/graph/graph.h"

struct once_images;

/** For every word of the array, or of one of its shape, the one that it is an image of, itself for those
 * that are none, GRAPH_NONE for what is neither at the end: image[words], which belongs to the graph, NULL
 * where there are none. Costs O(homes + pins), once. False: out of memory. */
bool images_find(const parcast_values *values, uint32_t array, const uint32_t **image);
/** The words before them: all where there are none. */
uint64_t images_front(const parcast_values *values, uint32_t array);
void images_clear(struct once_images *images);

#endif
