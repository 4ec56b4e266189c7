/*
 * `for (k = 0; k < 3; k++) r2 += d[k] * d[k];` and then the force of the distance: as d[0] * d[0] + ... this
 * is an expression, which everybody computes who needs it, and so it is as a loop. As a sum it would lie
 * where most of its terms do, and be sent. What ends in a word is a sum still, of which parts may add up
 * their own terms.
 *
 * `double s[4] = {0}; for (i ..) for (k = 0; k < 4; k++) s[k] += x[i + k];`: of an array on the stack whose
 * words are only used by number, or by the counters of such loops, these are accumulators in registers. Such
 * loops may stand one within the other, of few turns in all, and put the numbers elsewhere in the end.
 */
#include "compiler/instrument/prepare/short_sums.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "compiler/instrument/function/known.h"

enum { MOST_TURNS = 4, MOST_BLOCKS = 16, DEEPEST = 8, MOST_PROPERTIES = 16 };

/* ---- loops ---- */

/* Blocks from the first one to the one that goes back to it, which alone is left. */
struct loop {
    LLVMBasicBlockRef first, last, blocks[MOST_BLOCKS];
    int n;
};

static int place_in(const struct loop *loop, LLVMBasicBlockRef block)
{
    for (int i = 0; i < loop->n; i++)
        if (loop->blocks[i] == block) return i;
    return -1;
}

/* All that lead to the last one; false where these are too many. */
static bool add_blocks(struct loop *loop, LLVMBasicBlockRef block)
{
    if (place_in(loop, block) >= 0) return true;
    if (loop->n == MOST_BLOCKS) return false;
    loop->blocks[loop->n++] = block;
    LLVMUseRef use = block == loop->first ? NULL : LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsABranchInst(user) && !add_blocks(loop, LLVMGetInstructionParent(user))) return false;
        if (LLVMIsATerminatorInst(user) && !LLVMIsABranchInst(user)) return false;
    }
    return true;
}

static bool find_loop(LLVMBasicBlockRef last, LLVMValueRef end, struct loop *loop);

/* A way back within the loop, by which one in it goes on. */
static bool goes_back(const struct loop *loop, LLVMBasicBlockRef block, LLVMBasicBlockRef to)
{
    struct loop inner;
    return block != loop->last && find_loop(block, LLVMGetBasicBlockTerminator(block), &inner) &&
           inner.first == to;
}

/* No way leads out of it but from its end, nor around in it but in loops of its own. */
static bool is_straight(const struct loop *loop, LLVMBasicBlockRef block, unsigned seen)
{
    if (block == loop->last) return true;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    seen |= 1u << place_in(loop, block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
        int next = place_in(loop, to);
        if (next < 0) return false;
        if (seen >> next & 1 ? !goes_back(loop, block, to) : !is_straight(loop, loop->blocks[next], seen))
            return false;
    }
    return true;
}

/* The innermost loop that a branch goes back in. */
static bool find_loop(LLVMBasicBlockRef last, LLVMValueRef end, struct loop *loop)
{
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
    for (unsigned i = 0; i < 2; i++) {
        *loop = (struct loop){.first = LLVMGetSuccessor(end, i), .last = last};
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(loop->first)) && add_blocks(loop, last) &&
            place_in(loop, loop->first) >= 0 && place_in(loop, LLVMGetSuccessor(end, !i)) < 0)
            return is_straight(loop, loop->first, 0);
    }
    return false;
}

/* ---- turns ---- */

