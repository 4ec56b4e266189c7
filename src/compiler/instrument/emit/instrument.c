/* One function: analysis, then calls of the run time from the first instruction to the last. */
#include "compiler/instrument/emit/instrument.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/emit/count.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/labels.h"
#include "compiler/instrument/emit/records.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/sums.h"
#include "compiler/instrument/rewrite/bits.h"
#include "compiler/instrument/rewrite/capped.h"
#include "compiler/instrument/rewrite/common.h"
#include "compiler/instrument/rewrite/copies.h"
#include "compiler/instrument/rewrite/counted.h"
#include "compiler/instrument/rewrite/detours/detours.h"
#include "compiler/instrument/rewrite/early.h"
#include "compiler/instrument/rewrite/exchanges.h"
#include "compiler/instrument/rewrite/firsts.h"
#include "compiler/instrument/rewrite/guarded/guarded.h"
#include "compiler/instrument/rewrite/joins.h"
#include "compiler/instrument/rewrite/kept.h"
#include "compiler/instrument/rewrite/met_ways.h"
#include "compiler/instrument/rewrite/padding.h"
#include "compiler/instrument/rewrite/small_copies.h"
#include "compiler/instrument/rewrite/tables.h"
#include "compiler/instrument/rewrite/truths.h"
#include "compiler/instrument/rewrite/written_back.h"
#include "compiler/instrument/unit/ordering.h"
#include "compiler/instrument/unit/pieces.h"
#include "compiler/instrument/unit/site.h"
#include "compiler/instrument/unit/variables.h"

/* Arrays in the frame are allocations that end with the call. */
static bool is_frame_array(const struct function *f, LLVMValueRef value)
{
    if (!LLVMIsAAllocaInst(value)) return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(value));
    return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind ||
           !LLVMIsAConstantInt(LLVMGetOperand(value, 0)) ||
           LLVMABISizeOfType(f->module->layout, LLVMGetAllocatedType(value)) > 0;
}

static LLVMValueRef frame_bytes(const struct function *f, LLVMValueRef array)
{
    struct module_state *m = f->module;
    unsigned long long one = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(array));
    LLVMValueRef n = LLVMGetOperand(array, 0);
    if (LLVMIsAConstantInt(n)) return emit_i64(m, one * LLVMConstIntGetZExtValue(n));
    if (LLVMTypeOf(n) != m->i64) n = LLVMBuildZExt(m->builder, n, m->i64, "");
    return LLVMBuildMul(m->builder, n, emit_i64(m, one), "");
}

/* Is the stack given back in this loop? What alloca() takes is not; what an array of variable length takes
 * is. */
static bool gives_stack_back(const struct function *f, int loop)
{
    for (int i = 0; i < f->n_nodes; i++) {
        const char *name = LLVMIsACallInst(f->nodes[i].value) ? intrinsic_name(f->nodes[i].value) : NULL;
        if (name && strncmp(name, "llvm.stackrestore", 17) == 0 && f->blocks[f->nodes[i].block].loop == loop)
            return true;
    }
    return false;
}

/* Does its life begin again in every turn of a loop? */
static bool is_fleeting(const struct function *f, LLVMValueRef array)
{
    int loop = f->blocks[f->nodes[node_of(f, array)].block].loop;
    if (loop >= 0) return gives_stack_back(f, loop);
    for (LLVMUseRef use = LLVMGetFirstUse(array); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        const char *name = user >= 0 ? intrinsic_name(f->nodes[user].value) : NULL;
        if (name && strncmp(name, "llvm.lifetime.start", 19) == 0 &&
            f->blocks[f->nodes[user].block].loop >= 0)
            return true;
    }
    return false;
}

/* "u (step)"; "heat.c:12 (step)" where its name is not known. */
static LLVMValueRef emit_frame_name(struct module_state *m, LLVMValueRef array)
{
    char site[512], variable[64], text[640];
    if (variable_in_frame(array, variable, sizeof variable)) {
        site_write_at(array, NULL, site, sizeof site);
        snprintf(text, sizeof text, "%s (%s)", variable, site);
        return emit_text(m, text);
    }
    site_write(array, site, sizeof site);
    const char *folder = strrchr(site, '/');
    return emit_text(m, LLVMInstructionGetDebugLoc(array) && folder ? folder + 1 : site);
}

/* At the beginning, where all others of one size are: optimisation may put something before one of them. */
static bool is_at_top(LLVMValueRef array)
{
    LLVMValueRef before = array;
    while (before && LLVMIsAAllocaInst(before)) before = LLVMGetPreviousInstruction(before);
    return !before && LLVMIsAConstantInt(LLVMGetOperand(array, 0));
}

