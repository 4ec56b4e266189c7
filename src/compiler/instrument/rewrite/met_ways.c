/*
 * `a < b ? a : b` of two pairs in C++20 asks first whether the first members differ, then which is smaller,
 * or else the same of the second ones; both ways meet with a truth value, and part again by it. Written out,
 * `if (x < w || (x == w && i < j))`, each way parts where it knows. What is stored between, of what the word
 * held and another value, goes to the way on which it is the other value. So do ways that meet where it is
 * asked again what they have parted by: `if (!o || x < o->first) o = {x, i};` asks whether there is anything
 * in o, and the assignment asks that, too.
 */
#include "compiler/instrument/rewrite/met_ways.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/joins.h"
#include "compiler/instrument/rewrite/written_back.h"

enum { MOST_WAYS = 8 };

struct meeting {
    LLVMBasicBlockRef block, to[2]; /* where it goes on if the truth holds, and if not */
    LLVMValueRef phi, end;
};

static bool has_phis(LLVMBasicBlockRef block)
{
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

static bool is_led_to_once(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use) && !has_phis(block);
}

static LLVMValueRef asked_at(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

/* A block that goes on by its only phi, to which each block before leads alone. */
static bool find_meeting(LLVMBasicBlockRef block, struct meeting *m)
{
    *m = (struct meeting){.block = block, .phi = asked_at(block), .end = LLVMGetBasicBlockTerminator(block)};
    if (!m->phi || m->phi != LLVMGetFirstInstruction(block) || !LLVMIsAPHINode(m->phi)) return false;
    if (LLVMIsAPHINode(LLVMGetNextInstruction(m->phi)) || LLVMCountIncoming(m->phi) > MOST_WAYS) return false;
    for (unsigned i = 0; i < 2; i++) {
        m->to[i] = LLVMGetSuccessor(m->end, i);
        if (m->to[i] == block || !is_led_to_once(m->to[i])) return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(m->phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(m->phi, i);
        if (from == block || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(from)) != 1) return false;
    }
    return true;
}

/* A store of what the truth chooses, one side of which is what the word holds on all ways; which side is
 * stored then, 1 or 2, or 0. */
static unsigned side_stored(const struct meeting *m, LLVMValueRef i)
{
    LLVMValueRef chosen = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL, place = LLVMGetOperand(i, 1);
    if (!chosen || LLVMGetVolatile(i) || !LLVMIsASelectInst(chosen)) return 0;
    if (LLVMGetOperand(chosen, 0) != m->phi) return 0;
    if (LLVMIsAInstruction(place) && LLVMGetInstructionParent(place) == m->block) return 0;
    for (unsigned side = 1; side <= 2; side++) {
        bool all = true;
        for (unsigned j = 0; all && j < LLVMCountIncoming(m->phi); j++)
            all = written_back_is_held(LLVMGetOperand(chosen, side), i, LLVMGetIncomingBlock(m->phi, j));
        if (all) return 3 - side;
    }
    return 0;
}

/* A place at a fixed distance from one that is known before. */
static bool is_place(const struct meeting *m, LLVMValueRef i)
{
    if (!LLVMIsAGetElementPtrInst(i)) return false;
    for (unsigned j = 1; j < (unsigned)LLVMGetNumOperands(i); j++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(i, j))) return false;
    LLVMValueRef base = LLVMGetOperand(i, 0);
    return LLVMIsAGetElementPtrInst(base) && LLVMGetInstructionParent(base) != m->block;
}

/* Is there nothing in the block but such stores, what they choose, and places? */
static bool can_be_parted(const struct meeting *m)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(m->phi); i != m->end; i = LLVMGetNextInstruction(i)) {
        if (is_place(m, i) || side_stored(m, i)) continue;
        LLVMUseRef use = LLVMGetFirstUse(i);
        bool is_chosen = LLVMIsASelectInst(i) && use && !LLVMGetNextUse(use) &&
                         LLVMIsAStoreInst(LLVMGetUser(use)) && side_stored(m, LLVMGetUser(use));
        if (!is_chosen) return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(m->phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != m->end && !(LLVMIsASelectInst(user) && LLVMGetInstructionParent(user) == m->block))
            return false;
    }
    return true;
}

