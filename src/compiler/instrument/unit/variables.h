/* What the program calls the arrays that it allocates: "u" in `u = malloc(n)` and `std::vector<double> u(n)`.
 */
#ifndef PARCAST_INSTRUMENT_VARIABLES_H
#define PARCAST_INSTRUMENT_VARIABLES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/** Look through a unit as the front end has made it, with the names of its values; before it is optimised. */
void variables_find(LLVMModuleRef module);
/** The variable that a call, or one that it was inlined from, allocates for, by its result or by an argument
 * that leads there (handed.h); NULL where none is known. `where`: the place in the source of what calls the
 * program's own function that allocates; NULL where none does. */
const char *variable_of(LLVMValueRef call, int argument, LLVMMetadataRef *where);
/** Is it a call of a function of the program's own that may return what it has allocated, or put it where an
 * argument leads to? */
bool variable_is_made(LLVMValueRef call, int argument);
/** What the source calls an array of a frame; false where it is not known. */
bool variable_in_frame(LLVMValueRef array, char *name, size_t size);
void variables_clear(void);

#endif
