#include "compiler/instrument/prepare/calls.h"

#include <string.h>

LLVMValueRef calls_function(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

bool calls_one_of(LLVMValueRef call, const char *const *names, size_t n)
{
    LLVMValueRef callee = calls_function(call);
    size_t length;
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void replace(struct maker *make, make_function *function)
{
    LLVMPositionBuilderBefore(make->builder, make->call);
    LLVMValueRef made = function(make);
    if (!made) return;
    if (LLVMGetTypeKind(LLVMTypeOf(make->call)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(make->call, made);
    LLVMInstructionEraseFromParent(make->call);
}

void calls_replace(LLVMModuleRef module, make_function *(*make_of)(LLVMValueRef call))
{
    struct maker make = {.module = module, .context = LLVMGetModuleContext(module)};
    make.builder = LLVMCreateBuilderInContext(make.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                make_function *function = make_of(i);
                next = LLVMGetNextInstruction(i);
                make.call = i;
                if (function) replace(&make, function);
            }
    LLVMDisposeBuilder(make.builder);
}
