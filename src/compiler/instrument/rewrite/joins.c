/*
 * `goto failed` from three hundred places is one block with three hundred before it, and a phi of as many
 * alternatives; a switch may have as many edges to one block. The edges of one block become one, and then
 * those of a hundred blocks.
 */
#include "compiler/instrument/rewrite/joins.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/function.h"

enum { AT_ONCE = 128 };

struct join {
    LLVMContextRef context;
    LLVMValueRef function;
    LLVMBasicBlockRef block;
    LLVMBuilderRef builder;
    LLVMBasicBlockRef *before; /* [n] without repetitions */
    unsigned *entry, n;        /* entry: of a phi that tells the value of that block */
};

static LLVMValueRef next_phi(LLVMValueRef phi)
{
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    return next && LLVMIsAPHINode(next) ? next : NULL;
}

static bool can_be_split(LLVMBasicBlockRef block, LLVMValueRef phi)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    if (LLVMIsALandingPadInst(i) || LLVMIsACatchSwitchInst(i) || LLVMIsAFuncletPadInst(i)) return false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
        if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end)) return false;
    }
    return true;
}

static void find_before(struct join *join, LLVMValueRef phi)
{
    unsigned n = LLVMCountIncoming(phi);
    join->before = take(n, sizeof(LLVMBasicBlockRef));
    join->entry = take(n, sizeof *join->entry);
    for (unsigned k = 0; k < n; k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        unsigned i = 0;
        while (i < join->n && join->before[i] != from) i++;
        if (i < join->n) continue;
        join->before[i] = from;
        join->entry[join->n++] = k;
    }
}

/* All edges of a block to this one lead to that one now; how many these are. */
static unsigned lead(const struct join *join, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    unsigned n = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        if (LLVMGetSuccessor(end, i) != join->block) continue;
        LLVMSetSuccessor(end, i, to);
        n++;
    }
    return n;
}

static LLVMBasicBlockRef add_block(const struct join *join)
{
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(join->context, join->function, "");
    LLVMPositionBuilderAtEnd(join->builder, block);
    LLVMBuildBr(join->builder, join->block);
    return block;
}

static LLVMValueRef like(const struct join *join, LLVMValueRef phi)
{
    LLVMValueRef result = LLVMBuildPhi(join->builder, LLVMTypeOf(phi), "");
    LLVMInstructionSetDebugLoc(result, LLVMInstructionGetDebugLoc(phi));
    return result;
}

/* A phi of the blocks from..end, at the end of a block without its branch. */
static LLVMValueRef part_of(const struct join *join, LLVMValueRef phi, unsigned from, unsigned end,
                            LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(join->builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef part = like(join, phi);
    for (unsigned i = from; i < end; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, join->entry[i]);
        LLVMAddIncoming(part, &value, &join->before[i], 1);
    }
    return part;
}

/* Blocks with several edges get one of their own; what is merged below has one edge each. */
static void merge_edges(struct join *join)
{
    for (unsigned i = 0; i < join->n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(join->before[i]);
        unsigned n = 0;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) n += LLVMGetSuccessor(end, k) == join->block;
        if (n < 2) continue;
        LLVMBasicBlockRef block = add_block(join);
        lead(join, join->before[i], block);
        join->before[i] = block;
    }
}

static void merge_blocks(struct join *join)
{
    unsigned n_groups = (join->n + AT_ONCE - 1) / AT_ONCE;
    LLVMBasicBlockRef *groups = take(n_groups, sizeof(LLVMBasicBlockRef));
    for (unsigned g = 0; g < n_groups; g++) {
        groups[g] = add_block(join);
        for (unsigned i = g * AT_ONCE; i < join->n && i < (g + 1) * AT_ONCE; i++)
            lead(join, join->before[i], groups[g]);
    }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(join->block), next; phi; phi = next) {
        next = next_phi(phi);
        LLVMPositionBuilderBefore(join->builder, phi);
        LLVMValueRef whole = like(join, phi);
        for (unsigned g = 0; g < n_groups; g++) {
            unsigned end = (g + 1) * AT_ONCE < join->n ? (g + 1) * AT_ONCE : join->n;
            LLVMValueRef part = part_of(join, phi, g * AT_ONCE, end, groups[g]);
            LLVMAddIncoming(whole, &part, &groups[g], 1);
        }
        LLVMReplaceAllUsesWith(phi, whole);
        LLVMInstructionEraseFromParent(phi);
    }
    free(groups);
}

void joins_split(LLVMContextRef context, LLVMValueRef function)
{
    struct join join = {.context = context, .function = function};
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function);
    join.builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef phi = LLVMGetFirstInstruction(b);
        bool is_large = LLVMIsAPHINode(phi) && LLVMCountIncoming(phi) > MOST_USES && can_be_split(b, phi);
        if (is_large) {
            join.block = b;
            join.n = 0;
            find_before(&join, phi);
            merge_edges(&join);
            merge_blocks(&join);
            free(join.before);
            free(join.entry);
        }
        if (b == last) break;
    }
    LLVMDisposeBuilder(join.builder);
}

static bool is_among(LLVMBasicBlockRef block, const LLVMBasicBlockRef *blocks, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (blocks[i] == block) return true;
    return false;
}

/* The alternatives of one phi become those of two. */
static void part_phi(const struct join *join, LLVMValueRef phi, LLVMBasicBlockRef apart)
{
    LLVMPositionBuilderBefore(join->builder, LLVMGetBasicBlockTerminator(apart));
    LLVMValueRef part = like(join, phi);
    LLVMPositionBuilderBefore(join->builder, phi);
    LLVMValueRef whole = like(join, phi);
    LLVMAddIncoming(whole, &part, &apart, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(is_among(from, join->before, join->n) ? part : whole, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, whole);
    LLVMInstructionEraseFromParent(phi);
}

void joins_part(LLVMContextRef context, LLVMBasicBlockRef block, const LLVMBasicBlockRef *from, unsigned n)
{
    struct join join = {.context = context,
                        .function = LLVMGetBasicBlockParent(block),
                        .block = block,
                        .before = take(n, sizeof(LLVMBasicBlockRef)),
                        .n = n};
    join.builder = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef apart = add_block(&join);
    for (unsigned i = 0; i < n; i++) {
        join.before[i] = from[i];
        lead(&join, from[i], apart);
    }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block), next; phi && LLVMIsAPHINode(phi); phi = next) {
        next = next_phi(phi);
        part_phi(&join, phi, apart);
    }
    free(join.before);
    LLVMDisposeBuilder(join.builder);
}