static void emit_frame_enter(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef array = f->nodes[i].value;
    if (f->nodes[i].block == 0 && is_at_top(array))
        emit_at_top(f, 0);
    else
        emit_after(f, i);
    LLVMValueRef arguments[4] = {array, frame_bytes(f, array), emit_frame_name(m, array),
                                 emit_i32(m, is_fleeting(f, array))};
    emit_call(m, HOOK_frame_enter, arguments, 4);
}

/* A frame array whose size is not known at the entry is left to whoever uses the memory next. */
static void emit_frame_leave(struct function *f, LLVMValueRef ret)
{
    struct module_state *m = f->module;
    for (int i = 0; i < f->n_nodes; i++) {
        LLVMValueRef array = f->nodes[i].value;
        if (!LLVMIsAAllocaInst(array) || f->nodes[i].block != 0 || !is_frame_array(f, array)) continue;
        if (!LLVMIsAConstantInt(LLVMGetOperand(array, 0))) continue;
        emit_before(m, ret);
        LLVMValueRef arguments[2] = {array, frame_bytes(f, array)};
        emit_call(m, HOOK_frame_leave, arguments, 2);
    }
}

static void emit_ordered(struct function *f)
{
    int end = ordering_end(f->ref);
    if (end < 0) return;
    LLVMValueRef arguments[2] = {LLVMGetParam(f->ref, 0), LLVMGetParam(f->ref, (unsigned)end)};
    emit_call(f->module, HOOK_ordered, arguments, 2);
}

static void emit_end(struct function *f, LLVMValueRef ret)
{
    struct module_state *m = f->module;
    emit_before(m, ret);
    emit_ordered(f);
    for (int s = 0; s < f->n_sums; s++) emit_call(m, HOOK_sum_free, &f->sums[s].slot, 1);
    for (int i = 0; i < f->n_kept; i++) {
        LLVMValueRef arguments[2] = {f->kept[i], emit_i32(m, 0)};
        emit_call(m, HOOK_keep, arguments, 2);
    }
    emit_frame_leave(f, ret);
    copies_leave(f, ret);
}

/* Vectors are taken apart before, but for what only some lanes of one read or write. */
static bool is_masked_access(const char *name)
{
    if (strncmp(name, "llvm.masked.", 12) == 0) return true;
    return strncmp(name, "llvm.x86.", 9) == 0 && (strstr(name, "load") || strstr(name, "store") ||
                                                  strstr(name, "gather") || strstr(name, "scatter"));
}

static void emit_piece(struct function *f, const struct piece_note *note, LLVMValueRef before)
{
    struct module_state *m = f->module;
    LLVMValueRef arguments[4] = {note->at, note->base, note->holder, emit_i32(m, note->is_member)};
    emit_before(m, before);
    emit_call(m, HOOK_piece, arguments, 4);
}

static void emit_intrinsic(struct function *f, int i)
{
    struct piece_note note;
    const char *name = intrinsic_name(f->nodes[i].value);
    if (pieces_read(f->nodes[i].value, &note)) emit_piece(f, &note, f->nodes[i].value);
    if (name && (strncmp(name, "llvm.memcpy", 11) == 0 || strncmp(name, "llvm.memmove", 12) == 0 ||
                 strncmp(name, "llvm.memset", 11) == 0))
        emit_range(f, i, name);
    if (name && is_masked_access(name)) {
        emit_before(f->module, f->nodes[i].value);
        emit_unsupported(f, f->nodes[i].value, "memory that vector code reads or writes in part");
    }
    if (name && strncmp(name, "llvm.eh.sjlj.", 13) == 0) {
        emit_before(f->module, f->nodes[i].value);
        emit_unsupported(f, f->nodes[i].value, name + 13); /* __builtin_setjmp, __builtin_longjmp */
    }
    if (name && strncmp(name, "llvm.va_start", 13) == 0) emit_variable(f, f->nodes[i].value);
}

/* The run time knows every array of the frame from the entry on: without these the back end would give two of
 * them one place. */
static void drop_lifetimes(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        const char *name = LLVMIsACallInst(f->nodes[i].value) ? intrinsic_name(f->nodes[i].value) : NULL;
        if (name && strncmp(name, "llvm.lifetime.", 14) == 0)
            LLVMInstructionEraseFromParent(f->nodes[i].value);
    }
}

static void emit_node(struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMStore:
        if (is_store(&f->nodes[i])) emit_store(f, i);
        break;
    case LLVMRet:
        emit_return(f, i);
        break;
    case LLVMAlloca:
        if (is_frame_array(f, value)) emit_frame_enter(f, i);
        break;
    case LLVMPHI:
        if (LLVMCountIncoming(value) <= MOST_USES || !type_carries(LLVMTypeOf(value))) break;
        emit_at_top(f, f->nodes[i].block);
        emit_unsupported(f, value, "a computed jump from very many places");
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        emit_after(f, i);
        emit_unsupported(f, value, "an atomic update");
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        emit_place(f, i);
        if (is_real_call(value))
            emit_real_call(f, i);
        else
            emit_intrinsic(f, i);
        break;
    default:
        break;
    }
}

