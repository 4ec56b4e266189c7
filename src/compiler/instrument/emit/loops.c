#include "compiler/instrument/emit/loops.h"

#include <stdio.h>
#include <string.h>

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/unit/own.h"
#include "compiler/loop.h"

static const char prefix[] = "parcast.loop.";
enum { LOOP_FIELDS = 6 }; /* of struct parcast_vf_loop */

static bool is_program_call(LLVMValueRef instruction)
{
    bool is_call = LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
    return is_call && !own_is_value(LLVMGetCalledValue(instruction));
}

static bool holds_loop(const struct function *f, int loop)
{
    for (int i = 0; i < f->n_loops; i++)
        if (f->loops[i].outer == loop) return true;
    return false;
}

static bool holds_call(const struct function *f, int loop)
{
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].position >= 0 && loop_holds(f, loop, f->nodes[i].block) &&
            is_program_call(f->nodes[i].value))
            return true;
    return false;
}

/* The one block before the header that is not in the loop, and the one in it; -1 where there are others. */
static int only_before(const struct function *f, int loop, bool inside)
{
    const struct block *header = &f->blocks[f->loops[loop].header];
    int found = -1;
    for (int i = 0; i < header->n_before; i++) {
        int b = header->before[i];
        if (f->blocks[b].order < 0 || loop_holds(f, loop, b) != inside) continue;
        if (found >= 0) return -1;
        found = b;
    }
    return found;
}

/* Does the region begin inside the loop? Then what is inside it is outermost in the region. */
static bool holds_marker(const struct function *f, int loop)
{
    size_t length;
    for (int i = 0; i < f->n_nodes; i++) {
        LLVMValueRef value = f->nodes[i].value;
        if (f->nodes[i].position < 0 || !loop_holds(f, loop, f->nodes[i].block) || !LLVMIsACallInst(value))
            continue;
        if (strcmp(LLVMGetValueName2(LLVMGetCalledValue(value), &length), "parcast_region_begin") == 0)
            return true;
    }
    return false;
}

static bool is_outermost(const struct function *f, int loop)
{
    for (int outer = f->loops[loop].outer; outer >= 0; outer = f->loops[outer].outer)
        if (!holds_marker(f, outer)) return false;
    return true;
}

static bool is_constant(LLVMValueRef value, long long *number)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}

/* Where it is decided whether there is another turn: before the last block where that only closes the loop,
 * since edges between two that branch and join have blocks of their own. */
static LLVMValueRef decision_of(const struct function *f, int loop)
{
    int latch = only_before(f, loop, true);
    LLVMValueRef end = block_end(f, latch);
    if (LLVMGetNumSuccessors(end) != 1 || f->blocks[latch].n_before != 1) return end;
    return block_end(f, f->blocks[latch].before[0]);
}

/* The constant that the variable has in the first turn, and that it grows by one. */
static bool counts_up_from(const struct function *f, int loop, LLVMValueRef phi, long long *first)
{
    int before = only_before(f, loop, false);
    bool begins = false, grows = false;
    if (LLVMGetInstructionParent(phi) != f->blocks[f->loops[loop].header].ref) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        long long step;
        if (LLVMGetIncomingBlock(phi, i) == f->blocks[before].ref)
            begins = is_constant(value, first);
        else
            grows = LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
                    LLVMGetOperand(value, 0) == phi && is_constant(LLVMGetOperand(value, 1), &step) &&
                    step == 1;
    }
    return begins && grows;
}

/* for (i = FIRST; i != END; i += 1) as it stands after rotation: i, or i + 1, is compared with a constant.
 * Few turns, and so no steps of time? Leaf functions have such loops, which would cost more to count than to
 * run. */
static bool has_few_turns(const struct function *f, int loop)
{
    enum { FEW = 16 }; /* as src/valueflow/run/plain.c */
    long long first = 0, last;
    LLVMValueRef end = decision_of(f, loop);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return false;
    LLVMValueRef variable = LLVMGetOperand(LLVMGetCondition(end), 0);
    if (!is_constant(LLVMGetOperand(LLVMGetCondition(end), 1), &last)) return false;
    bool is_next = LLVMIsABinaryOperator(variable);
    if (is_next) variable = LLVMGetOperand(variable, 0);
    if (!LLVMIsAPHINode(variable) || !counts_up_from(f, loop, variable, &first)) return false;
    long long turns = last - first + (is_next ? 0 : 1);
    return turns > 0 && turns < FEW;
}

static bool is_candidate(const struct function *f, int loop)
{
    if (!is_outermost(f, loop)) return false;
    int before = only_before(f, loop, false);
    if (before < 0 || only_before(f, loop, true) < 0) return false;
    if (LLVMGetNumSuccessors(block_end(f, before)) != 1) return false;
    if (has_few_turns(f, loop)) return false;
    return holds_loop(f, loop) || holds_call(f, loop);
}

/* struct parcast_vf_loop */
static LLVMTypeRef loop_type(const struct module_state *m)
{
    LLVMTypeRef fields[LOOP_FIELDS] = {m->pointer, m->i64, m->i64, m->i64, m->i64, m->i64};
    return LLVMStructTypeInContext(m->context, fields, LOOP_FIELDS, 0);
}

