/*
 * A function that reads and writes no memory does so when it is instrumented: it takes labels, hands one back
 * and counts. The optimiser has made use of what it found, or was told by __attribute__((const)); the code
 * generator must not, or calls and counts would be missing.
 */
#include "effects.h"

#include <stdbool.h>
#include <string.h>

#include "known.h"

static const char *const claims[] = {"memory", "willreturn", "speculatable"};

/* Functions outside the program that are known by name are as they are said to be. */
static bool may_be_instrumented(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (strncmp(name, "llvm.", 5) == 0) return false;
    return !LLVMIsDeclaration(function) || known_of(name).kind == KNOWN_NOT;
}

static void forget_of_function(LLVMValueRef function, unsigned claim)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, claim);
}

static void forget_of_call(LLVMValueRef call, unsigned claim)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && !may_be_instrumented(callee))) return;
    LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, claim);
}

static void forget(LLVMModuleRef module, unsigned claim)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (may_be_instrumented(f)) forget_of_function(f, claim);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) forget_of_call(i, claim);
    }
}

void effects_forget(LLVMModuleRef module)
{
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        forget(module, LLVMGetEnumAttributeKindForName(claims[i], strlen(claims[i])));
}
