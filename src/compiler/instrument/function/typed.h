/* What the types of accesses say about where they go. */
#ifndef PARCAST_INSTRUMENT_TYPED_H
#define PARCAST_INSTRUMENT_TYPED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Do the rules of the language let the two accesses go to different words only, since they are of different
 * scalar types? What the front end noted (TBAA); without notes, as of -fno-strict-aliasing, false. */
bool typed_apart(LLVMValueRef a, LLVMValueRef b);

#endif