/* With a site it is defined here, otherwise in the followed version. */
static LLVMValueRef loop_global(struct module_state *m, unsigned number, LLVMValueRef site, bool uncounted)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", prefix, number);
    LLVMValueRef global = LLVMAddGlobal(m->module, loop_type(m), name);
    LLVMSetAlignment(global, 8);
    if (!site) return global;
    LLVMValueRef zero = emit_i64(m, 0),
                 values[LOOP_FIELDS] = {emit_site(m, site), emit_i64(m, uncounted), zero, zero, zero, zero};
    LLVMSetInitializer(global, LLVMConstStructInContext(m->context, values, LOOP_FIELDS, 0));
    LLVMSetSection(global, PARCAST_LOOPS_SECTION);
    return global;
}

static void tell(struct module_state *m, const char *hook, LLVMValueRef loop)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &m->pointer, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->module, hook);
    if (!function) {
        function = LLVMAddFunction(m->module, hook, type);
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(m->context, nounwind, 0));
    }
    LLVMBuildCall2(m->builder, type, function, &loop, 1, "");
}

static bool is_exit(const struct function *f, int loop, int block)
{
    if (loop_holds(f, loop, block) || f->blocks[block].order < 0) return false;
    for (int i = 0; i < f->blocks[block].n_before; i++)
        if (loop_holds(f, loop, f->blocks[block].before[i])) return true;
    return false;
}

/* A block that ends the program is still in the loop for who asks where the run was. */
static bool ends_program(const struct function *f, int block)
{
    return LLVMIsAUnreachableInst(block_end(f, block));
}

/* Where an exception lands nothing is told; the end of the region forgets the loop then. */
static bool takes_exceptions(const struct function *f, int block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[block].ref);
    while (i && LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    return i && LLVMIsALandingPadInst(i);
}

static void mark_ends(struct function *f, int loop, LLVMValueRef global, bool plain)
{
    struct module_state *m = f->module;
    emit_before(m, block_end(f, only_before(f, loop, false)));
    tell(m, "parcast_vf_loop_enter", global);
    for (int b = 0; b < f->n_blocks; b++) {
        if (!is_exit(f, loop, b) || takes_exceptions(f, b)) continue;
        if (!plain && ends_program(f, b)) continue;
        emit_at_top(f, b);
        tell(m, "parcast_vf_loop_leave", global);
    }
}

/* Volatile: it must be in memory when the program ends in the middle of the loop. */
static void count_iteration(struct module_state *m, LLVMValueRef global)
{
    LLVMValueRef inside = LLVMGetNamedGlobal(m->module, "parcast_vf_inside");
    if (!inside) inside = LLVMAddGlobal(m->module, m->i64, "parcast_vf_inside");
    LLVMValueRef one = LLVMBuildLoad2(m->builder, m->i64, inside, "");
    LLVMValueRef at = LLVMBuildStructGEP2(m->builder, loop_type(m), global, 2, "");
    LLVMValueRef count = LLVMBuildLoad2(m->builder, m->i64, at, "");
    LLVMSetVolatile(count, 1);
    LLVMSetVolatile(LLVMBuildStore(m->builder, LLVMBuildAdd(m->builder, count, one, ""), at), 1);
}

/* A loop that is left from its first block has finished the iteration before; others are left on the way
 * round. Where an exception leaves it is no end of it. */
static bool left_from_header(const struct function *f, int loop)
{
    LLVMValueRef end = block_end(f, f->loops[loop].header);
    for (int b = 0; b < f->n_blocks; b++)
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (f->blocks[b].ref == LLVMGetSuccessor(end, i) && !loop_holds(f, loop, b) &&
                !takes_exceptions(f, b))
                return true;
    return false;
}

static void mark(struct module_state *m, LLVMValueRef function, unsigned *number, bool plain)
{
    struct function f = {.ref = function, .module = m};
    function_number(&f);
    function_blocks(&f);
    for (int loop = 0; loop < f.n_loops; loop++) {
        if (!is_candidate(&f, loop)) continue;
        int latch = only_before(&f, loop, true);
        LLVMValueRef global =
            loop_global(m, (*number)++, plain ? NULL : block_end(&f, latch), !left_from_header(&f, loop));
        mark_ends(&f, loop, global, plain);
        emit_before(m, block_end(&f, latch));
        if (plain)
            count_iteration(m, global);
        else
            tell(m, "parcast_vf_loop_step", global);
    }
    function_free(&f);
}

void loops_follow(struct module_state *m, LLVMValueRef function, unsigned *number)
{
    mark(m, function, number, false);
}

void loops_count(struct module_state *m, LLVMValueRef function, unsigned *number)
{
    mark(m, function, number, true);
}

void loops_close(LLVMModuleRef module)
{
    size_t length;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(LLVMGetValueName2(g, &length), prefix, sizeof prefix - 1) == 0)
            LLVMSetLinkage(g, LLVMInternalLinkage);
}
