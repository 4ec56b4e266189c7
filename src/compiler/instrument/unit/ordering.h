/* Functions of the C++ library that put words in order, which stand in the unit that uses them. */
#ifndef PARCAST_INSTRUMENT_ORDERING_H
#define PARCAST_INSTRUMENT_ORDERING_H

#include <llvm-c/Core.h>

/** Which argument of such a function is the end of the words that it is given, whose beginning is the first
 * one; -1: it is none, or its iterators are no pointers. */
int ordering_end(LLVMValueRef function);

#endif
