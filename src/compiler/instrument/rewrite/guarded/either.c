/*
 * Fortran asks both conditions of `.or.`, and so does the optimiser in C where nothing speaks against it:
 * there is one branch by `seen or x > m`. Of the ways of `if (!seen || x > m)` ways.c knows what to
 * do, so there are two branches before that.
 */
#include "compiler/instrument/rewrite/guarded/either.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"

/* Either of two truth values leads to the block, by being true or by being false. */
struct either {
    LLVMBasicBlockRef from, block, other;
    LLVMValueRef asked, compare;
    bool when_true;
};

static bool compares_word(LLVMValueRef compare, LLVMValueRef store, LLVMBasicBlockRef from)
{
    if (!store_order_of(compare) || LLVMGetInstructionParent(compare) != from) return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef word = LLVMGetOperand(compare, 1 - i);
        if (LLVMGetOperand(compare, i) == LLVMGetOperand(store, 0) && LLVMIsALoadInst(word) &&
            address_is_same(LLVMGetOperand(word, 0), LLVMGetOperand(store, 1)))
            return true;
    }
    return false;
}

static bool find_either(LLVMValueRef store, struct either *e)
{
    e->block = LLVMGetInstructionParent(store);
    e->from = content_predecessor(e->block);
    LLVMValueRef end = e->from ? LLVMGetBasicBlockTerminator(e->from) : NULL;
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
    LLVMValueRef both = LLVMGetCondition(end);
    e->when_true = LLVMGetSuccessor(end, 0) == e->block;
    e->other = LLVMGetSuccessor(end, e->when_true);
    if (!LLVMIsABinaryOperator(both) && !LLVMIsASelectInst(both)) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(both); i++) {
        if (fold_of(both, i) != (e->when_true ? FOLD_OR : FOLD_AND)) continue;
        e->compare = LLVMGetOperand(both, i);
        for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(both); j++)
            if (j != i && !LLVMIsAConstant(LLVMGetOperand(both, j))) e->asked = LLVMGetOperand(both, j);
        if (e->asked && e->asked != e->compare && compares_word(e->compare, store, e->from)) return true;
    }
    return false;
}

/* What the block's phis took from one block they take from those that lead there now. */
static void take_from(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMBasicBlockRef before,
                      LLVMBasicBlockRef *ways, unsigned n)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMPositionBuilderBefore(builder, phi);
        LLVMValueRef whole = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            if (from != before) LLVMAddIncoming(whole, &value, &from, 1);
            for (unsigned k = 0; from == before && k < n; k++) LLVMAddIncoming(whole, &value, &ways[k], 1);
        }
        LLVMReplaceAllUsesWith(phi, whole);
        LLVMInstructionEraseFromParent(phi);
    }
}

static LLVMBasicBlockRef way_to(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef way = LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(block), "");
    LLVMPositionBuilderAtEnd(builder, way);
    LLVMBuildBr(builder, block);
    return way;
}

void guarded_part_either(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store)
{
    struct either e = {.asked = NULL};
    if (!find_either(store, &e)) return;
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef function = LLVMGetBasicBlockParent(e.block), end = LLVMGetBasicBlockTerminator(e.from);
    LLVMBasicBlockRef ways[2] = {way_to(context, builder, e.block), way_to(context, builder, e.block)},
                      past = way_to(context, builder, e.other),
                      second = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMPositionBuilderAtEnd(builder, second);
    LLVMValueRef compare = LLVMInstructionClone(e.compare);
    LLVMInsertIntoBuilder(builder, compare);
    LLVMBuildCondBr(builder, compare, e.when_true ? ways[1] : past, e.when_true ? past : ways[1]);
    LLVMSetCondition(end, e.asked);
    LLVMSetSuccessor(end, !e.when_true, ways[0]);
    LLVMSetSuccessor(end, e.when_true, second);
    take_from(builder, e.block, e.from, ways, 2);
    take_from(builder, e.other, e.from, &past, 1);
}
