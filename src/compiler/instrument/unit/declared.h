/* What the author of a Fortran unit calls what it allocates, and its arrays in frames: flang's optimised
 * units do not tell any more. */
#ifndef PARCAST_INSTRUMENT_DECLARED_H
#define PARCAST_INSTRUMENT_DECLARED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Keep what a unit tells that has not been optimised; calls tell of debug information in it (members.h). */
void declared_read(LLVMModuleRef unit);
/** The variable or component that a call of the optimised unit allocates, or whose descriptor is its argument
 * of this number (handed.h); NULL where none is known. */
const char *declared_name(LLVMValueRef call, int argument);
/** The array of a frame; NULL. */
const char *declared_in_frame(LLVMValueRef array);
/** Does the name allocate what the descriptor in the first argument leads to? */
bool declared_is_allocation(const char *callee);
void declared_clear(void);

#endif
