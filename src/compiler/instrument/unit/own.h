/* What in a unit is not the program's own: markers of the region, what the instrumenter adds, intrinsics. */
#ifndef PARCAST_INSTRUMENT_OWN_H
#define PARCAST_INSTRUMENT_OWN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** A marker, a hook, anything named by the instrumenter, or an intrinsic. A program may have names of its own
 * that begin with "parcast". */
bool own_is_name(const char *name);
bool own_is_value(LLVMValueRef value);
/** A call into the run time. */
bool own_is_hook(LLVMValueRef instruction);

#endif
