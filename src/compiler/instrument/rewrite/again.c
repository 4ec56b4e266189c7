#include "compiler/instrument/rewrite/again.h"

#include "compiler/instrument/function/flow.h"

bool again_can_be(LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i) || LLVMIsALoadInst(i))
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    return LLVMIsAGetElementPtrInst(i) || LLVMIsACastInst(i) || LLVMIsABinaryOperator(i) ||
           LLVMIsASelectInst(i) || LLVMIsACmpInst(i);
}

bool again_is_used_behind(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
        if (at != block && !(at == next && LLVMIsAPHINode(user))) return false;
    }
    return true;
}

bool again_changes_memory(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i) || LLVMIsAInvokeInst(i) || LLVMIsAAtomicRMWInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) || (LLVMIsACallInst(i) && !is_pure_call(i));
}
