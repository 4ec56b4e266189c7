/* Several arrays that a program keeps in one block of memory, each of which a variable or a parameter leads
 * to: `double *u = pool, *w = u + n;`. */
#ifndef PARCAST_VALUEFLOW_PIECES_H
#define PARCAST_VALUEFLOW_PIECES_H

#include "valueflow/graph/build.h"

/** Part objects where the file says that pieces may begin, and the values do not contradict it: each piece
 * becomes an object, which is called as the variable. Before arrays are made; uses the places of vertices.
 * Costs O(homes + pins), of a large graph for some of its words. */
parcast_status pieces_part(struct build *b);

#endif
