/* Marks that one pass leaves at an instruction for a later one. */
#ifndef PARCAST_INSTRUMENT_MARK_H
#define PARCAST_INSTRUMENT_MARK_H

#include <llvm-c/Core.h>

/** Mark an instruction with a number. */
void mark_put(LLVMContextRef context, LLVMValueRef instruction, const char *mark, unsigned number);
/** -1: it has no such mark. */
int mark_of(LLVMValueRef instruction, const char *mark);
void mark_remove(LLVMValueRef instruction, const char *mark);

#endif
