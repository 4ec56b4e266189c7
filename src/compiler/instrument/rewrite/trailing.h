/* Terms of sums in registers that are added behind their loops. */
#ifndef PARCAST_INSTRUMENT_TRAILING_H
#define PARCAST_INSTRUMENT_TRAILING_H

#include "compiler/instrument/function/function.h"

/** Where a phi or a select joins the content of a sum with what some ways added to it, take it and these
 * additions into the sum. */
bool trailing_extend(struct function *f, int choice);
/** The same for a value that adds to a sum's content, if nobody else uses that. */
bool trailing_add(struct function *f, int node);

#endif
