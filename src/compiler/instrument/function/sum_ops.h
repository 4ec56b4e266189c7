/* What kind of reduction a sum in a register is. */
#ifndef PARCAST_INSTRUMENT_SUM_OPS_H
#define PARCAST_INSTRUMENT_SUM_OPS_H

#include "compiler/instrument/function/function.h"

/** Find the operation of all members: an enum fold_op. */
void sum_find_op(struct function *f, int sum);
/** Of the same loop: all that is one becomes part of the other. */
void sums_merge(struct function *f, int into, int from);
/** Is it what members of the sum choose instead of the sum's own content? */
bool sum_is_offered(const struct function *f, int sum, LLVMValueRef value);
/** Does a member only add or subtract, whichever of its operands are of the sum? */
bool sum_is_linear(LLVMValueRef value);

#endif
