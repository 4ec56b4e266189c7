/* `if (!seen || x > *p) *p = x;`: the ways to a store that may be the smaller or larger of two. */
#ifndef PARCAST_INSTRUMENT_GUARDED_WAYS_H
#define PARCAST_INSTRUMENT_GUARDED_WAYS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Let a comparison load the word that the store writes again where it uses what was loaded in a block above,
 * with which nothing has been done meanwhile: `if (*p < 0 || x > *p) *p = x;`. */
void guarded_load_again(LLVMBuilderRef builder, LLVMValueRef compare, LLVMValueRef store);

/** Where a store, the first access to memory of its block, is reached on several ways and one of them
 * compares the word with what is stored: give each way what is done in the block, and remove that. False: it
 * is not so.
 */
bool guarded_part_ways(LLVMBuilderRef builder, LLVMValueRef store);

#endif
