/* Other shapes that the work might be divided by: the elements of a mesh, say, where its nodes are more. */
#ifndef PARCAST_VALUEFLOW_BESIDE_H
#define PARCAST_VALUEFLOW_BESIDE_H

#include "valueflow/graph/graph.h"

/** Has one of the arrays so many words? */
bool beside_has_shape(const parcast_values *values, const uint32_t *arrays, size_t n, uint64_t words);
/** Of the arrays of that shape, none of these arrays', that most work lies with the one with most written
 * words; GRAPH_NONE: none has more than the least, or memory has run out. */
uint32_t beside_heaviest(const parcast_values *values, const uint32_t *arrays, size_t n, double least);
/** Where none of the arrays is a plane, the heaviest that is: the cells, beside nodes and sides in lists.
 * GRAPH_NONE: there is none, or one of them is. */
uint32_t beside_plane(const parcast_values *values, const uint32_t *arrays, size_t n, double least);

#endif
