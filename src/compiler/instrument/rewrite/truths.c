/*
 * `any = any || x[i] > t;` asks x[i] only where any was false; where it was true the front end makes it the
 * constant true. That constant is what any was, so that all x[i] that were asked so far are behind it.
 * Whether there was any is asked behind the loop, also where the optimiser knows the answer if that is not
 * run.
 */
#include "compiler/instrument/rewrite/truths.h"

#include <stdbool.h>

#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"

enum { MOST_STEPS = 6 };

/* A condition that is known on a way. */
struct known {
    LLVMValueRef condition;
    bool holds;
};

static struct known known_on(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (int i = 0; i < MOST_STEPS && LLVMIsABranchInst(end) && !LLVMIsConditional(end); i++) {
        to = from;
        from = content_predecessor(from);
        if (!from) return (struct known){NULL, false};
        end = LLVMGetBasicBlockTerminator(from);
    }
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return (struct known){NULL, false};
    return (struct known){LLVMGetCondition(end), LLVMGetSuccessor(end, 0) == to};
}

/* Does the value of the last turn come of this one, by phis of one way and other widths at most? */
static bool goes_on_as(LLVMValueRef kept, LLVMValueRef value)
{
    for (unsigned i = 0; LLVMIsAPHINode(kept) && i < LLVMCountIncoming(kept); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(kept, i);
        for (int step = 0; step < MOST_STEPS && in != value && LLVMIsAInstruction(in); step++) {
            if (LLVMIsAPHINode(in) && LLVMCountIncoming(in) == 1)
                in = LLVMGetIncomingValue(in, 0);
            else if (store_is_width(in))
                in = LLVMGetOperand(in, 0);
            else
                break;
        }
        if (in == value) return true;
    }
    return false;
}

/* What the truth value was before, where that is the constant; NULL. */
static LLVMValueRef kept_truth(LLVMBuilderRef builder, LLVMValueRef phi, unsigned way)
{
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, way);
    bool constant = LLVMConstIntGetZExtValue(LLVMGetIncomingValue(phi, way)) != 0;
    struct known known = known_on(from, LLVMGetInstructionParent(phi));
    if (!known.condition) return NULL;
    LLVMValueRef kept =
        LLVMIsATruncInst(known.condition) ? LLVMGetOperand(known.condition, 0) : known.condition;
    if (LLVMIsAPHINode(kept))
        return known.holds == constant && goes_on_as(kept, phi) ? known.condition : NULL;
    if (!LLVMIsAICmpInst(known.condition) || !goes_on_as(LLVMGetOperand(known.condition, 0), phi))
        return NULL;
    LLVMValueRef zero = LLVMGetOperand(known.condition, 1);
    LLVMIntPredicate order = LLVMGetICmpPredicate(known.condition);
    if (!LLVMIsAConstantInt(zero) || LLVMConstIntGetZExtValue(zero)) return NULL;
    if (order != LLVMIntEQ && order != LLVMIntNE) return NULL;
    if ((order == LLVMIntNE) != (known.holds == constant)) return NULL;
    if (order == LLVMIntNE) return known.condition;
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
    return LLVMBuildICmp(builder, LLVMIntNE, LLVMGetOperand(known.condition, 0), zero, "");
}

/* The condition that decided for the constant, as in `any || (b && c)` where b is false; NULL. */
static LLVMValueRef deciding(LLVMValueRef phi, unsigned way)
{
    LLVMValueRef constant = LLVMGetIncomingValue(phi, way);
    struct known known = known_on(LLVMGetIncomingBlock(phi, way), LLVMGetInstructionParent(phi));
    bool is_same = known.condition && LLVMIsAConstantInt(constant) &&
                   known.holds == !!LLVMConstIntGetZExtValue(constant);
    return is_same ? known.condition : NULL;
}

