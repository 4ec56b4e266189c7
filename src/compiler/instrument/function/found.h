/* What stands at a place that was found by comparing what stands there. */
#ifndef PARCAST_INSTRUMENT_FOUND_H
#define PARCAST_INSTRUMENT_FOUND_H

#include "compiler/instrument/function/flow.h"

/** Is this node a load, with nothing stored to that array in between, of what a search that ended before it
 * has compared? Then it is computed from what the place is computed from. */
bool found_by_content(const struct function *f, int load);

#endif
