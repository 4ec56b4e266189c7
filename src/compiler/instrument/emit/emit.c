#include "compiler/instrument/emit/emit.h"

#include "compiler/hooks.h"
#include "compiler/instrument/emit/inline.h"
#include "compiler/instrument/function/address.h"
#include "compiler/instrument/rewrite/kept.h"
#include "compiler/instrument/unit/site.h"

#include <string.h>

static const struct {
    const char *result, *name, *arguments;
} hooks[] = {
#define HOOK(result, name, arguments) {#result, "parcast_vf_" #name, #arguments},
#include "compiler/hooks.def"
#undef HOOK
};

static LLVMTypeRef type_of(const struct module_state *m, const char *text, size_t length)
{
    if (memchr(text, '*', length)) return m->pointer;
    return length >= 8 && memcmp(text, "uint64_t", 8) == 0 ? m->i64 : m->i32;
}

static LLVMTypeRef hook_type(const struct module_state *m, enum hook hook)
{
    LLVMTypeRef types[16];
    unsigned n = 0;
    const char *p = hooks[hook].arguments + 1;
    while (strcmp(p, "void)") != 0 && *p && n < 16) {
        size_t length = strcspn(p, ",)");
        types[n++] = type_of(m, p, length);
        p += length + (p[length] != 0);
        while (*p == ' ') p++;
    }
    bool is_void = strcmp(hooks[hook].result, "void") == 0;
    return LLVMFunctionType(is_void ? LLVMVoidTypeInContext(m->context) : m->i32, types, n, 0);
}

void emit_open(struct module_state *m, LLVMModuleRef module)
{
    m->module = module;
    m->context = LLVMGetModuleContext(module);
    m->layout = LLVMGetModuleDataLayout(module);
    m->builder = LLVMCreateBuilderInContext(m->context);
    m->i32 = LLVMInt32TypeInContext(m->context);
    m->i64 = LLVMInt64TypeInContext(m->context);
    m->pointer = LLVMPointerTypeInContext(m->context, 0);
    m->sum_type = LLVMArrayType2(m->i64, sizeof(struct parcast_vf_sum) / 8);
}

void emit_close(struct module_state *m)
{
    LLVMDisposeBuilder(m->builder);
}

static const char *name_of(enum hook hook)
{
    if (hook == HOOK_load8) return INLINE_LOAD8;
    return hook == HOOK_record ? INLINE_RECORD : hooks[hook].name;
}

LLVMValueRef emit_call(struct module_state *m, enum hook hook, LLVMValueRef *arguments, unsigned n)
{
    LLVMTypeRef type = hook_type(m, hook);
    const char *name = name_of(hook);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
    if (!function) {
        function = LLVMAddFunction(m->module, name, type);
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(m->context, nounwind, 0));
    }
    return LLVMBuildCall2(m->builder, type, function, arguments, n, "");
}

LLVMValueRef emit_i32(const struct module_state *m, unsigned long long value)
{
    return LLVMConstInt(m->i32, value, 0);
}

LLVMValueRef emit_i64(const struct module_state *m, unsigned long long value)
{
    return LLVMConstInt(m->i64, value, 0);
}

LLVMValueRef emit_text(struct module_state *m, const char *text)
{
    unsigned length = (unsigned)strlen(text);
    LLVMValueRef bytes = LLVMConstStringInContext2(m->context, text, length, 0);
    LLVMValueRef global = LLVMAddGlobal(m->module, LLVMTypeOf(bytes), "parcast.text");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

LLVMValueRef emit_site(struct module_state *m, LLVMValueRef instruction)
{
    char text[512];
    site_write(instruction, text, sizeof text);
    return emit_text(m, text);
}

unsigned emit_word_size(const struct module_state *m, LLVMTypeRef type)
{
    unsigned long long bytes = LLVMStoreSizeOfType(m->layout, type);
    return bytes >= 8 ? 8 : bytes > 2 ? 4 : (unsigned)bytes;
}

LLVMValueRef emit_load(struct module_state *m, LLVMValueRef p, LLVMTypeRef type)
{
    unsigned size = emit_word_size(m, type);
    LLVMValueRef arguments[2] = {p, emit_i32(m, size)};
    if (size < 4) return emit_call(m, HOOK_load, arguments, 2);
    return emit_call(m, size == 8 ? HOOK_load8 : HOOK_load4, arguments, 1);
}

void emit_before(struct module_state *m, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(m->builder, instruction);
}

void emit_at_top(struct function *f, int block)
{
    int i = 0;
    while (f->nodes[i].block != block || f->nodes[i].position < 0) i++;
    while (LLVMIsAPHINode(f->nodes[i].value) || LLVMIsALandingPadInst(f->nodes[i].value) ||
           LLVMIsAAllocaInst(f->nodes[i].value))
        i++;
    emit_before(f->module, f->nodes[i].value);
}

void emit_after(struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    if (f->nodes[i].behind)
        emit_before(f->module, f->nodes[i].behind);
    else if (LLVMIsAInvokeInst(value))
        emit_at_top(f, f->nodes[node_of(f, LLVMGetBasicBlockTerminator(LLVMGetNormalDest(value)))].block);
    else if (LLVMIsAPHINode(value))
        emit_at_top(f, f->nodes[i].block);
    else
        emit_before(f->module, f->nodes[i + 1].value);
}

LLVMValueRef emit_there(struct function *f, LLVMValueRef p)
{
    struct module_state *m = f->module;
    LLVMValueRef base = address_base(p);
    if (LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base)) return p;
    LLVMValueRef nowhere = LLVMGetNamedGlobal(m->module, "parcast_vf_nowhere");
    if (!nowhere) nowhere = LLVMAddGlobal(m->module, m->i64, "parcast_vf_nowhere");
    LLVMValueRef there = emit_call(m, HOOK_there, &p, 1);
    LLVMValueRef is_there = LLVMBuildICmp(m->builder, LLVMIntNE, there, emit_i32(m, 0), "");
    return LLVMBuildSelect(m->builder, is_there, p, nowhere, "");
}

LLVMValueRef emit_address(struct function *f, int access)
{
    LLVMValueRef value = f->nodes[access].value, p = LLVMGetOperand(value, LLVMIsAStoreInst(value) ? 1 : 0);
    return kept_is_shown(value) ? emit_there(f, p) : p;
}

LLVMValueRef emit_slot(struct function *f, LLVMTypeRef type)
{
    struct module_state *m = f->module;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->ref);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef slot = LLVMBuildAlloca(builder, type, "");
    LLVMValueRef i = LLVMGetNextInstruction(slot);
    while (LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(builder, i);
    LLVMBuildStore(builder, LLVMConstNull(type), slot);
    LLVMDisposeBuilder(builder);
    return slot;
}

LLVMValueRef emit_buffer(struct function *f, const struct labels *labels)
{
    struct module_state *m = f->module;
    if (!f->buffer) f->buffer = emit_slot(f, LLVMArrayType2(m->i32, 64));
    for (int i = 0; i < labels->n; i++) {
        LLVMValueRef index = emit_i64(m, (unsigned long long)i);
        LLVMValueRef at = LLVMBuildInBoundsGEP2(m->builder, m->i32, f->buffer, &index, 1, "");
        LLVMBuildStore(m->builder, labels->ids[i], at);
    }
    return f->buffer;
}
