/*
 * `for (k = 0; k < 3; k++) r2 += d[k] * d[k];` and then the force of the distance: as d[0] * d[0] + ... this
 * is an expression, which everybody computes who needs it, and so it is as a loop. As a sum it would lie
 * where most of its terms do, and be sent. What ends in a word is a sum still, of which parts may add up
 * their own terms.
 */
#include "compiler/instrument/rewrite/short_sums.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_TURNS = 4, DEEPEST = 8 };

/* ---- turns ---- */

/* What a value of a loop of one block begins with, and what it is in the next turn; false: it is no such. */
static bool ways_of(LLVMValueRef phi, LLVMBasicBlockRef block, LLVMValueRef *first, LLVMValueRef *next)
{
    if (LLVMCountIncoming(phi) != 2) return false;
    unsigned back = LLVMGetIncomingBlock(phi, 1) == block;
    if (LLVMGetIncomingBlock(phi, back) != block) return false;
    *next = LLVMGetIncomingValue(phi, back);
    *first = LLVMGetIncomingValue(phi, !back);
    return true;
}

static bool is_number(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

static bool holds(LLVMIntPredicate predicate, long long a, long long b)
{
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntSLT:
        return a < b;
    case LLVMIntSGT:
        return a > b;
    case LLVMIntULT:
        return (unsigned long long)a < (unsigned long long)b;
    case LLVMIntUGT:
        return (unsigned long long)a > (unsigned long long)b;
    default:
        return false;
    }
}

/* The counter of the loop that this is compared with at its end: itself or what it is in the next turn. */
static LLVMValueRef counter_of(LLVMValueRef compared, LLVMBasicBlockRef block)
{
    if (LLVMIsAPHINode(compared)) return compared;
    if (!LLVMIsABinaryOperator(compared) || LLVMGetInstructionOpcode(compared) != LLVMAdd) return NULL;
    LLVMValueRef phi = LLVMGetOperand(compared, 0), first, next;
    return LLVMIsAPHINode(phi) && ways_of(phi, block, &first, &next) && next == compared ? phi : NULL;
}

/* Turns of a loop of one block; above MOST_TURNS: more, or nobody knows. */
static int turns_of(LLVMBasicBlockRef block, LLVMValueRef end)
{
    LLVMValueRef condition = LLVMGetCondition(end), first, next;
    if (!LLVMIsAICmpInst(condition) || !is_number(LLVMGetOperand(condition, 1))) return MOST_TURNS + 1;
    LLVMValueRef compared = LLVMGetOperand(condition, 0), phi = counter_of(compared, block);
    if (!phi || LLVMGetInstructionParent(phi) != block || !ways_of(phi, block, &first, &next) ||
        !is_number(first) || !LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
        LLVMGetOperand(next, 0) != phi || !is_number(LLVMGetOperand(next, 1)))
        return MOST_TURNS + 1;
    long long at = LLVMConstIntGetSExtValue(first), step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)),
              limit = LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1));
    bool goes_on_if = LLVMGetSuccessor(end, 0) == block;
    for (int turns = 1; turns <= MOST_TURNS; turns++) {
        long long seen =
            compared == phi ? at : (long long)((unsigned long long)at + (unsigned long long)step);
        if (holds(LLVMGetICmpPredicate(condition), seen, limit) != goes_on_if) return turns;
        at = (long long)((unsigned long long)at + (unsigned long long)step);
    }
    return MOST_TURNS + 1;
}

/* ---- what the loop does ---- */

static bool is_intrinsic(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

static bool is_on_stack(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

/* It changes nothing but what is on the stack. */
static bool is_quiet(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i) && (LLVMGetVolatile(i) || !is_on_stack(LLVMGetOperand(i, 1)))) return false;
        if (LLVMIsACallInst(i) && !is_intrinsic(i)) return false;
    }
    return true;
}

static bool is_expression(LLVMValueRef value, LLVMBasicBlockRef loop, int depth);

/* The user of a value that has one. */
static bool goes_into_expression(LLVMValueRef user, LLVMBasicBlockRef loop, int depth)
{
    if (depth == DEEPEST) return false;
    bool computes = LLVMIsAPHINode(user) || LLVMIsABinaryOperator(user) || LLVMIsAUnaryOperator(user) ||
                    LLVMIsACastInst(user) || (LLVMIsACallInst(user) && is_intrinsic(user));
    return computes && is_expression(user, loop, depth + 1);
}

/* Behind the loop it is needed several times, or what alone is computed from it is; and it is not what a word
 * holds. */
static bool is_expression(LLVMValueRef value, LLVMBasicBlockRef loop, int depth)
{
    LLVMValueRef only = NULL;
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user)) return false;
        if (LLVMGetInstructionParent(user) == loop) continue;
        if (LLVMIsAStoreInst(user)) return false;
        only = user;
        n++;
    }
    return n > 1 || (n == 1 && goes_into_expression(only, loop, depth));
}

/* Something that is added up, from turn to turn, and used in an expression behind the loop. What begins with
 * what another loop adds up is part of that. */
static bool has_sum(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
        LLVMValueRef first, next;
        if ((kind != LLVMDoubleTypeKind && kind != LLVMFloatTypeKind) || !ways_of(i, block, &first, &next) ||
            LLVMIsAPHINode(first))
            continue;
        bool adds = LLVMIsABinaryOperator(next) && (LLVMGetInstructionOpcode(next) == LLVMFAdd ||
                                                    LLVMGetInstructionOpcode(next) == LLVMFSub);
        if (adds && (LLVMGetOperand(next, 0) == i || LLVMGetOperand(next, 1) == i) &&
            is_expression(next, block, 0))
            return true;
    }
    return false;
}

static bool is_short_sum(LLVMBasicBlockRef block, LLVMValueRef end)
{
    bool is_loop = LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
                   (LLVMGetSuccessor(end, 0) == block || LLVMGetSuccessor(end, 1) == block);
    return is_loop && turns_of(block, end) <= MOST_TURNS && is_quiet(block) && has_sum(block);
}

/* ---- marks ---- */

/* A loop's node has itself as its first operand. */
static LLVMValueRef make_mark(LLVMContextRef context)
{
    static const char name[] = "llvm.loop.unroll.full";
    LLVMMetadataRef text = LLVMMDStringInContext2(context, name, sizeof name - 1),
                    property = LLVMMDNodeInContext2(context, &text, 1),
                    self = LLVMTemporaryMDNode(context, NULL, 0), operands[2] = {self, property},
                    node = LLVMMDNodeInContext2(context, operands, 2);
    LLVMMetadataReplaceAllUsesWith(self, node);
    return LLVMMetadataAsValue(context, node);
}

bool short_sums_mark(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            bool is_short = is_short_sum(b, end);
            if (is_short || LLVMGetMetadata(end, kind))
                LLVMSetMetadata(end, kind, is_short ? make_mark(context) : NULL);
            any = any || is_short;
        }
    return any;
}
