/* Arrays of one shape of which some lie turned to others: what is transposed is cut along its other
 * dimension. Faces across one dimension have as many words as those across another one.
 */
#ifndef PARCAST_VALUEFLOW_TURNED_H
#define PARCAST_VALUEFLOW_TURNED_H

#include "valueflow/graph/graph.h"

struct once_turns;
struct once_faces;

/** How the arrays of its shape lie to an array, of which extents may be given. NULL: all as it does. It
 * belongs to the graph. */
const struct once_turns *turned_arrays(const parcast_values *values, uint32_t array,
                                       const parcast_extents *given);
/** Where a word of an array of the shape would be in the array; `turns` may be NULL. */
uint64_t turned_offset(const struct once_turns *turns, const struct graph_vertex *word);
/** Has any array been found that is turned, and may it be cut so? */
bool turned_any(const parcast_values *values);
void turned_clear(struct once_turns *turns);
/** Of arrays of as many words that have these extents in different orders, faces across one dimension and
 * another, the order of this one. */
void turned_faces(const parcast_values *values, uint32_t array, parcast_extents *extents);
void turned_clear_faces(struct once_faces *faces);
/** Extents of a plane of which another array of as many words holds the transposed one; false where none
 * does.
 */
bool turned_extents(const parcast_values *values, uint32_t array, parcast_extents *extents);

#endif
