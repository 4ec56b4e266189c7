/*
 * A structure of more than two words that is passed by value is a pointer with the attribute byval: the code
 * generator puts a copy of what is there on the stack, which the function's parameter points to. Nobody else
 * sees the copying, so it is told twice: by the caller before the call, and by the function when it begins.
 */
#include "compiler/instrument/rewrite/copies.h"

#include <stdio.h>

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/unit/source_name.h"

static unsigned byval(void)
{
    return LLVMGetEnumAttributeKindForName("byval", 5);
}

/* Of the parameter of this number; 0 when it is not passed like that. */
static unsigned long long copied_bytes(const struct function *f, unsigned i)
{
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(f->ref, i + 1, byval());
    return attribute ? LLVMABISizeOfType(f->module->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

void copies_pass(struct function *f, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (!LLVMGetCallSiteEnumAttribute(call, i + 1, byval())) continue;
        LLVMValueRef arguments[2] = {LLVMGetOperand(call, i), emit_i32(f->module, i)};
        emit_before(f->module, call);
        emit_call(f->module, HOOK_copy_pass, arguments, 2);
    }
}

static LLVMValueRef emit_name(struct function *f, unsigned i)
{
    char function[256], text[320];
    size_t length;
    source_name(LLVMGetValueName2(f->ref, &length), function, sizeof function);
    snprintf(text, sizeof text, "argument %u of %s", i + 1, function);
    return emit_text(f->module, text);
}

void copies_take(struct function *f)
{
    for (unsigned i = 0; i < LLVMCountParams(f->ref); i++) {
        unsigned long long bytes = copied_bytes(f, i);
        if (!bytes) continue;
        LLVMValueRef arguments[5] = {f->ref, emit_i32(f->module, i), LLVMGetParam(f->ref, i),
                                     emit_i64(f->module, bytes), NULL};
        emit_at_top(f, 0);
        arguments[4] = emit_name(f, i);
        emit_call(f->module, HOOK_copy_take, arguments, 5);
    }
}

void copies_leave(struct function *f, LLVMValueRef end)
{
    for (unsigned i = 0; i < LLVMCountParams(f->ref); i++) {
        unsigned long long bytes = copied_bytes(f, i);
        if (!bytes) continue;
        LLVMValueRef arguments[2] = {LLVMGetParam(f->ref, i), emit_i64(f->module, bytes)};
        emit_before(f->module, end);
        emit_call(f->module, HOOK_frame_leave, arguments, 2);
    }
}