/* The truth value of a loop that the phi is; -1 where it is none, or else the way on which it was kept. */
static int way_of_kept(LLVMBuilderRef builder, LLVMValueRef phi, LLVMValueRef *kept)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        *kept = LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i)) ? kept_truth(builder, phi, i) : NULL;
        if (*kept) return (int)i;
    }
    return -1;
}

/* The same alternatives by other names; NULL where it keeps nothing. */
static LLVMValueRef phi_of_kept(LLVMBuilderRef builder, LLVMValueRef phi)
{
    LLVMValueRef kept = NULL;
    int way = way_of_kept(builder, phi, &kept);
    if (way < 0) return NULL;
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef other = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = (int)i == way ? kept : deciding(phi, i);
        if (!value) value = LLVMGetIncomingValue(phi, i);
        LLVMAddIncoming(other, &value, &from, 1);
    }
    return other;
}

/* The number that a loop begins with, or goes on with from turn to turn, and leaves as `left`; NULL. */
static LLVMValueRef begun_with(LLVMValueRef left)
{
    while (LLVMIsAPHINode(left) && LLVMCountIncoming(left) == 1) left = LLVMGetIncomingValue(left, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(left); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef phi = LLVMGetUser(use);
        if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) continue;
        LLVMValueRef first = LLVMGetIncomingValue(phi, LLVMGetIncomingValue(phi, 0) == left);
        if (LLVMIsAConstantInt(first)) return first;
    }
    return NULL;
}

/* Is it a comparison of a number that a loop has left with a constant, or the answer for what the loop began
 * with? */
static bool is_asked_of(LLVMValueRef value, LLVMValueRef *compare)
{
    if (LLVMIsAConstantInt(value)) return true;
    if (*compare || !LLVMIsAICmpInst(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1))) return false;
    *compare = value;
    return true;
}

/* Where a loop is not run at all the optimiser has answered before, `phi [false], [ok != 0]`: asked behind,
 * it is asked of what the number goes on as. NULL where there is no such question. */
static LLVMValueRef asked_behind(LLVMBuilderRef builder, LLVMValueRef phi, LLVMValueRef *question)
{
    LLVMValueRef compare = NULL;
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < n; i++)
        if (!is_asked_of(LLVMGetIncomingValue(phi, i), &compare)) return NULL;
    LLVMValueRef first = compare && n > 1 ? begun_with(LLVMGetOperand(compare, 0)) : NULL;
    if (!first) return NULL;
    LLVMPositionBuilderBefore(builder, phi);
    LLVMIntPredicate order = LLVMGetICmpPredicate(compare);
    LLVMValueRef asked = LLVMGetOperand(compare, 1),
                 answer = LLVMBuildICmp(builder, order, first, asked, ""); /* of constants */
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (value != compare && value != answer) return NULL;
    }
    LLVMValueRef behind = phi;
    while (LLVMIsAPHINode(behind)) behind = LLVMGetNextInstruction(behind);
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef number = LLVMBuildPhi(builder, LLVMTypeOf(first), "");
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i) == compare ? LLVMGetOperand(compare, 0) : first;
        LLVMAddIncoming(number, &value, &from, 1);
    }
    LLVMPositionBuilderBefore(builder, behind);
    *question = compare;
    return LLVMBuildICmp(builder, order, number, asked, "");
}

void truths_go_on(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef phi = LLVMGetFirstInstruction(b), next; phi && LLVMIsAPHINode(phi); phi = next) {
            next = LLVMGetNextInstruction(phi);
            LLVMValueRef other = store_is_truth(phi) ? phi_of_kept(builder, phi) : NULL;
            LLVMValueRef question = NULL;
            if (!other && store_is_truth(phi)) other = asked_behind(builder, phi, &question);
            if (!other) continue;
            LLVMReplaceAllUsesWith(phi, other);
            LLVMInstructionEraseFromParent(phi);
            if (question && !LLVMGetFirstUse(question)) LLVMInstructionEraseFromParent(question);
        }
    LLVMDisposeBuilder(builder);
}