/* What a value of a loop begins with, and what it is in the next turn; false: it is no such. */
static bool ways_of(LLVMValueRef phi, const struct loop *loop, LLVMValueRef *first, LLVMValueRef *next)
{
    if (LLVMGetInstructionParent(phi) != loop->first || LLVMCountIncoming(phi) != 2) return false;
    unsigned back = LLVMGetIncomingBlock(phi, 1) == loop->last;
    if (LLVMGetIncomingBlock(phi, back) != loop->last) return false;
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

static bool is_addition(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

static long long number(LLVMValueRef value)
{
    return LLVMConstIntGetSExtValue(value);
}

/* Turns of a loop; above MOST_TURNS: more, or nobody knows. What its end compares is the counter, or what
 * that is in the next turn. */
static int turns_of(const struct loop *loop, LLVMValueRef end)
{
    LLVMValueRef condition = LLVMGetCondition(end), first, next;
    if (!LLVMIsAICmpInst(condition) || !is_number(LLVMGetOperand(condition, 1))) return MOST_TURNS + 1;
    LLVMValueRef compared = LLVMGetOperand(condition, 0),
                 phi = is_addition(compared) ? LLVMGetOperand(compared, 0) : compared;
    if (!LLVMIsAPHINode(phi) || !ways_of(phi, loop, &first, &next) || !is_number(first) ||
        !is_addition(next) || LLVMGetOperand(next, 0) != phi || !is_number(LLVMGetOperand(next, 1)) ||
        (compared != phi && compared != next))
        return MOST_TURNS + 1;
    unsigned long long at = (unsigned long long)number(first),
                       step = (unsigned long long)number(LLVMGetOperand(next, 1));
    bool goes_on_if = LLVMGetSuccessor(end, 0) == loop->first;
    for (int turns = 1; turns <= MOST_TURNS; turns++) {
        long long seen = (long long)(compared == phi ? at : at + step);
        if (holds(LLVMGetICmpPredicate(condition), seen, number(LLVMGetOperand(condition, 1))) != goes_on_if)
            return turns;
        at += step;
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

/* A function of numbers, sqrt say: where it notes an error is no word of the program's. */
static bool is_of_numbers_alone(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return callee && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
           known_of(LLVMGetValueName2(callee, &length)).kind == KNOWN_PURE;
}

/* It calls nobody who may do anything, and changes nothing but what is on the stack or, unless `within`,
 * nothing that is there: what is carried along a line of cells stays in its workspace. */
static bool is_quiet(const struct loop *loop, bool within)
{
    bool is_kept = false, is_put = false; /* on the stack, elsewhere */
    for (int b = 0; b < loop->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i) && !is_intrinsic(i) && !is_of_numbers_alone(i)) return false;
            if (!LLVMIsAStoreInst(i)) continue;
            if (LLVMGetVolatile(i)) return false;
            *(is_on_stack(LLVMGetOperand(i, 1)) ? &is_kept : &is_put) = true;
        }
    return !is_put || !(is_kept || within);
}

static bool is_expression(LLVMValueRef value, const struct loop *loop, int depth);

/* The user of a value that has one. */
static bool goes_into_expression(LLVMValueRef user, const struct loop *loop, int depth)
{
    bool computes = LLVMIsAPHINode(user) || LLVMIsABinaryOperator(user) || LLVMIsAUnaryOperator(user) ||
                    LLVMIsACastInst(user) || (LLVMIsACallInst(user) && is_intrinsic(user));
    return depth < DEEPEST && computes && is_expression(user, loop, depth + 1);
}

/* Behind the loop it is needed several times, or what alone is computed from it is; and it is not what a word
 * holds. */
static bool is_expression(LLVMValueRef value, const struct loop *loop, int depth)
{
    LLVMValueRef only = NULL;
    int n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user)) return false;
        if (place_in(loop, LLVMGetInstructionParent(user)) >= 0) continue;
        if (LLVMIsAStoreInst(user)) return false;
        only = user;
        n++;
    }
    return n > 1 || (n == 1 && goes_into_expression(only, loop, depth));
}

/* Something that is added up, from turn to turn, and used in an expression behind the loop. What begins with
 * what another loop adds up is part of that. */
static bool has_sum(const struct loop *loop)
{
    LLVMValueRef i = LLVMGetFirstInstruction(loop->first);
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
        LLVMValueRef first, next;
        if ((kind != LLVMDoubleTypeKind && kind != LLVMFloatTypeKind) || !ways_of(i, loop, &first, &next) ||
            LLVMIsAPHINode(first))
            continue;
        bool adds = LLVMIsABinaryOperator(next) && (LLVMGetInstructionOpcode(next) == LLVMFAdd ||
                                                    LLVMGetInstructionOpcode(next) == LLVMFSub);
        if (adds && (LLVMGetOperand(next, 0) == i || LLVMGetOperand(next, 1) == i) &&
            is_expression(next, loop, 0))
            return true;
    }
    return false;
}

/* ---- accumulators ---- */

/* Turns of all loops within it, one within the other: so often its innermost lines are written out. */
static int turns_within(const struct loop *loop)
{
    int turns = 1;
    for (int b = 0; b < loop->n && turns <= MOST_TURNS; b++) {
        struct loop inner;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->blocks[b]);
        if (loop->blocks[b] != loop->last && find_loop(loop->blocks[b], end, &inner))
            turns *= turns_of(&inner, end);
    }
    return turns;
}

static bool is_short(LLVMBasicBlockRef last, LLVMValueRef end, struct loop *loop)
{
    return find_loop(last, end, loop) && turns_of(loop, end) * turns_within(loop) <= MOST_TURNS &&
           is_quiet(loop, false);
}

/* The number of a word comes of constants and of the turns of a short loop. */
static bool is_counted(LLVMValueRef index, int depth)
{
    struct loop loop;
    if (LLVMIsAConstantInt(index)) return true;
    if (depth == DEEPEST || !LLVMIsAInstruction(index)) return false;
    if (LLVMIsAPHINode(index)) {
        LLVMValueRef first, next;
        for (unsigned j = 0; j < LLVMCountIncoming(index); j++) {
            LLVMBasicBlockRef last = LLVMGetIncomingBlock(index, j);
            if (is_short(last, LLVMGetBasicBlockTerminator(last), &loop) &&
                loop.first == LLVMGetInstructionParent(index) && ways_of(index, &loop, &first, &next))
                return is_number(first) && is_addition(next) && LLVMGetOperand(next, 0) == index &&
                       is_number(LLVMGetOperand(next, 1));
        }
        return false;
    }
    if (!LLVMIsACastInst(index) && !LLVMIsABinaryOperator(index)) return false;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(index); j++)
        if (!is_counted(LLVMGetOperand(index, j), depth + 1)) return false;
    return true;
}

