/* A distribution as a person would say it. */
#ifndef PARCAST_VALUEFLOW_DESCRIBE_H
#define PARCAST_VALUEFLOW_DESCRIBE_H

#include "valueflow/graph.h"

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
