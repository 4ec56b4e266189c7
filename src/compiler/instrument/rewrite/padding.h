/* Copies of what nobody has put anything into. */
#ifndef PARCAST_INSTRUMENT_PADDING_H
#define PARCAST_INSTRUMENT_PADDING_H

#include <llvm-c/Core.h>

/** Leave out copies of variables of the function that are never written: the bytes between the members of a
 * structure, which is made in registers otherwise. */
void padding_drop(LLVMValueRef function);

#endif
