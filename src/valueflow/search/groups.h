/* Which vertices of a large graph are one in the small one: those whose cells lie in the same blocks. */
#ifndef PARCAST_VALUEFLOW_GROUPS_H
#define PARCAST_VALUEFLOW_GROUPS_H

#include "valueflow/search/coarse.h"

/** group[n_vertices] from 0, and how many there are. Pieces stay apart, and so do blocks. False: out of
 * memory.
 */
bool groups_make(const parcast_values *values, const struct coarse *c, uint32_t *group, uint32_t *n);
/** Does most of what is computed between the words of an index space lie in a block with none of those that
 * it reads or that read it? Not where that is little. False: out of memory. */
bool groups_miss_words(const parcast_values *values, const struct coarse *c, bool *miss);
/** The blocks of the shapes in which the vertices of the small graph lie. False: out of memory. */
bool groups_place(const parcast_values *values, struct coarse *c);

#endif
