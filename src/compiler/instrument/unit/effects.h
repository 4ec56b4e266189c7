/* What functions are said to leave alone. */
#ifndef PARCAST_INSTRUMENT_EFFECTS_H
#define PARCAST_INSTRUMENT_EFFECTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Tell the optimiser that functions that draw numbers or read files by themselves leave the program's
 * variables alone: before it begins. */
void effects_tell(LLVMModuleRef module);

/** Forget it of all that may be instrumented, and find out what is asked for below: before anything is added
 * to the module. */
void effects_forget(LLVMModuleRef module);

/** Does the call leave alone what lies behind the base of an address (address.h)? Functions of the program do
 * that store into variables of their own, or behind pointers that they are given, which have other bases. */
bool effects_spare(LLVMValueRef call, LLVMValueRef base);

#endif
