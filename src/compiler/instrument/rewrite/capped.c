/*
 * `if (*p < 255) ++*p;` is a sum that is cut off: parts may count up to the number each, and what they have
 * counted is added and cut off again. The optimiser compares and counts what it has loaded once; where the
 * word is stored it is loaded again, so that it is added to as if there were no condition.
 */
#include "compiler/instrument/rewrite/capped.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"

/* Through whole numbers in more or fewer bits. */
static LLVMValueRef behind_width(LLVMValueRef value)
{
    while (store_is_width(value)) value = LLVMGetOperand(value, 0);
    return value;
}

/* The load of the word that a block ends by comparing with a number; NULL. */
static LLVMValueRef compared_word(LLVMBasicBlockRef block, LLVMValueRef pointer)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return NULL;
    LLVMValueRef compare = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(compare) || !LLVMIsAConstant(LLVMGetOperand(compare, 1))) return NULL;
    LLVMValueRef word = behind_width(LLVMGetOperand(compare, 0));
    bool is_it = LLVMIsALoadInst(word) && !LLVMGetVolatile(word) && LLVMGetOperand(word, 0) == pointer &&
                 LLVMGetInstructionParent(word) == block;
    return is_it ? word : NULL;
}

/* Does nothing touch memory from the instruction to the other, or to the end of the block? */
static bool is_quiet(LLVMValueRef from, LLVMValueRef to)
{
    for (LLVMValueRef i = from; i && i != to; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) || LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) return false;
    return true;
}

/* What is stored is the word and a number: where the word goes into it, as it is or in more bits. */
static LLVMValueRef count_of(LLVMValueRef store, LLVMValueRef word)
{
    LLVMValueRef sum = behind_width(LLVMGetOperand(store, 0));
    if (!LLVMIsABinaryOperator(sum) || fold_of(sum, 0) != FOLD_ADD) return NULL;
    if (LLVMGetInstructionParent(sum) != LLVMGetInstructionParent(store)) return NULL;
    LLVMValueRef before = LLVMGetOperand(sum, 0);
    bool is_word = before == word || (store_is_width(before) && LLVMGetOperand(before, 0) == word);
    return is_word && LLVMIsAConstant(LLVMGetOperand(sum, 1)) ? sum : NULL;
}

static void load_again(LLVMBuilderRef builder, LLVMValueRef sum, LLVMValueRef word)
{
    LLVMValueRef before = LLVMGetOperand(sum, 0);
    LLVMPositionBuilderBefore(builder, sum);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(word));
    LLVMValueRef again = LLVMInstructionClone(word);
    LLVMInsertIntoBuilder(builder, again);
    if (before != word)
        again = LLVMBuildCast(builder, LLVMGetInstructionOpcode(before), again, LLVMTypeOf(before), "");
    LLVMSetOperand(sum, 0, again);
}

static void split(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from = content_predecessor(block);
    if (!from) return;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef word = LLVMIsAStoreInst(i) ? compared_word(from, LLVMGetOperand(i, 1)) : NULL,
                     sum = word ? count_of(i, word) : NULL;
        if (!sum || !is_quiet(word, NULL) || !is_quiet(LLVMGetFirstInstruction(block), i)) continue;
        load_again(builder, sum, word);
    }
}

void capped_counts(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        split(builder, b);
    LLVMDisposeBuilder(builder);
}

/* Where a word of the program's own choice is counted, as in `if (left[i] > 0) --left[i]`, each is computed
 * from what it was, and nobody else has any part in it. */
bool capped_is_count(const struct function *f, const struct detour *d)
{
    struct update update;
    if (detour_is_fixed(f, f->blocks[d->fork].loop, d->pointer)) return false;
    if (d->n_stores != 1 || !store_is_update(f, d->stores[0], &update) || update.op != FOLD_ADD) return false;
    for (int i = 0; i < update.n; i++)
        if (!LLVMIsAConstant(update.terms[i])) return false;
    return compared_word(f->blocks[d->fork].ref, d->pointer);
}
