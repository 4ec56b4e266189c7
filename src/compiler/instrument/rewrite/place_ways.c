/* `p = c ? &mine : &m[k]; .. *p ..` becomes a branch, each way of which does what follows with one place. */
#include "compiler/instrument/rewrite/place_ways.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/rewrite/again.h"

enum { MOST_STEPS = 16 };

/* What is done behind the choice, and again on each way. */
struct tail {
    LLVMBasicBlockRef block, next, ways[2];
    LLVMValueRef select, steps[MOST_STEPS], copies[2][MOST_STEPS];
    unsigned n;
};

static bool chooses_place(LLVMValueRef i)
{
    if (!LLVMIsASelectInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) return false;
    LLVMValueRef a = address_base(LLVMGetOperand(i, 1)), b = address_base(LLVMGetOperand(i, 2));
    return (LLVMIsAAllocaInst(a) || LLVMIsAAllocaInst(b)) && a != b;
}

static bool find_tail(struct tail *tail)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(tail->block), i;
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
    tail->next = LLVMGetSuccessor(end, 0);
    if (tail->next == tail->block) return false;
    for (i = LLVMGetFirstInstruction(tail->block); i != end && !chooses_place(i);)
        i = LLVMGetNextInstruction(i);
    if (i == end || !again_is_used_behind(i, tail->block, tail->next)) return false;
    tail->select = i;
    for (i = LLVMGetNextInstruction(i); i != end; i = LLVMGetNextInstruction(i)) {
        if (!again_can_be(i) || !again_is_used_behind(i, tail->block, tail->next) || tail->n == MOST_STEPS)
            return false;
        tail->steps[tail->n++] = i;
    }
    return true;
}

static LLVMValueRef on_way(const struct tail *tail, LLVMValueRef value, unsigned way)
{
    if (value == tail->select) return LLVMGetOperand(value, way + 1);
    for (unsigned i = 0; i < tail->n; i++)
        if (tail->steps[i] == value) return tail->copies[way][i];
    return value;
}

static void make_way(LLVMContextRef context, LLVMBuilderRef builder, struct tail *tail, unsigned way)
{
    tail->ways[way] = LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(tail->block), "place");
    LLVMMoveBasicBlockAfter(tail->ways[way], tail->block);
    LLVMPositionBuilderAtEnd(builder, tail->ways[way]);
    for (unsigned i = 0; i < tail->n; i++) {
        LLVMValueRef copy = tail->copies[way][i] = LLVMInstructionClone(tail->steps[i]);
        for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(copy); j++)
            LLVMSetOperand(copy, j, on_way(tail, LLVMGetOperand(copy, j), way));
        LLVMInsertIntoBuilder(builder, copy);
    }
    LLVMSetCurrentDebugLocation2(builder,
                                 LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(tail->block)));
    LLVMBuildBr(builder, tail->next);
}

/* What the phi took from the block it takes from both ways. */
static void take_from_ways(LLVMBuilderRef builder, const struct tail *tail, LLVMValueRef phi)
{
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef whole = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMInstructionSetDebugLoc(whole, LLVMInstructionGetDebugLoc(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (from != tail->block) {
            LLVMAddIncoming(whole, &value, &from, 1);
            continue;
        }
        for (unsigned way = 0; way < 2; way++) {
            LLVMValueRef own = on_way(tail, value, way);
            LLVMAddIncoming(whole, &own, &((struct tail *)tail)->ways[way], 1);
        }
    }
    LLVMReplaceAllUsesWith(phi, whole);
    LLVMInstructionEraseFromParent(phi);
}

bool place_ways_part(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    struct tail tail = {.block = block};
    if (!find_tail(&tail)) return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = LLVMGetOperand(tail.select, 0);
    for (unsigned way = 2; way-- > 0;) make_way(context, builder, &tail, way);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(tail.next), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        take_from_ways(builder, &tail, phi);
    }
    LLVMPositionBuilderBefore(builder, end);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
    LLVMBuildCondBr(builder, condition, tail.ways[0], tail.ways[1]);
    LLVMInstructionEraseFromParent(end);
    while (tail.n-- > 0) LLVMInstructionEraseFromParent(tail.steps[tail.n]);
    LLVMInstructionEraseFromParent(tail.select);
    return true;
}
