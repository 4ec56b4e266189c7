/* Terms of sums in registers that are added behind their loops. */
#ifndef PARCAST_INSTRUMENT_TRAILING_H
#define PARCAST_INSTRUMENT_TRAILING_H

#include "compiler/instrument/function/function.h"

/** Where a phi or a select joins the content of a sum with what some ways added to it, take it and these
 * additions into the sum. */
bool trailing_extend(struct function *f, int choice);
/** The same for a value that adds to a sum's content, if nobody else uses that. */
bool trailing_add(struct function *f, int node);
/** A multiple of a sum's content that is only added to something, likewise: it is a sum of multiples. */
bool trailing_multiply(struct function *f, int node);
/** Is the content of another sum, or a multiple of it, added to this member's sum there, and nothing else? */
bool trailing_is_joined(const struct function *f, int node, int content);
/** Do all ways from this content of a sum to one place but add to it? Then they belong to the sum. */
bool trailing_meet(struct function *f, int content);

#endif
