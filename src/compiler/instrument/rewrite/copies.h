/* Structures that are given to functions by value, in memory: the back end copies them. */
#ifndef PARCAST_INSTRUMENT_COPIES_H
#define PARCAST_INSTRUMENT_COPIES_H

#include "compiler/instrument/function/function.h"

/** Say before a call, whose labels have been told already, where the structures are. */
void copies_pass(struct function *f, LLVMValueRef call);
/** At the beginning of the function: its copies hold what those hold. */
void copies_take(struct function *f);
/** At its end, before the instruction: they are gone. */
void copies_leave(struct function *f, LLVMValueRef end);

#endif
