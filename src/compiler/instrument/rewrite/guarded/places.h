/* `if (x < m[k]) { m[k] = x; arg[k] = i; }`: the place beside the smallest. */
#ifndef PARCAST_INSTRUMENT_GUARDED_PLACES_H
#define PARCAST_INSTRUMENT_GUARDED_PLACES_H

#include <llvm-c/Core.h>

/** Let places that are stored in the block, which alone the ways lead to that part in `from` by the
 * comparison, be chosen there: of those of all turns, by what is compared in each. `word`: which side of it
 * is the best so far; NULL where that is what stands at a place that is stored there, `if (w[i] < w[best[k]])
 * best[k] = i;`. */
void guarded_show_places(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                         LLVMBasicBlockRef from, LLVMValueRef compare, LLVMValueRef word);
/** Let what the word holds that the store writes be chosen in `from`, by the comparison but for what it
 * compares with, `word`. */
void guarded_show(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store, LLVMBasicBlockRef from,
                  LLVMValueRef compare, LLVMValueRef word);
/** Likewise where a place is stored in any case, the one that was found or the one before. `best_so_far`
 * tells which side of a comparison is the best so far; NULL: none. */
typedef LLVMValueRef guarded_best(LLVMBasicBlockRef block, LLVMValueRef compare);
void guarded_show_chosen(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                         guarded_best *best_so_far);
/** The side of the comparison that stands at the place that the store keeps; NULL. */
LLVMValueRef guarded_stands_at(LLVMValueRef compare, LLVMValueRef store);

#endif