static void empty(LLVMBuilderRef builder, const struct meeting *m)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(m->phi), next; i != m->end; i = next) {
        next = LLVMGetNextInstruction(i);
        unsigned side = side_stored(m, i);
        if (is_place(m, i)) {
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(LLVMGetOperand(i, 0)));
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(builder, i);
        } else if (side) {
            LLVMValueRef chosen = LLVMGetOperand(i, 0);
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(m->to[side - 1]));
            LLVMInstructionRemoveFromParent(i);
            LLVMSetOperand(i, 0, LLVMGetOperand(chosen, side));
            LLVMInsertIntoBuilder(builder, i);
            LLVMInstructionEraseFromParent(chosen);
        }
    }
}

static void part(LLVMContextRef context, LLVMBuilderRef builder, const struct meeting *m)
{
    LLVMBasicBlockRef from[MOST_WAYS];
    unsigned n = LLVMCountIncoming(m->phi);
    for (unsigned i = 0; i < n; i++) {
        from[i] = LLVMGetIncomingBlock(m->phi, i);
        LLVMValueRef before = LLVMGetBasicBlockTerminator(from[i]);
        LLVMPositionBuilderBefore(builder, before);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(m->end));
        LLVMBuildCondBr(builder, LLVMGetIncomingValue(m->phi, i), m->to[0], m->to[1]);
        LLVMInstructionEraseFromParent(before);
    }
    LLVMInstructionEraseFromParent(m->end);
    LLVMInstructionEraseFromParent(m->phi);
    LLVMDeleteBasicBlock(m->block);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < n; i++) joins_part(context, m->to[side], &from[i], 1);
}

/* ---- what was asked before ---- */

/* Which way the block was led to went by the same truth before, 0 or 1; -1 where it is not known. */
static int side_known(LLVMBasicBlockRef block, LLVMValueRef truth)
{
    for (int depth = 0; depth < MOST_WAYS; depth++) {
        LLVMBasicBlockRef before = content_predecessor(block);
        if (!before) return -1;
        if (asked_at(before) == truth) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(before);
            bool is_first = LLVMGetSuccessor(end, 0) == block;
            return is_first == (LLVMGetSuccessor(end, 1) == block) ? -1 : !is_first;
        }
        block = before;
    }
    return -1;
}

/* A block of phis alone, which are used where it leads to, that asks what was asked on each way to it. */
static bool asks_again(LLVMBasicBlockRef block, int *sides)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(block), asked = asked_at(block),
                 end = LLVMGetBasicBlockTerminator(block);
    if (!asked || !LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) > MOST_WAYS) return false;
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetSuccessor(end, i) == block || !is_led_to_once(LLVMGetSuccessor(end, i))) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        sides[i] = side_known(from, asked);
        if (sides[i] < 0 || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(from)) != 1) return false;
    }
    for (LLVMValueRef i = phi; i != end; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAPHINode(i)) return false;
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
            LLVMBasicBlockRef at = LLVMGetInstructionParent(LLVMGetUser(use));
            if (at != LLVMGetSuccessor(end, 0) && at != LLVMGetSuccessor(end, 1)) return false;
        }
    }
    return true;
}

/* Uses of a phi where one side leads to get what those ways bring that lead there. */
static void take_on_side(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef to, int side,
                         const int *sides)
{
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(to));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(phi));
    LLVMValueRef own = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (sides[i] == side) LLVMAddIncoming(own, &value, &from, 1);
    }
    for (LLVMValueRef i = LLVMGetNextInstruction(own); i; i = LLVMGetNextInstruction(i))
        for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(i); j++)
            if (LLVMGetOperand(i, j) == phi) LLVMSetOperand(i, j, own);
    if (LLVMCountIncoming(own) != 1) return;
    LLVMReplaceAllUsesWith(own, LLVMGetIncomingValue(own, 0));
    LLVMInstructionEraseFromParent(own);
}

