/*
 * Where every label of `goto *label[key[i]]` goes on to the next one by itself, the optimiser makes one load
 * of the table where the ways meet, at a place that each of them has computed. A place is no data, and what
 * is loaded of a constant table comes of the place alone: so it is loaded at the end of each way.
 */
#include "compiler/instrument/rewrite/tables.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"

enum { MOST_DEPTH = 4 };

static bool ends_in_branch(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) || LLVMIsASwitchInst(end);
}

/* A place in a constant table, with an index, or a choice of such that nobody else wants. */
static bool is_place(LLVMValueRef pointer, int depth)
{
    if (LLVMIsAGetElementPtrInst(pointer)) {
        LLVMValueRef table = address_base(pointer);
        return LLVMIsAGlobalVariable(table) && LLVMIsGlobalConstant(table);
    }
    if (!LLVMIsAPHINode(pointer) || !flow_is_single_use(pointer) || depth == MOST_DEPTH) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
        if (!ends_in_branch(LLVMGetIncomingBlock(pointer, i)) ||
            !is_place(LLVMGetIncomingValue(pointer, i), depth + 1))
            return false;
    return true;
}

/* What stands there, as a phi where ways meet. */
static LLVMValueRef content_of(LLVMBuilderRef builder, LLVMValueRef phi, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef content = LLVMBuildPhi(builder, type, "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef place = LLVMGetIncomingValue(phi, i), value;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (LLVMIsAPHINode(place)) {
            value = content_of(builder, place, load);
        } else {
            LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
            value = LLVMBuildLoad2(builder, type, place, "");
            LLVMSetAlignment(value, LLVMGetAlignment(load));
        }
        LLVMAddIncoming(content, &value, &from, 1);
    }
    return content;
}

void tables_part(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef phi = LLVMIsALoadInst(i) && !LLVMGetVolatile(i) ? LLVMGetOperand(i, 0) : NULL;
            bool is_here = phi && LLVMIsAPHINode(phi) && LLVMGetInstructionParent(phi) == b;
            if (!is_here || !is_place(phi, 0)) continue;
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
            LLVMReplaceAllUsesWith(i, content_of(builder, phi, i));
            LLVMInstructionEraseFromParent(i);
        }
    LLVMDisposeBuilder(builder);
}
