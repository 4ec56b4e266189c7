/* Numbers as multiples of others: terms of terms, and what is more than that. */
#ifndef PARCAST_INSTRUMENT_LINEAR_H
#define PARCAST_INSTRUMENT_LINEAR_H

#include "compiler/instrument/function/flow.h"

/** a * b + c in one instruction; its two operations are counted with it. */
bool linear_is_fused(LLVMValueRef value);
bool linear_is_addition(LLVMValueRef value);
/** Of the additions one that takes a multiple of its second operand. */
bool linear_is_difference(LLVMValueRef value);
/** What a number is a multiple of, by a factor that carries nothing: `0.5 * (x + y)` is two terms. NULL. */
LLVMValueRef linear_multiple_of(const struct function *f, int node);
/** Is the multiple by a number that the program tells and that is larger than 0? */
bool linear_keeps_order(LLVMValueRef multiple);
/** Is a term, or the product of both factors of one, more than a value as it stands or multiples of such put
 * together: a power of one, say, or its root? `is_of_one`: all of it comes of one leaf. */
bool linear_is_power(const struct function *f, const struct use *factors, int n, bool is_of_one);

#endif
