/* Ways that meet only to part again. */
#ifndef PARCAST_INSTRUMENT_MET_WAYS_H
#define PARCAST_INSTRUMENT_MET_WAYS_H

#include <llvm-c/Core.h>

/** Let ways that meet and part again by what each has found out part where they have found it out, and what
 * is stored between only where it is not what the word holds already. */
void met_ways_part(LLVMContextRef context, LLVMValueRef function);

#endif
