/*
 * `if (x < *p) *p = x;` is `*p = min(*p, x)`, which the optimiser must not write where the program might not
 * write: the instrumenter may, since the word is read anyway and no other thread is there. As a branch only
 * the stores that happen to be executed would be seen.
 */
#include "guarded.h"

#include <stdbool.h>

#include "store.h"

/* The first instruction of a block that touches memory, when it is a simple store. */
static LLVMValueRef first_store(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i))
            return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ? NULL : i;
        if (LLVMIsALoadInst(i) || LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsATerminatorInst(i))
            return NULL;
    }
    return NULL;
}

static LLVMBasicBlockRef only_predecessor(LLVMValueRef function, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            if (LLVMGetSuccessor(end, i) != block) continue;
            if (found) return NULL;
            found = b;
        }
    }
    return found;
}

/* Is the value what the word at the pointer holds at the end of its block? */
static bool holds_word(LLVMValueRef value, LLVMValueRef pointer, LLVMBasicBlockRef block)
{
    if (!LLVMIsALoadInst(value) || LLVMGetVolatile(value) || LLVMGetInstructionParent(value) != block)
        return false;
    if (LLVMGetOperand(value, 0) != pointer) return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(value); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) || LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) return false;
    return true;
}

/* The comparison of word and stored value that leads from one block to the other. */
static LLVMValueRef comparison(LLVMBasicBlockRef from, LLVMValueRef store)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return NULL;
    LLVMValueRef compare = LLVMGetCondition(end), stored = LLVMGetOperand(store, 0);
    if (!store_order_of(compare)) return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetOperand(compare, i) == stored &&
            holds_word(LLVMGetOperand(compare, 1 - i), LLVMGetOperand(store, 1), from))
            return compare;
    return NULL;
}

static void hoist(LLVMBuilderRef builder, LLVMValueRef function, LLVMBasicBlockRef block)
{
    LLVMValueRef store = first_store(block);
    LLVMBasicBlockRef from = store ? only_predecessor(function, block) : NULL;
    LLVMValueRef compare = from ? comparison(from, store) : NULL;
    if (!compare) return;
    LLVMValueRef stored = LLVMGetOperand(store, 0), end = LLVMGetBasicBlockTerminator(from);
    LLVMValueRef word = LLVMGetOperand(compare, LLVMGetOperand(compare, 0) == stored);
    bool when_true = LLVMGetSuccessor(end, 0) == block;
    LLVMPositionBuilderBefore(builder, end);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef chosen =
        LLVMBuildSelect(builder, compare, when_true ? stored : word, when_true ? word : stored, "");
    LLVMSetOperand(store, 0, chosen);
    LLVMInstructionRemoveFromParent(store);
    LLVMInsertIntoBuilder(builder, store);
}

void guarded_stores(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        hoist(builder, function, b);
    LLVMDisposeBuilder(builder);
}
