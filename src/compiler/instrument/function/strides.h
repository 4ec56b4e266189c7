/*
 * Structures without a type: `f[20 * (x + y * n) + e]`, or an index that goes on by 20 words in each turn. Of
 * an address it is told which number of bytes all that is variable in it is a multiple of.
 */
#ifndef PARCAST_INSTRUMENT_STRIDES_H
#define PARCAST_INSTRUMENT_STRIDES_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/** The largest number that divides what is not constant in the steps from `base` to `pointer`; 1 where none
 * is known, 0 where nothing is variable. @param[out] offset the constants in bytes */
unsigned long long stride_bytes(LLVMTargetDataRef layout, LLVMValueRef base, LLVMValueRef pointer,
                                long long *offset);

#endif
