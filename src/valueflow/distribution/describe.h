/* A distribution as a person would say it. */
#ifndef PARCAST_VALUEFLOW_DESCRIBE_H
#define PARCAST_VALUEFLOW_DESCRIBE_H

#include "valueflow/graph/graph.h"

enum { DESCRIBE_NAME = 128 }; /* room for a name beside what else is said */

/**
 * What an array is called; of a longer name its beginning, dots, and its end, which has the place.
 *
 * @param text [size] for the longer ones
 */
const char *describe_name(const parcast_values *values, uint32_t array, char *text, size_t size);

/** The same of the array that a distribution of this one is told of. */
const char *describe_told(const parcast_values *values, uint32_t array, char *text, size_t size);

/** "4 x 4"; returns the length, as snprintf(). */
int describe_grid(const parcast_extents *grid, char *text, size_t size);

/** Append by how much the largest part is above the mean, where that is more than so much. */
#define DESCRIBE_EVEN_RATIO 0.03
void describe_unevenness(parcast_flow *flow);

/**
 * Append what the other large arrays do: "4 blocks of y (512); rows of A; x replicated".
 *
 * @param[in]     part      [n_vertices]
 * @param[in]     index     the array that the text speaks of already; GRAPH_NONE if of none
 * @param[in,out] text      [size] begins with the distribution of the index array
 */
parcast_status graph_describe(const parcast_values *values, const uint32_t *part, size_t n_parts,
                              uint32_t index, char *text, size_t size);

#endif
