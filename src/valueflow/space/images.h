/*
 * Images of words at the end of an array: ghost atoms that are kept behind the others, the boxes of a halo
 * behind those of the domain. Each is computed from one word of the array, moved by a period, say, and lies
 * where that does.
 */
#ifndef PARCAST_VALUEFLOW_IMAGES_H
#define PARCAST_VALUEFLOW_IMAGES_H

#include "valueflow/graph/graph.h"

/** For every word of the array, or of one of its shape, the one that it is an image of, itself for those
 * that are none, GRAPH_NONE for what is neither at the end: image[words] is to be freed, NULL where there are
 * none. Costs O(homes + pins). False: out of memory. */
bool images_find(const parcast_values *values, uint32_t array, uint32_t **image);

#endif
