/* Ways that meet and part again at once, by a number that says which one it was. */
#ifndef PARCAST_INSTRUMENT_RETURNS_H
#define PARCAST_INSTRUMENT_RETURNS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** `for (long i = 0; ..) if (..) return true; return false;` leaves for either return at once. What is then
 * kept in variables is for the optimiser to put into registers. Says whether anything has changed. */
bool returns_part(LLVMModuleRef module);

#endif
