/*
 * A std::optional or a pair that is made and put somewhere is a store of each member, and a copy of the bytes
 * between them out of a variable that holds nothing else. The copy would be one more access where only the
 * stores are looked for.
 */
#include "compiler/instrument/rewrite/padding.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"

static bool is_lifetime(LLVMValueRef user)
{
    const char *name = LLVMIsACallInst(user) ? intrinsic_name(user) : NULL;
    return name && strncmp(name, "llvm.lifetime.", 14) == 0;
}

static bool is_copy_of(LLVMValueRef user, LLVMValueRef variable)
{
    return LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 1) == variable &&
           LLVMGetOperand(user, 0) != variable;
}

static bool is_only_copied(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        if (!is_lifetime(LLVMGetUser(use)) && !is_copy_of(LLVMGetUser(use), variable)) return false;
    return true;
}

void padding_drop(LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !is_only_copied(i)) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetFirstUse(i)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (user == next) next = LLVMGetNextInstruction(next);
            LLVMInstructionEraseFromParent(user);
        }
        LLVMInstructionEraseFromParent(i);
    }
}
