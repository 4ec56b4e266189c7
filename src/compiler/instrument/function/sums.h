/* Reductions in registers: values that feed themselves around a loop, and where their content goes. */
#ifndef PARCAST_INSTRUMENT_SUMS_H
#define PARCAST_INSTRUMENT_SUMS_H

#include "compiler/instrument/function/function.h"

/** Find them: sets node.sum, node.direct and function.sums. */
void sums_find(struct function *f);
/** Is it outside the loop where the content of a sum arrives, with others possibly, or is added to? */
bool sums_arrive(const struct function *f, int node);

#endif
