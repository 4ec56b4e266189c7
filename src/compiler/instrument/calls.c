/* Calls and returns: labels go along. */
#include "emit.h"
#include "instrument.h"
#include "labels.h"

static bool is_declaration(LLVMValueRef callee)
{
    return !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee);
}

static void emit_begin(struct function *f, int i)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    unsigned n = LLVMGetNumArgOperands(node->value);
    struct labels labels = {.sum = -1};
    int last = 0;
    for (unsigned j = 0; j < n && j < MOST_LABELS; j++) {
        struct use use = {LLVMGetOperand(node->value, j), node->block, node->position};
        labels.ids[j] = use_carries(f, &use) ? labels_single(f, &use, node->value) : emit_i32(m, 0);
        if (use_carries(f, &use)) last = (int)j + 1;
    }
    labels.n = last;
    emit_before(m, node->value);
    LLVMValueRef arguments[3] = {LLVMGetCalledValue(node->value), emit_i32(m, (unsigned)last), NULL};
    arguments[2] = emit_buffer(f, &labels);
    emit_call(m, HOOK_call_begin, arguments, 3);
}

/* A callee that may not be instrumented may have written where its pointers go. */
static void emit_outside(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef call = f->nodes[i].value, callee = LLVMGetCalledValue(call), slot = NULL;
    unsigned n = 0;
    LLVMTypeRef type = LLVMArrayType2(m->pointer, 16);
    emit_after(f, i);
    for (unsigned j = 0; j < LLVMGetNumArgOperands(call) && n < 16; j++) {
        LLVMValueRef argument = LLVMGetOperand(call, j);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind) continue;
        if (!slot) slot = emit_slot(f, type);
        LLVMValueRef index = emit_i64(m, n++);
        LLVMBuildStore(m->builder, argument,
                       LLVMBuildInBoundsGEP2(m->builder, m->pointer, slot, &index, 1, ""));
    }
    size_t length;
    const char *name =
        LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "a function that a pointer leads to";
    LLVMValueRef arguments[4] = {callee, emit_text(m, name), emit_i32(m, n),
                                 slot ? slot : LLVMConstNull(m->pointer)};
    emit_call(m, HOOK_call_outside, arguments, 4);
}

void emit_real_call(struct function *f, int i)
{
    emit_begin(f, i);
    if (f->nodes[i].needed) {
        struct keys keys = {.n = 1};
        struct labels labels;
        keys.key[0] = (struct key){.kind = KEY_VALUE, .node = i};
        labels_of(f, &keys, &labels);
    }
    if (is_declaration(LLVMGetCalledValue(f->nodes[i].value))) emit_outside(f, i);
}

void emit_return(struct function *f, int i)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    LLVMValueRef label = emit_i32(m, 0);
    if (LLVMGetNumOperands(node->value)) {
        struct use use = {LLVMGetOperand(node->value, 0), node->block, node->position};
        if (use_carries(f, &use)) label = labels_single(f, &use, node->value);
    }
    emit_before(m, node->value);
    LLVMValueRef arguments[2] = {f->ref, label};
    emit_call(m, HOOK_returns, arguments, 2);
}
