/* Whether all of several sums hold, or any of them. */
#ifndef PARCAST_INSTRUMENT_TRUTH_TREES_H
#define PARCAST_INSTRUMENT_TRUTH_TREES_H

#include "compiler/instrument/function/function.h"

/** The operation, FOLD_AND or FOLD_OR, by which sums that a truth value asks for are put together; 0 where it
 * is of fewer than two, of `within`, or of anything else. */
int truth_tree(const struct function *f, LLVMValueRef value, int within);

#endif