/* `m[key]` gives what it has found to a function only where that has to make a node: nobody needs the search
 * as a result otherwise. */
static bool is_late(const struct function *f, int i)
{
    LLVMValueRef call = f->nodes[i].value;
    bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    if (!is_call || !is_real_call(call)) return false;
    for (unsigned j = 0; j < LLVMGetNumArgOperands(call); j++)
        if (labels_may_be_late(f, i, LLVMGetOperand(call, j))) return true;
    return false;
}

/* What is emitted behind a late call is not to stand behind what begins the call after it, which has been
 * emitted by then: `release(list); use(x);`. */
static void place_behind_late(struct function *f)
{
    struct module_state *m = f->module;
    for (int i = 0; i < f->n_nodes; i++) {
        struct node *node = &f->nodes[i];
        if (node->position < 0 || f->blocks[node->block].order < 0 || !is_late(f, i)) continue;
        emit_after(f, i);
        node->behind = LLVMBuildFreeze(m->builder, LLVMGetUndef(m->i32), "");
    }
}

static void leave_behind_late(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].behind) LLVMInstructionEraseFromParent(f->nodes[i].behind);
}

static void emit_nodes(struct function *f, bool late)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && f->blocks[f->nodes[i].block].order >= 0 && is_late(f, i) == late)
            emit_node(f, i);
}

/* A coroutine leaves a block where it waits, and comes back to the same place. */
static LLVMValueRef counted_before(const struct function *f, int block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].ref), end = block_end(f, block);
    while (i != end && !count_waits(i)) i = LLVMGetNextInstruction(i);
    return i;
}

/* One addition a block keeps the count of operations exact. */
static void emit_flop(struct function *f)
{
    struct module_state *m = f->module;
    int *flop = count_of_blocks(f);
    LLVMValueRef counter = count_global(m);
    for (int b = 0; b < f->n_blocks; b++) {
        if (!flop[b]) continue;
        emit_before(m, counted_before(f, b));
        LLVMValueRef sum = LLVMBuildAdd(m->builder, LLVMBuildLoad2(m->builder, m->i64, counter, ""),
                                        emit_i64(m, (unsigned)flop[b]), "");
        LLVMBuildStore(m->builder, sum, counter);
    }
    free(flop);
}

/* What is told of a call stands behind it: a call that must be a jump, `[[clang::musttail]]`, becomes one
 * that comes back. False where it passes on variable arguments, as only a jump can: the function is a way to
 * another one, of a virtual one in a base class, and computes nothing. */
static bool let_calls_come_back(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) || LLVMGetTailCallKind(i) != LLVMTailCallKindMustTail) continue;
            if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i))) return false;
            LLVMSetTailCallKind(i, LLVMTailCallKindNone);
        }
    return true;
}

void instrument_function(struct module_state *m, LLVMValueRef function)
{
    struct function f = {.ref = function, .module = m};
    if (!let_calls_come_back(function)) return;
    padding_drop(function);
    joins_split(LLVMGetModuleContext(m->module), function);
    tables_part(LLVMGetModuleContext(m->module), function);
    small_copies_part(LLVMGetModuleContext(m->module), function);
    met_ways_part(LLVMGetModuleContext(m->module), function);
    written_back_part(LLVMGetModuleContext(m->module), function);
    common_operations(LLVMGetModuleContext(m->module), function);
    bits_put(LLVMGetModuleContext(m->module), function);
    truths_go_on(LLVMGetModuleContext(m->module), function);
    early_ends(m, function);
    exchanges_show(m, function);
    counted_load_again(function);
    guarded_stores(LLVMGetModuleContext(m->module), function);
    capped_counts(LLVMGetModuleContext(m->module), function);
    firsts_show(m, function);
    kept_words(m, function);
    detours_close(m, function);
    function_number(&f);
    function_blocks(&f);
    flow_kinds(&f);
    flow_carries(&f);
    flow_needed(&f);
    sums_find(&f);
    copies_take(&f);
    sums_emit(&f);
    place_behind_late(&f);
    emit_nodes(&f, false);
    emit_nodes(&f, true);
    leave_behind_late(&f);
    records_emit(&f);
    for (int i = 0; i < f.n_nodes; i++)
        if (f.nodes[i].position >= 0 &&
            (LLVMIsAReturnInst(f.nodes[i].value) || LLVMIsAResumeInst(f.nodes[i].value)))
            emit_end(&f, f.nodes[i].value);
    emit_flop(&f);
    drop_lifetimes(&f);
    kept_forget(function);
    guarded_back(LLVMGetModuleContext(m->module), function);
    function_free(&f);
}
