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

/**
 * A comparison by which the ways part has loaded the word of one side in their block, as it still is there:
 * where the other side is stored in the word on all ways on which it is better, and on none on which it is
 * worse, show that the smaller or larger of both is stored, and the places that are stored with it.
 */
void guarded_show_below(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef compare,
                        LLVMValueRef word);

/** A side of a comparison, loaded again where it is a phi that is what a word holds in which the other side
 * is stored below. */
LLVMValueRef guarded_word_of(LLVMBuilderRef builder, LLVMValueRef compare, unsigned side);

#endif
