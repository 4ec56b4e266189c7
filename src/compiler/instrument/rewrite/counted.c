/*
 * `list[n[k]++] = i` and `if (!s->n || x < s->least) s->least = x; s->n++` count like `n[k]++`; but the one
 * load of the word that there is has another user, of whom nobody knows here whether he is asked for its
 * label. Places and branches are not. So what is added to the word loads it for itself, which is the same
 * number.
 */
#include "compiler/instrument/rewrite/counted.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/firsts.h"

enum { MOST_BLOCKS = 32 };

/* Nothing from `first` up to `end`, or to the end of the block, changes the word. */
static bool is_quiet(LLVMValueRef first, LLVMValueRef end, LLVMValueRef word)
{
    for (LLVMValueRef i = first; i && i != end; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAInvokeInst(i) || (LLVMIsACallInst(i) && !is_pure_call(i)) || LLVMIsAAtomicRMWInst(i) ||
            LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
            return false;
        if (LLVMIsAStoreInst(i) && !content_is_beside(i, LLVMGetOperand(word, 0), LLVMTypeOf(word)))
            return false;
    }
    return true;
}

/* On all ways from the load to the block of `end`, none of which comes by another turn of a loop. */
static bool stays_until(LLVMValueRef word, LLVMValueRef end)
{
    LLVMBasicBlockRef made = LLVMGetInstructionParent(word),
                      ways[MOST_BLOCKS] = {LLVMGetInstructionParent(end)};
    unsigned n = 1;
    if (ways[0] == made) return is_quiet(word, end, word);
    if (!is_quiet(LLVMGetFirstInstruction(ways[0]), end, word)) return false;
    for (unsigned i = 0; i < n; i++) {
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(ways[i]));
        for (; use; use = LLVMGetNextUse(use)) {
            if (!LLVMIsATerminatorInst(LLVMGetUser(use))) continue;
            LLVMBasicBlockRef before = LLVMGetInstructionParent(LLVMGetUser(use));
            unsigned k = 0;
            while (k < n && ways[k] != before) k++;
            if (k == 0) return false;
            if (k < n) continue;
            if (!is_quiet(before == made ? word : LLVMGetFirstInstruction(before), NULL, word)) return false;
            if (before == made) continue;
            if (n == MOST_BLOCKS) return false;
            ways[n++] = before;
        }
    }
    return true;
}

/* The operand of a number that is added to it by which the word comes in, if others use that, too. */
static LLVMValueRef shared_word(LLVMValueRef store, LLVMValueRef sum, unsigned operand)
{
    LLVMValueRef word = LLVMGetOperand(sum, operand);
    bool is_load = LLVMIsALoadInst(word) && !LLVMGetVolatile(word) &&
                   LLVMGetOrdering(word) == LLVMAtomicOrderingNotAtomic && !flow_is_single_use(word);
    return is_load && address_is_same(LLVMGetOperand(word, 0), LLVMGetOperand(store, 1)) &&
                   stays_until(word, store)
               ? word
               : NULL;
}

static void load_again(LLVMBuilderRef builder, LLVMValueRef store)
{
    LLVMValueRef sum = LLVMGetOperand(store, 0);
    if (LLVMGetVolatile(store) || !LLVMIsABinaryOperator(sum)) return;
    if (LLVMGetInstructionOpcode(sum) != LLVMAdd)
        return; /* what floats are mostly is asked for: a butterfly */
    if (LLVMGetInstructionParent(sum) != LLVMGetInstructionParent(store)) return;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef word = fold_of(sum, i) == FOLD_ADD ? shared_word(store, sum, i) : NULL;
        if (!word) continue;
        LLVMValueRef again = LLVMInstructionClone(word);
        LLVMPositionBuilderBefore(builder, sum);
        LLVMInsertIntoBuilder(builder, again);
        LLVMSetOperand(sum, i, again);
        firsts_mark(LLVMGetTypeContext(LLVMTypeOf(word)), word);
        return;
    }
}

void counted_load_again(LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i)) load_again(builder, i);
    LLVMDisposeBuilder(builder);
}
