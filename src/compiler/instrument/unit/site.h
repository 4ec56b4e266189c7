/* Where in the source an instruction is: in a file of the program's own if one of those that it was inlined
 * into is one, rather than in a header of the system. */
#ifndef PARCAST_INSTRUMENT_SITE_H
#define PARCAST_INSTRUMENT_SITE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/** "heat.c:12 (step)"; the function's symbol alone without debug information. */
void site_write(LLVMValueRef instruction, char *text, size_t size);
/** The same of a place that it was inlined into. */
void site_write_at(LLVMValueRef instruction, LLVMMetadataRef place, char *text, size_t size);
/** Is the place, or one that it was inlined into, in the program's own files? True without debug information.
 */
bool site_is_own(LLVMValueRef instruction);
bool site_is_own_place(LLVMMetadataRef place);
/** Was the function written in a header of the system? */
bool site_is_foreign(LLVMValueRef function);

#endif
