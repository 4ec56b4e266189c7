/* The place of every vertex in spaces of cells: their own cells for words of the array, the middle of what it
 * reads and of what reads it for everything else. */
#ifndef PARCAST_VALUEFLOW_EMBED_H
#define PARCAST_VALUEFLOW_EMBED_H

#include "valueflow/space/space.h"

/** Fills `cell` and `fixed` of n spaces of one array. Costs O(homes + pins) a round, at most 72 rounds. False
 * when memory is out. */
bool space_embed(const parcast_values *values, struct space *spaces, size_t n);

#endif
