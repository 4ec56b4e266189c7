/*
 * `goto *table[code]` jumps to the address of a label. Every function stands in the program several times,
 * but a table of labels perhaps once: so labels are numbers from 1 on, the same in all versions, and a jump
 * is a choice among them. Unlike a jump, a choice has edges on which something can be done. What the jump
 * asks comes of the place in the table, as with any other table of numbers that nobody changes.
 */
#include "compiler/instrument/prepare/jumps.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/instrument/function/function.h"
#include "compiler/instrument/rewrite/joins.h"

/* The constant that stands for a label's address where somebody has taken it. */
static LLVMValueRef address_of(LLVMBasicBlockRef block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        if (LLVMIsABlockAddress(LLVMGetUser(use))) return LLVMGetUser(use);
    return NULL;
}

struct labelled {
    LLVMBasicBlockRef *blocks; /* label k + 1 */
    unsigned n;
};

/* Labels get their numbers, in the order of the function. */
static struct labelled number_labels(LLVMValueRef function, LLVMTypeRef word)
{
    struct labelled labelled = {take(LLVMCountBasicBlocks(function) + 1, sizeof(LLVMBasicBlockRef)), 0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef address = address_of(b);
        if (!address) continue;
        labelled.blocks[labelled.n++] = b;
        LLVMValueRef number = LLVMConstInt(word, labelled.n, false);
        LLVMReplaceAllUsesWith(address, LLVMConstIntToPtr(number, LLVMTypeOf(address)));
    }
    return labelled;
}

static bool is_only_read(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) continue;
        if (!LLVMIsAGetElementPtrInst(user) || !is_only_read(user)) return false;
    }
    return true;
}

/* A table that the function has declared without `const`. */
static void note_table(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
    if (!LLVMIsAGlobalVariable(pointer) || !LLVMGetInitializer(pointer)) return;
    LLVMLinkage linkage = LLVMGetLinkage(pointer);
    bool is_own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    if (is_own && is_only_read(pointer)) LLVMSetGlobalConstant(pointer, 1);
}

/* The number of a label that is loaded from a table, by one of several jumps. The builder is where it is used
 * first. */
static LLVMValueRef number_of(LLVMBuilderRef builder, LLVMValueRef label, LLVMTypeRef word, int depth)
{
    if (LLVMIsALoadInst(label)) {
        note_table(LLVMGetOperand(label, 0));
        LLVMPositionBuilderBefore(builder, label);
        return LLVMBuildLoad2(builder, word, LLVMGetOperand(label, 0), "");
    }
    if (!LLVMIsAPHINode(label) || depth > 0) return LLVMBuildPtrToInt(builder, label, word, "");
    LLVMPositionBuilderBefore(builder, label);
    LLVMValueRef phi = LLVMBuildPhi(builder, word, "");
    for (unsigned i = 0; i < LLVMCountIncoming(label); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(label, i);
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef number = number_of(builder, LLVMGetIncomingValue(label, i), word, depth + 1);
        LLVMAddIncoming(phi, &number, &from, 1);
    }
    return phi;
}

/* The front end has joined nothing yet where labels are: no phi counts the edges. A jump to the address of a
 * label in another function has no meaning, nor has one to 0. */
static void choose(LLVMBuilderRef builder, LLVMValueRef jump, const struct labelled *labelled,
                   LLVMTypeRef word)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(jump));
    LLVMBasicBlockRef nowhere = LLVMAppendBasicBlockInContext(LLVMGetTypeContext(word), function, "nowhere");
    LLVMPositionBuilderAtEnd(builder, nowhere);
    LLVMBuildUnreachable(builder);
    LLVMPositionBuilderBefore(builder, jump);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(jump));
    LLVMValueRef label = number_of(builder, LLVMGetOperand(jump, 0), word, 0);
    LLVMPositionBuilderBefore(builder, jump);
    LLVMValueRef choice = LLVMBuildSwitch(builder, label, nowhere, labelled->n);
    for (unsigned i = 0; i < labelled->n; i++)
        LLVMAddCase(choice, LLVMConstInt(word, i + 1, false), labelled->blocks[i]);
    LLVMInstructionEraseFromParent(jump);
}

/* ---- jumps that come back ---- */

struct reached {
    LLVMBasicBlockRef *blocks;
    unsigned n;
};

static bool is_reached(const struct reached *r, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->blocks[i] == block) return true;
    return false;
}

static void reach_from(LLVMBasicBlockRef block, struct reached *r)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
        if (!is_reached(r, LLVMGetSuccessor(end, i))) r->blocks[r->n++] = LLVMGetSuccessor(end, i);
}

/* All that a jump leads to and that jumps again comes back by one way, where the ways of a turn meet: what a
 * register holds then is a choice by what was jumped to. Otherwise the optimiser takes some of the ways for a
 * loop within the loop. */
static void come_back_together(LLVMBasicBlockRef block, unsigned n_blocks)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block)));
    struct reached r = {take(n_blocks, sizeof(LLVMBasicBlockRef)), 0};
    LLVMBasicBlockRef *back = take(n_blocks, sizeof *back);
    unsigned n = 0;
    reach_from(block, &r);
    for (unsigned i = 0; i < r.n; i++) reach_from(r.blocks[i], &r);
    for (unsigned i = 0; i < r.n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(r.blocks[i]);
        if (LLVMIsABranchInst(end) && !LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == block)
            back[n++] = r.blocks[i];
    }
    if (n > 1) joins_part(context, block, back, n);
    free(r.blocks);
    free(back);
}

void jumps_number(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt64TypeInContext(context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct labelled labelled = number_labels(f, word);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            if (!end || !LLVMIsAIndirectBrInst(end)) continue;
            choose(builder, end, &labelled, word);
            come_back_together(b, LLVMCountBasicBlocks(f));
        }
        free(labelled.blocks);
    }
    LLVMDisposeBuilder(builder);
}
