/* Loads of constant tables, where one load stands for those of several ways. */
#ifndef PARCAST_INSTRUMENT_TABLES_H
#define PARCAST_INSTRUMENT_TABLES_H

#include <llvm-c/Core.h>

/** What is loaded of a constant table at a place that several ways have computed is loaded on each of them.
 */
void tables_part(LLVMContextRef context, LLVMValueRef function);

#endif
