/*
 * `if (!seen[k] || x > m[k]) m[k] = x;` begins a maximum on one way and goes on with it on the other: the
 * one is a store like any other, the other one is a choice, which guarded.c knows. They are one store where
 * the ways have met, so each way gets what is done there for itself.
 */
#include "compiler/instrument/rewrite/guarded/ways.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/again.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/guarded/places.h"

enum { MOST_WAYS = 8, MOST_STEPS = 24, DEEPEST = 4 };

struct ways {
    LLVMBasicBlockRef block, next, from[MOST_WAYS];
    LLVMValueRef store, pointer[MOST_WAYS]; /* of the word that is compared with what is stored; NULL */
    unsigned n;
    struct {
        LLVMValueRef value, copies[MOST_WAYS];
    } made[MOST_STEPS]; /* on each way again */
    unsigned n_made;
};

/* Is what was loaded still what the word holds at the end of the block, which alone its block leads to? */
static bool is_loaded_above(LLVMValueRef load, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef made = LLVMGetInstructionParent(load);
    for (int depth = 0; block && depth <= DEEPEST; depth++) {
        LLVMValueRef i = LLVMGetLastInstruction(block);
        for (; i && i != load; i = LLVMGetPreviousInstruction(i))
            if (again_changes_memory(i)) return false;
        if (block == made) return true;
        block = content_predecessor(block);
    }
    return false;
}

void guarded_load_again(LLVMBuilderRef builder, LLVMValueRef compare, LLVMValueRef store)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(compare);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef word = LLVMGetOperand(compare, i);
        if (!LLVMIsALoadInst(word) || LLVMGetVolatile(word) || LLVMGetInstructionParent(word) == block)
            continue;
        if (!address_is_same(LLVMGetOperand(word, 0), LLVMGetOperand(store, 1)) ||
            !is_loaded_above(word, block))
            continue;
        LLVMPositionBuilderBefore(builder, compare);
        LLVMValueRef again = LLVMInstructionClone(word);
        LLVMInsertIntoBuilder(builder, again);
        LLVMSetOperand(compare, i, again);
    }
}

/* ---- which ways ---- */

static LLVMValueRef on_way(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
    bool is_phi = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
    return is_phi ? phi_from(value, from) : value;
}

/* The pointer of the word that is compared with what is stored where alone a way comes from; NULL. */
static LLVMValueRef compared_at(const struct ways *ways, LLVMBasicBlockRef from, bool *compares)
{
    LLVMBasicBlockRef before = content_predecessor(from);
    LLVMValueRef end = before ? LLVMGetBasicBlockTerminator(before) : NULL;
    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return NULL;
    LLVMValueRef compare = LLVMGetCondition(end),
                 stored = on_way(LLVMGetOperand(ways->store, 0), ways->block, from);
    if (!LLVMIsAFCmpInst(compare) && !LLVMIsAICmpInst(compare)) return NULL;
    *compares = *compares || guarded_stands_at(compare, ways->store);
    if (LLVMGetInstructionParent(compare) != before) return NULL;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef word = LLVMGetOperand(compare, 1 - i);
        if (LLVMGetOperand(compare, i) != stored || !LLVMIsALoadInst(word)) continue;
        if (address_is_same(LLVMGetOperand(word, 0), LLVMGetOperand(ways->store, 1)) &&
            is_loaded_above(word, before))
            return LLVMGetOperand(word, 0);
    }
    return NULL;
}

/* Blocks that lead here and nowhere else, one of which compares. */
static bool find_ways(struct ways *ways)
{
    bool any = false;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(ways->block));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef end = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(end)) continue;
        if (!LLVMIsABranchInst(end) || LLVMIsConditional(end) || ways->n == MOST_WAYS) return false;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(end);
        if (from == ways->block || from == ways->next) return false;
        ways->from[ways->n] = from;
        ways->pointer[ways->n] = compared_at(ways, from, &any);
        any = any || ways->pointer[ways->n];
        ways->n++;
    }
    return any && ways->n > 1;
}

/* Stores and loads, and a few steps of numbers and pointers. */
static bool can_be_parted(struct ways *ways)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ways->block);
    unsigned n = 0;
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
    ways->next = LLVMGetSuccessor(end, 0);
    for (LLVMValueRef i = LLVMGetFirstInstruction(ways->block); i != end; i = LLVMGetNextInstruction(i)) {
        if (!again_is_used_behind(i, ways->block, ways->next)) return false;
        if (LLVMIsAPHINode(i)) continue;
        if (!again_can_be(i) || ++n > MOST_STEPS) return false;
    }
    return ways->next != ways->block;
}

/* ---- parting them ---- */

static LLVMValueRef made(const struct ways *ways, LLVMValueRef value, unsigned way)
{
    for (unsigned i = 0; i < ways->n_made; i++)
        if (ways->made[i].value == value) return ways->made[i].copies[way];
    return on_way(value, ways->block, ways->from[way]);
}

static void make_again(LLVMBuilderRef builder, struct ways *ways, LLVMValueRef value)
{
    for (unsigned way = 0; way < ways->n; way++) {
        LLVMValueRef copy = ways->made[ways->n_made].copies[way] = LLVMInstructionClone(value);
        for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++)
            LLVMSetOperand(copy, j, made(ways, LLVMGetOperand(value, j), way));
        if (value == ways->store && ways->pointer[way]) LLVMSetOperand(copy, 1, ways->pointer[way]);
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(ways->from[way]));
        LLVMInsertIntoBuilder(builder, copy);
    }
    ways->made[ways->n_made++].value = value;
}

/* What the phi took from the block it takes from each way. */
static void take_from_ways(LLVMBuilderRef builder, const struct ways *ways, LLVMValueRef phi)
{
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef whole = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMInstructionSetDebugLoc(whole, LLVMInstructionGetDebugLoc(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (from != ways->block) LLVMAddIncoming(whole, &value, &from, 1);
    }
    for (unsigned way = 0; way < ways->n; way++) {
        LLVMValueRef value = made(ways, phi_from(phi, ways->block), way);
        LLVMBasicBlockRef from = ways->from[way];
        LLVMAddIncoming(whole, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, whole);
    LLVMInstructionEraseFromParent(phi);
}

bool guarded_part_ways(LLVMBuilderRef builder, LLVMValueRef store)
{
    struct ways ways = {.block = LLVMGetInstructionParent(store), .store = store};
    if (!can_be_parted(&ways) || !find_ways(&ways)) return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ways.block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(ways.block); i != end; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i)) make_again(builder, &ways, i);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(ways.next), next; LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        take_from_ways(builder, &ways, phi);
    }
    for (unsigned way = 0; way < ways.n; way++)
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(ways.from[way]), 0, ways.next);
    LLVMDeleteBasicBlock(ways.block);
    return true;
}
