/*
 * `if (x < m[k]) { m[k] = x; arg[k] = i; }`, or `if (w[i] < w[best[k]]) best[k] = i;` as in Boruvka's search
 * for the lightest edge of each component: i comes from nowhere, but each part finds a best one of its own,
 * and which is best of all comes of what they compared. Of the stores only those would be seen that happen
 * to be executed. So a choice by what is compared with the best so far, whatever that is, is stored where the
 * ways part; the program's own stores stay, and nothing is stored there in truth.
 */
#include "compiler/instrument/rewrite/guarded/places.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/kept.h"

enum { DEEPEST = 6 };

static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value)) value = LLVMGetOperand(value, 0);
    return value;
}

/* Is what was loaded at the place that the word at the pointer holds? */
static bool stands_at(LLVMValueRef load, LLVMValueRef pointer)
{
    LLVMValueRef p = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
    for (; p && LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
            LLVMValueRef index = without_casts(LLVMGetOperand(p, i));
            if (LLVMIsALoadInst(index) && address_is_same(LLVMGetOperand(index, 0), pointer)) return true;
        }
    return false;
}

LLVMValueRef guarded_stands_at(LLVMValueRef compare, LLVMValueRef store)
{
    for (unsigned i = 0; i < 2; i++)
        if (stands_at(LLVMGetOperand(compare, i), LLVMGetOperand(store, 1)))
            return LLVMGetOperand(compare, i);
    return NULL;
}

/* Another word in each turn, as one that data choose is: its address is made within the turn, in one of the
 * blocks that lead here one after the other. */
static bool moves(LLVMValueRef pointer, LLVMBasicBlockRef block)
{
    if (!LLVMIsAGetElementPtrInst(pointer)) return false;
    for (int depth = 0; block && depth < DEEPEST; depth++, block = content_predecessor(block))
        if (LLVMGetInstructionParent(pointer) == block) return true;
    return false;
}

/* A counter, or what is computed of it: the place where something was found. */
static bool keeps_place(LLVMValueRef store, LLVMBasicBlockRef block)
{
    if (!LLVMIsAStoreInst(store) || LLVMGetVolatile(store) || kept_is_hidden(store)) return false;
    LLVMValueRef value = LLVMGetOperand(store, 0);
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind && !LLVMIsAConstant(value) &&
           kept_is_place(value) && moves(LLVMGetOperand(store, 1), block);
}

/* Is it made in the block, or between it and the fork, which alone leads there? */
static bool is_made_below(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef fork)
{
    if (!LLVMIsAInstruction(value)) return false;
    LLVMBasicBlockRef made = LLVMGetInstructionParent(value);
    return made != fork && content_is_below(block, made) && content_is_below(made, fork);
}

static bool may_be_at_fork(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef fork, int depth)
{
    if (!is_made_below(value, block, fork)) return true;
    if (depth == DEEPEST || !(LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value))) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!may_be_at_fork(LLVMGetOperand(value, i), block, fork, depth + 1)) return false;
    return true;
}

static LLVMValueRef at_fork(LLVMBuilderRef builder, LLVMValueRef value, LLVMBasicBlockRef block,
                            LLVMBasicBlockRef fork)
{
    if (!is_made_below(value, block, fork)) return value;
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        LLVMSetOperand(copy, i, at_fork(builder, LLVMGetOperand(value, i), block, fork));
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

/* The comparison without the label of what it compares with. */
static LLVMValueRef compared_alone(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef compare,
                                   LLVMValueRef word)
{
    LLVMValueRef bare = LLVMBuildFreeze(builder, word, ""), alone = LLVMInstructionClone(compare);
    kept_bares(context, bare);
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetOperand(compare, i) == word) LLVMSetOperand(alone, i, bare);
    LLVMInsertIntoBuilder(builder, alone);
    return alone;
}

void guarded_show(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store, LLVMBasicBlockRef from,
                  LLVMValueRef compare, LLVMValueRef word)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
    if (!may_be_at_fork(LLVMGetOperand(store, 1), block, from, 0)) return;
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef pointer = at_fork(builder, LLVMGetOperand(store, 1), block, from),
                 alone = compared_alone(context, builder, compare, word),
                 held = LLVMBuildLoad2(builder, LLVMTypeOf(LLVMGetOperand(store, 0)), pointer, "");
    kept_shows(context, held);
    LLVMValueRef choice = LLVMBuildSelect(builder, alone, held, held, "");
    kept_asks_anywhere(context, choice);
    kept_instead(context, store, LLVMBuildStore(builder, choice, pointer));
}

void guarded_show_places(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                         LLVMBasicBlockRef from, LLVMValueRef compare, LLVMValueRef word)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!keeps_place(i, block)) continue;
        LLVMValueRef best = word ? word : guarded_stands_at(compare, i);
        if (best) guarded_show(context, builder, i, from, compare, best);
    }
}

/* `m[k] = c ? x : m[k]; arg[k] = c ? i : arg[k];`: is one of both what the word held, and the other a place?
 */
static bool chooses_place(LLVMValueRef store, LLVMBasicBlockRef block)
{
    LLVMValueRef chosen = LLVMGetOperand(store, 0);
    if (LLVMGetVolatile(store) || kept_is_hidden(store) || kept_is_shown(store)) return false;
    if (!LLVMIsASelectInst(chosen) || !moves(LLVMGetOperand(store, 1), block)) return false;
    for (unsigned i = 1; i <= 2; i++) {
        LLVMValueRef held = LLVMGetOperand(chosen, i), place = LLVMGetOperand(chosen, 3 - i);
        if (LLVMIsALoadInst(held) && LLVMGetTypeKind(LLVMTypeOf(place)) == LLVMIntegerTypeKind &&
            !LLVMIsAConstant(place) && kept_is_place(place) &&
            address_is_same(LLVMGetOperand(held, 0), LLVMGetOperand(store, 1)))
            return true;
    }
    return false;
}

void guarded_show_chosen(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                         guarded_best *best_so_far)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAStoreInst(i) || !chooses_place(i, block)) continue;
        LLVMValueRef compare = LLVMGetOperand(LLVMGetOperand(i, 0), 0),
                     best = LLVMIsAFCmpInst(compare) || LLVMIsAICmpInst(compare) ? best_so_far(block, compare)
                                                                                 : NULL;
        if (best) guarded_show(context, builder, i, block, compare, best);
    }
}
