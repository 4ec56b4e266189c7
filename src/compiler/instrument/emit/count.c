#include "compiler/instrument/emit/count.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/known.h"

int count_flop(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        return 1;
    case LLVMCall: {
        const char *name = intrinsic_name(value);
        bool fused = name && (strncmp(name, "llvm.fmuladd", 12) == 0 || strncmp(name, "llvm.fma.", 9) == 0);
        return fused ? 2 : type_is_real(LLVMTypeOf(value));
    }
    default:
        return 0;
    }
}

static LLVMValueRef global(struct module_state *m, const char *name)
{
    LLVMValueRef counter = LLVMGetNamedGlobal(m->module, name);
    return counter ? counter : LLVMAddGlobal(m->module, m->i64, name);
}

LLVMValueRef count_global(struct module_state *m)
{
    return global(m, "parcast_vf_flop");
}

int *count_of_blocks(const struct function *f)
{
    int *flop = take((size_t)f->n_blocks, sizeof *flop);
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && f->nodes[i].kind == NODE_ARITH)
            flop[f->nodes[i].block] += count_flop(f->nodes[i].value);
    return flop;
}

static void add(struct module_state *m, LLVMValueRef counter, LLVMValueRef more)
{
    LLVMValueRef sum = LLVMBuildAdd(m->builder, LLVMBuildLoad2(m->builder, m->i64, counter, ""), more, "");
    LLVMBuildStore(m->builder, sum, counter);
}

static int *stores_of_blocks(const struct function *f)
{
    int *stores = take((size_t)f->n_blocks, sizeof *stores);
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && LLVMIsAStoreInst(f->nodes[i].value)) stores[f->nodes[i].block]++;
    return stores;
}

/* The function's own count is a register then, which loops add up in one step. */
static void hand_over(struct module_state *m, LLVMValueRef to, LLVMValueRef own, LLVMValueRef before)
{
    emit_before(m, before);
    add(m, to, LLVMBuildLoad2(m->builder, m->i64, own, ""));
    LLVMBuildStore(m->builder, emit_i64(m, 0), own);
}

bool count_waits(LLVMValueRef instruction)
{
    const char *name = intrinsic_name(instruction);
    return name && strncmp(name, "llvm.coro.suspend", 17) == 0;
}

/* What the compiler or a library computes without calling back may be called meanwhile. */
static bool may_ask(LLVMValueRef instruction)
{
    if (LLVMIsAReturnInst(instruction) || LLVMIsAResumeInst(instruction) ||
        LLVMIsAUnreachableInst(instruction) || count_waits(instruction))
        return true;
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction)) return false;
    return !intrinsic_name(instruction) && !is_pure_call(instruction);
}

/* Nothing may stand between a call that must be a jump and the return behind it. */
static bool follows_jump(LLVMValueRef instruction)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(instruction);
    return before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail;
}

/* What a loop is left for is not of its last iteration. */
static void go_to_top(struct function *f, int block)
{
    size_t length;
    emit_at_top(f, block);
    LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].ref);
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) &&
            strcmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "parcast_vf_loop_leave") == 0)
            emit_before(f->module, LLVMGetNextInstruction(i));
}

static void count_up(struct function *f, const int *counts, LLVMValueRef to)
{
    struct module_state *m = f->module;
    LLVMValueRef own = NULL;
    for (int b = 0; b < f->n_blocks; b++) {
        if (!counts[b]) continue;
        if (!own) own = emit_slot(f, m->i64);
        go_to_top(f, b);
        add(m, own, emit_i64(m, (unsigned)counts[b]));
    }
    for (int i = 0; own && i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && may_ask(f->nodes[i].value) && !follows_jump(f->nodes[i].value))
            hand_over(m, to, own, f->nodes[i].value);
}

void count_operations(struct module_state *m, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = m};
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    int *flop = count_of_blocks(&f), *stores = stores_of_blocks(&f);
    count_up(&f, flop, count_global(m));
    count_up(&f, stores, global(m, "parcast_vf_stores"));
    free(flop);
    free(stores);
    function_free(&f);
}
