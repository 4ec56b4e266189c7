/* What is done with some lanes of a vector. */
#ifndef PARCAST_INSTRUMENT_LANES_H
#define PARCAST_INSTRUMENT_LANES_H

#include <llvm-c/Core.h>

/** Put LLVM's own masked loads, stores and gathers in place of the machine's (AVX, AVX2), so that LLVM can
 * take them apart. */
void lanes_make_plain(LLVMModuleRef module);

#endif
