/* Calls of signal and sigaction that only ask, ignore a signal or give it back to the system. The handler is
 * the first field of struct sigaction. */
#include "compiler/instrument/unit/signals.h"

#include <string.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/unit/source_name.h"

static LLVMValueRef first_of(LLVMValueRef constant)
{
    while (constant && LLVMIsAConstant(constant)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(constant));
        if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) break;
        constant = LLVMGetAggregateElement(constant, 0);
    }
    return constant;
}

/* SIG_DFL is 0, SIG_IGN 1. */
static bool is_no_handler(LLVMValueRef value)
{
    if (!value || !LLVMIsAConstant(value)) return false;
    if (LLVMIsNull(value)) return true;
    if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr)
        value = LLVMGetOperand(value, 0);
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 1;
}

static bool is_constant_action(LLVMValueRef address)
{
    return LLVMIsAGlobalVariable(address) && LLVMIsGlobalConstant(address) && !LLVMIsDeclaration(address) &&
           is_no_handler(first_of(LLVMGetInitializer(address)));
}

/* The other fields. */
static bool is_behind(LLVMValueRef user)
{
    if (!LLVMIsAGetElementPtrInst(user)) return false;
    bool is_first = true;
    for (int i = 1; i < LLVMGetNumOperands(user); i++) {
        LLVMValueRef index = LLVMGetOperand(user, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) return false;
        is_first = is_first && LLVMIsNull(index);
    }
    return !is_first;
}

/* Calls that leave the handler alone, or put a constant there. */
static bool is_harmless_call(LLVMValueRef user, LLVMValueRef action)
{
    size_t length;
    const char *name = intrinsic_name(user);
    if (name && name_begins(name, "llvm.lifetime.")) return true;
    if (name && name_begins(name, "llvm.memset.")) return LLVMIsNull(LLVMGetOperand(user, 1));
    if (name && name_begins(name, "llvm.memcpy."))
        return LLVMGetOperand(user, 0) == action && is_constant_action(LLVMGetOperand(user, 1));
    LLVMValueRef callee = LLVMGetCalledValue(user);
    if (!LLVMIsAFunction(callee)) return false;
    name = LLVMGetValueName2(callee, &length);
    if (name_begins(name, "parcast_vf_")) return true;
    return strcmp(name, "sigaction") == 0 && LLVMGetOperand(user, 2) != action;
}

/* Is there never a handler in a structure of the frame? What was inserted to follow it does not count. */
static bool is_harmless(const struct function *f, LLVMValueRef action)
{
    for (LLVMUseRef use = LLVMGetFirstUse(action); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (node_of(f, user) < 0 || LLVMIsALoadInst(user) || is_behind(user)) continue;
        if (LLVMIsAStoreInst(user) && is_no_handler(LLVMGetOperand(user, 0))) continue;
        if (!LLVMIsACallInst(user) || !is_harmless_call(user, action)) return false;
    }
    return true;
}

bool signals_no_handler(const struct function *f, LLVMValueRef call)
{
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    bool is_action = strcmp(name, "sigaction") == 0;
    if (!is_action && strcmp(name, "signal") != 0 && strcmp(name, "__sysv_signal") != 0) return false;
    if (LLVMGetNumArgOperands(call) < 2) return false;
    LLVMValueRef action = LLVMGetOperand(call, 1);
    if (!is_action) return is_no_handler(action);
    return LLVMIsNull(action) || is_constant_action(action) ||
           (LLVMIsAAllocaInst(action) && is_harmless(f, action));
}