/* Nothing else is done with an address than to load and store a number. */
static bool is_of_numbers(LLVMValueRef pointer, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer) continue;
        if (LLVMIsAMemSetInst(user) || (LLVMIsACallInst(user) && is_intrinsic(user) && depth == 0 &&
                                        LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMVoidTypeKind))
            continue;
        if (!LLVMIsAGetElementPtrInst(user) || depth == DEEPEST) return false;
        for (unsigned j = 1; j < (unsigned)LLVMGetNumOperands(user); j++)
            if (!is_counted(LLVMGetOperand(user, j), 0)) return false;
        if (!is_of_numbers(user, depth + 1)) return false;
    }
    return true;
}

static LLVMValueRef array_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Numbers at what the counter says, in an array that is all registers once such loops are written out.
 */
static bool is_in_registers(LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMValueRef array = array_of(pointer);
    bool is_of_kind = kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind || kind == LLVMIntegerTypeKind;
    return is_of_kind && array != pointer && LLVMIsAAllocaInst(array) && is_of_numbers(array, 0);
}

/* Does one of these loops store there? */
static bool is_stored_in_turns(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) &&
            !LLVMIsAConstantInt(LLVMGetOperand(pointer, LLVMGetNumOperands(pointer) - 1)))
            return true;
        if (LLVMIsAGetElementPtrInst(user) && is_stored_in_turns(user)) return true;
    }
    return false;
}

/* Does a loop go on with it from turn to turn? */
static bool is_carried(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef phi = LLVMGetUser(use), first, next;
        for (unsigned j = 0; LLVMIsAPHINode(phi) && j < LLVMCountIncoming(phi); j++) {
            LLVMBasicBlockRef last = LLVMGetIncomingBlock(phi, j);
            struct loop loop;
            if (LLVMGetIncomingValue(phi, j) == value &&
                find_loop(last, LLVMGetBasicBlockTerminator(last), &loop) &&
                ways_of(phi, &loop, &first, &next))
                return next == value;
        }
    }
    return false;
}

/* What a loop has come to, or what there was if it has not been run. */
static bool is_of_loop(LLVMValueRef value)
{
    if (is_carried(value)) return true;
    for (unsigned j = 0; LLVMIsAPHINode(value) && j < LLVMCountIncoming(value); j++)
        if (is_carried(LLVMGetIncomingValue(value, j))) return true;
    return false;
}

/* Is what loops have come to stored there, as the lanes of a vector are? */
static bool holds_what_loops_made(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && is_of_loop(LLVMGetOperand(user, 0))) return true;
        if (LLVMIsAGetElementPtrInst(user) && holds_what_loops_made(user)) return true;
    }
    return false;
}

/* Stored there, or loaded where another loop stores them, or what one has come to is stored: the largest of
 * several largest ones. */
static bool has_accumulators(const struct loop *loop)
{
    for (int b = 0; b < loop->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) &&
                is_in_registers(LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0))))
                return true;
            if (LLVMIsALoadInst(i) && is_in_registers(LLVMGetOperand(i, 0), LLVMTypeOf(i)) &&
                (is_stored_in_turns(array_of(LLVMGetOperand(i, 0))) ||
                 holds_what_loops_made(array_of(LLVMGetOperand(i, 0)))))
                return true;
        }
    return false;
}

static bool is_short_sum(LLVMBasicBlockRef last, LLVMValueRef end)
{
    struct loop loop;
    return is_short(last, end, &loop) &&
           ((is_quiet(&loop, true) && has_sum(&loop)) || has_accumulators(&loop));
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

/* A property of a loop begins with its name. */
static bool is_about_unrolling(LLVMValueRef property)
{
    static const char name[] = "llvm.loop.unroll.";
    LLVMValueRef parts[MOST_PROPERTIES];
    unsigned length, n = property && LLVMIsAMDNode(property) ? LLVMGetMDNodeNumOperands(property) : 0;
    if (n == 0 || n > MOST_PROPERTIES) return false;
    LLVMGetMDNodeOperands(property, parts);
    const char *text = parts[0] && LLVMIsAMDString(parts[0]) ? LLVMGetMDString(parts[0], &length) : NULL;
    return text && length >= sizeof name - 1 && memcmp(text, name, sizeof name - 1) == 0;
}

/* Did the author ask for it, or forbid it? */
static bool says_of_unrolling(LLVMValueRef mark)
{
    LLVMValueRef properties[MOST_PROPERTIES];
    unsigned n = LLVMGetMDNodeNumOperands(mark);
    if (n > MOST_PROPERTIES) return true;
    LLVMGetMDNodeOperands(mark, properties);
    for (unsigned i = 1; i < n; i++) /* the first is the mark itself */
        if (is_about_unrolling(properties[i])) return true;
    return false;
}

bool short_sums_mark(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            LLVMValueRef mark = LLVMGetMetadata(end, kind);
            bool is_marked = is_short_sum(b, end);
            if (is_marked || (mark && says_of_unrolling(mark)))
                LLVMSetMetadata(end, kind, is_marked ? make_mark(context) : NULL);
            any = any || is_marked;
        }
    return any;
}
