/* What the source calls what a symbol stands for. */
#ifndef PARCAST_INSTRUMENT_SOURCE_NAME_H
#define PARCAST_INSTRUMENT_SOURCE_NAME_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/** Does a symbol, or what it is called, begin so? */
bool name_begins(const char *text, const char *start);
/** A symbol of C++ as the source has it, to be freed; NULL: it is none. */
char *demangled(const char *symbol);
/** "grid::u" of C++; "u (module grid)", "u (step)" or "main program" of Fortran; the symbol itself of others.
 */
void source_name(const char *symbol, char *text, size_t size);
/** The same of a global, where a block in common of Fortran is told from others: "/state/". */
void source_name_of_global(LLVMValueRef global, char *text, size_t size);

#endif
