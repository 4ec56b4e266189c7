/* What a word holds, where the optimiser keeps it in a register as well. */
#ifndef PARCAST_INSTRUMENT_CONTENT_H
#define PARCAST_INSTRUMENT_CONTENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** The block that alone leads to this one, by one edge; NULL where there is none. */
LLVMBasicBlockRef content_predecessor(LLVMBasicBlockRef block);
/** Is it the fork, or does that alone lead to it, through a few blocks of which the same is true? */
bool content_is_below(LLVMBasicBlockRef block, LLVMBasicBlockRef fork);

/** Is what is stored at a fixed distance from the pointer that a word of the type there does not reach,
 * `out[0]` and `out[1]`, or in another variable? Neither is changed by stores to the other. */
bool content_is_beside(LLVMValueRef store, LLVMValueRef pointer, LLVMTypeRef type);

/** Let a comparison in the block, and what is chosen by it (or NULL), load the word that the store writes
 * again where they use a phi that is the word's content on every way into the block, and what goes on with it
 * behind the loop. The store is in the block, or in one that only this one leads to. */
void content_reload(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef compare,
                    LLVMValueRef choice, LLVMValueRef store);

/** Is the value what the word that the store writes holds at the end of the block, whichever way leads there?
 */
bool content_is_word(LLVMValueRef value, LLVMValueRef store, LLVMBasicBlockRef block);
/** Is the phi on every way what is at the pointer, if stores by other pointers are to other words? For
 * labels, not to change the program. */
bool content_is_phi(LLVMValueRef pointer, LLVMValueRef phi);
/** The same for a phi of a block before that of the store, to which `adds` adds what is stored, and which
 * nobody else uses but for the same word: `if (c) *s += x;`. */
bool content_goes_through(LLVMValueRef store, LLVMValueRef phi, LLVMValueRef adds);

#endif
