/* Elements of a mesh whose words are computed from each other, as those of discontinuous finite elements are.
 */
#ifndef PARCAST_VALUEFLOW_CLOSED_H
#define PARCAST_VALUEFLOW_CLOSED_H

#include "valueflow/graph/graph.h"

/** How many words an element has in arrays of so many words: the most, at most GRID_MOST_FIELDS, of which
 * words up to half an element apart are read by each other within it, some of them a third of it apart and
 * more, and not from one element to the next. Rows of a mesh read neighbours only. 0: there are none. */
uint32_t closed_words(const parcast_values *values, uint64_t words);

#endif
