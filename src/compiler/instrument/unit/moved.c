#include "compiler/instrument/unit/moved.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/instrument/unit/source_name.h"

/* A member function of the C++ library that is called on its first operand with the value as its second; its
 * symbol. */
static const char *member_that_takes(LLVMUseRef use)
{
    LLVMValueRef call = LLVMGetUser(use);
    if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || LLVMGetNumArgOperands(call) < 2 ||
        LLVMGetOperand(call, 1) != LLVMGetUsedValue(use))
        return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *symbol = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return name_begins(symbol, "_ZNSt") ? symbol : NULL;
}

LLVMValueRef moved_into_pointer(LLVMUseRef use)
{
    const char *symbol = member_that_takes(use);
    bool holds =
        symbol && (name_begins(symbol, "_ZNSt10unique_ptr") || name_begins(symbol, "_ZNSt10shared_ptr") ||
                   name_begins(symbol, "_ZNSt12__shared_ptr"));
    return holds ? LLVMGetOperand(LLVMGetUser(use), 0) : NULL;
}

/* Assignment, constructors and what appends, of references to what is given up. */
static bool moves(const char *symbol)
{
    static const char *const members[] = {"aSEO", "C1EO", "C2EO", "9push_backEO", "12emplace_backI"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strstr(symbol, members[i])) return true;
    return false;
}

LLVMValueRef moved_from_temporary(LLVMValueRef temporary)
{
    if (!LLVMIsAAllocaInst(temporary)) return NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(temporary); use; use = LLVMGetNextUse(use)) {
        const char *symbol = member_that_takes(use);
        if (symbol && moves(symbol)) return LLVMGetOperand(LLVMGetUser(use), 0);
    }
    return NULL;
}
