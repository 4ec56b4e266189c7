/* `if (x < *p || (x == *p && i < *at)) { *p = x; *at = i; }`: what is done where nothing but a place decides.
 */
#ifndef PARCAST_INSTRUMENT_GUARDED_TIES_H
#define PARCAST_INSTRUMENT_GUARDED_TIES_H

#include <llvm-c/Core.h>

/**
 * The store of the smaller or larger of a word and a value has been put where the ways part: where the value
 * is stored again on the other way, and is equal to the word there, the word is what it was. So are words
 * that both ways store, where those of the first way have been shown before they part.
 */
void guarded_hide_ties(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store);

#endif