static void go_on(LLVMBuilderRef builder, LLVMBasicBlockRef block, const int *sides)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), phi = LLVMGetFirstInstruction(block);
    LLVMBasicBlockRef to[2] = {LLVMGetSuccessor(end, 0), LLVMGetSuccessor(end, 1)};
    for (LLVMValueRef i = phi; i != end; i = LLVMGetNextInstruction(i))
        for (int side = 0; side < 2; side++) take_on_side(builder, i, to[side], side, sides);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)), 0, to[sides[i]]);
    LLVMDeleteBasicBlock(block);
}

/* Each side is one that some way leads to, or it would be led to by none. */
static bool are_both_led_to(LLVMBasicBlockRef block, const int *sides)
{
    unsigned n = LLVMCountIncoming(LLVMGetFirstInstruction(block)), n_second = 0;
    for (unsigned i = 0; i < n; i++) n_second += (unsigned)sides[i];
    return n_second && n_second < n;
}

/* ---- in which order ---- */

/* Do two numbers differ wherever the one is smaller, or larger? */
static bool implies(LLVMValueRef order, LLVMValueRef differ)
{
    bool is_real = LLVMIsAFCmpInst(order) && LLVMIsAFCmpInst(differ);
    if (!is_real && (!LLVMIsAICmpInst(order) || !LLVMIsAICmpInst(differ))) return false;
    LLVMValueRef a = LLVMGetOperand(order, 0), b = LLVMGetOperand(order, 1);
    bool are_same = (LLVMGetOperand(differ, 0) == a && LLVMGetOperand(differ, 1) == b) ||
                    (LLVMGetOperand(differ, 0) == b && LLVMGetOperand(differ, 1) == a);
    if (!are_same) return false;
    if (!is_real) {
        LLVMIntPredicate is = LLVMGetICmpPredicate(order);
        return LLVMGetICmpPredicate(differ) == LLVMIntNE &&
               (is == LLVMIntSLT || is == LLVMIntSGT || is == LLVMIntULT || is == LLVMIntUGT);
    }
    LLVMRealPredicate is = LLVMGetFCmpPredicate(order);
    return LLVMGetFCmpPredicate(differ) == LLVMRealUNE && (is == LLVMRealOLT || is == LLVMRealOGT);
}

/* `if (x != w) { if (x < w) T else F } else E` is `if (x < w) T else { if (x != w) F else E }`. */
static bool ask_order_first(LLVMBasicBlockRef block)
{
    LLVMValueRef differ = asked_at(block), end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef then = differ ? LLVMGetSuccessor(end, 0) : NULL, other;
    LLVMValueRef order = then ? asked_at(then) : NULL, next = then ? LLVMGetFirstInstruction(then) : NULL;
    if (!order || next != LLVMGetBasicBlockTerminator(then) || !implies(order, differ)) return false;
    if (LLVMGetInstructionParent(order) != block || !is_led_to_once(then)) return false;
    other = LLVMGetSuccessor(end, 1);
    LLVMBasicBlockRef yes = LLVMGetSuccessor(next, 0), no = LLVMGetSuccessor(next, 1);
    if (!is_led_to_once(other) || !is_led_to_once(yes) || !is_led_to_once(no)) return false;
    LLVMSetCondition(end, order);
    LLVMSetSuccessor(end, 0, yes);
    LLVMSetSuccessor(end, 1, then);
    LLVMSetCondition(next, differ);
    LLVMSetSuccessor(next, 0, no);
    LLVMSetSuccessor(next, 1, other);
    return true;
}

void met_ways_part(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function), next; b; b = next) {
        struct meeting m;
        int sides[MOST_WAYS];
        next = LLVMGetNextBasicBlock(b);
        if (asks_again(b, sides) && are_both_led_to(b, sides)) {
            go_on(builder, b, sides);
            continue;
        }
        if (!find_meeting(b, &m) || !can_be_parted(&m)) continue;
        bool stores = false;
        for (LLVMValueRef i = m.phi; i != m.end; i = LLVMGetNextInstruction(i))
            stores = stores || LLVMIsAStoreInst(i);
        if (!stores) continue;
        empty(builder, &m);
        part(context, builder, &m);
        any = true;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); any && b; b = LLVMGetNextBasicBlock(b))
        ask_order_first(b);
    LLVMDisposeBuilder(builder);
}
