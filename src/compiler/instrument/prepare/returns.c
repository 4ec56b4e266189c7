/*
 * Where a block with variables of its own, a loop's counter say, is left by return, break or goto, the front
 * end notes where to go on, ends the lives of the variables and goes there by what was noted. Which of the
 * ways out was taken is then told by that number alone, and no condition of the loop seems to decide what is
 * returned. The ways lead there directly instead.
 */
#include "compiler/instrument/prepare/returns.h"

#include <stdlib.h>

#include "compiler/instrument/function/function.h"

enum { MOST_WAYS = 32, MOST_BLOCKS = 4096 };

/* A block of phis that goes on by one of them, and by which constant each way leads to it. */
struct fork {
    LLVMBasicBlockRef block, from[MOST_WAYS], to[MOST_WAYS];
    LLVMValueRef end, by;
    unsigned n;
};

static bool is_note(LLVMValueRef i)
{
    return LLVMIsADbgInfoIntrinsic(i) != NULL;
}

/* The phi that the switch, or the branch by its comparison with a number, asks; NULL. */
static LLVMValueRef asked_phi(LLVMValueRef end)
{
    LLVMValueRef asked = NULL;
    if (LLVMIsASwitchInst(end)) asked = LLVMGetOperand(end, 0);
    if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) asked = LLVMGetCondition(end);
    if (asked && LLVMIsAICmpInst(asked) && LLVMGetInstructionParent(asked) == LLVMGetInstructionParent(end) &&
        LLVMIsAConstantInt(LLVMGetOperand(asked, 1)))
        asked = LLVMGetOperand(asked, 0);
    bool is_here =
        asked && LLVMIsAPHINode(asked) && LLVMGetInstructionParent(asked) == LLVMGetInstructionParent(end);
    return is_here ? asked : NULL;
}

static bool holds_phis_only(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef compare = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !is_note(i) && i != end && i != compare) return false;
    LLVMUseRef use = compare ? LLVMGetFirstUse(compare) : NULL;
    return !use || !LLVMGetNextUse(use);
}

static bool is_equal_or_not(LLVMValueRef compare, LLVMValueRef constant)
{
    bool same = LLVMConstIntGetZExtValue(LLVMGetOperand(compare, 1)) == LLVMConstIntGetZExtValue(constant);
    return LLVMGetICmpPredicate(compare) == LLVMIntEQ ? same : !same;
}

/* Where the block goes on for a constant; NULL where nobody knows. */
static LLVMBasicBlockRef goes_on(LLVMValueRef end, LLVMValueRef constant)
{
    if (LLVMIsASwitchInst(end)) {
        for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetOperand(end, 2 * i) == constant) return LLVMGetSuccessor(end, i);
        return LLVMGetSwitchDefaultDest(end);
    }
    LLVMValueRef condition = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(condition)) return LLVMGetSuccessor(end, LLVMConstIntGetZExtValue(constant) ? 0 : 1);
    LLVMIntPredicate order = LLVMGetICmpPredicate(condition);
    if (order != LLVMIntEQ && order != LLVMIntNE) return NULL;
    return LLVMGetSuccessor(end, is_equal_or_not(condition, constant) ? 0 : 1);
}

static unsigned count_edges(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    unsigned n = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) n += LLVMGetSuccessor(end, i) == to;
    return n;
}

static bool find_fork(LLVMBasicBlockRef block, struct fork *fork)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), phi = asked_phi(end);
    if (!phi || LLVMCountIncoming(phi) > MOST_WAYS || !holds_phis_only(block)) return false;
    *fork = (struct fork){.block = block, .end = end, .by = phi, .n = LLVMCountIncoming(phi)};
    for (unsigned i = 0; i < fork->n; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        bool is_number = LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
        fork->from[i] = LLVMGetIncomingBlock(phi, i);
        fork->to[i] = is_number ? goes_on(end, value) : NULL;
        if (!fork->to[i] || !LLVMIsABranchInst(LLVMGetBasicBlockTerminator(fork->from[i])) ||
            count_edges(fork->from[i], block) != 1 || count_edges(fork->from[i], fork->to[i]))
            return false;
    }
    return true;
}

/* A machine that goes from state to state stays what it is. */
static bool comes_again(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef *seen = take(MOST_BLOCKS, sizeof(LLVMBasicBlockRef));
    size_t n = 0;
    bool again = false;
    seen[n++] = block;
    for (size_t i = 0; i < n && !again; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end) && !again; j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, j);
            bool is_new = true;
            for (size_t k = 0; k < n && is_new; k++) is_new = seen[k] != to;
            again = to == block || (is_new && n == MOST_BLOCKS);
            if (is_new && !again) seen[n++] = to;
        }
    }
    free(seen);
    return again;
}

static LLVMValueRef make_variable(LLVMBuilderRef builder, const struct fork *fork, LLVMValueRef phi)
{
    LLVMBasicBlockRef top = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(fork->block));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(top));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef variable = LLVMBuildAlloca(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(builder, LLVMGetIncomingValue(phi, i), variable);
    }
    return variable;
}

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    unsigned i = 0;
    while (LLVMGetIncomingBlock(phi, i) != from) i++;
    return LLVMGetIncomingValue(phi, i);
}

/* The phis of the block that a way leads to now. */
static void add_way(const struct fork *fork, unsigned way)
{
    LLVMBasicBlockRef from = fork->from[way];
    LLVMValueRef phi = LLVMGetFirstInstruction(fork->to[way]);
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = value_from(phi, fork->block);
        bool is_own = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == fork->block;
        if (is_own) value = value_from(value, from);
        LLVMAddIncoming(phi, &value, &from, 1);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == fork->block) LLVMSetSuccessor(end, i, fork->to[way]);
}

/* A use of the phi that is neither in the block nor at its end. */
static LLVMValueRef find_user(const struct fork *fork, LLVMValueRef phi, unsigned *operand)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) == fork->block) continue;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
            *operand = i;
            if (LLVMGetOperand(user, i) != phi) continue;
            if (!LLVMIsAPHINode(user) || LLVMGetIncomingBlock(user, i) != fork->block) return user;
        }
    }
    return NULL;
}

/* Behind the block what the phi was is read from a variable. */
static void put_into_variable(LLVMBuilderRef builder, const struct fork *fork, LLVMValueRef phi)
{
    unsigned operand;
    LLVMValueRef user = find_user(fork, phi, &operand);
    LLVMValueRef variable = user ? make_variable(builder, fork, phi) : NULL;
    for (; user; user = find_user(fork, phi, &operand)) {
        bool is_phi = LLVMIsAPHINode(user) != NULL;
        LLVMPositionBuilderBefore(
            builder, is_phi ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)) : user);
        LLVMSetOperand(user, operand, LLVMBuildLoad2(builder, LLVMTypeOf(phi), variable, ""));
    }
}

/* Nobody comes through the block any more. */
static void part(LLVMBuilderRef builder, const struct fork *fork)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(fork->block), next;
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) put_into_variable(builder, fork, phi);
    for (unsigned i = 0; i < fork->n; i++) add_way(fork, i);
    for (phi = LLVMGetFirstInstruction(fork->block); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMReplaceAllUsesWith(phi, LLVMGetUndef(LLVMTypeOf(phi)));
        LLVMInstructionEraseFromParent(phi);
    }
}

bool returns_part(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool changed = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            struct fork fork;
            if (!find_fork(b, &fork) || comes_again(b)) continue;
            part(builder, &fork);
            changed = true;
        }
    LLVMDisposeBuilder(builder);
    return changed;
}
