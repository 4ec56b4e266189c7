/* The best that a loop finds, beginning with what a word holds. */
#ifndef PARCAST_INSTRUMENT_GUARDED_BEST_H
#define PARCAST_INSTRUMENT_GUARDED_BEST_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Does the comparison, where it is true or else where it is false, say that the value, the smallest or
 * largest of `first` and others, is better than that? Otherwise it is `first` itself then, to the bit. */
bool guarded_is_best_from(LLVMValueRef value, LLVMValueRef first, LLVMValueRef compare, bool when_true);

#endif
