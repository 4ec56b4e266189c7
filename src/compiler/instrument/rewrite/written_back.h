/* `m[k] = std::min(m[k], pair)`: what is written back as it was. */
#ifndef PARCAST_INSTRUMENT_WRITTEN_BACK_H
#define PARCAST_INSTRUMENT_WRITTEN_BACK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Load what stands at a place that was chosen on each way that chooses it, and store it only where it is
 * not what the word holds already. */
void written_back_part(LLVMContextRef context, LLVMValueRef function);

/** Is the value what the word at the store's place holds at the end of the block? */
bool written_back_is_held(LLVMValueRef value, LLVMValueRef store, LLVMBasicBlockRef block);

#endif
