/*
 * `if (x < *p) *p = x;` is `*p = min(*p, x)`, which the optimiser must not write where the program might not
 * write. As a branch only the stores that happen to be executed would be seen. `if (*p != x) *p = x;` is
 * `*p = x`. So while labels are looked for the choice is stored where the ways part; in the end the store
 * goes back behind the branch, for the word may be one that must not be written, of a constant say.
 */
#include "compiler/instrument/rewrite/guarded/guarded.h"

#include <stdbool.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/mark.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/typed.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/guarded/best.h"
#include "compiler/instrument/rewrite/guarded/either.h"
#include "compiler/instrument/rewrite/guarded/places.h"
#include "compiler/instrument/rewrite/guarded/ties.h"
#include "compiler/instrument/rewrite/guarded/ways.h"
#include "compiler/instrument/rewrite/kept.h"

static const char behind[] = "parcast.behind"; /* by which way the store was reached */

/* fabs and its like touch no memory. */
static bool may_call(LLVMValueRef i)
{
    return LLVMIsAInvokeInst(i) || (LLVMIsACallInst(i) && !is_pure_call(i));
}

static bool is_simple_store(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

/* The first instruction of a block that touches memory, when it is a simple store. */
static LLVMValueRef first_store(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && !LLVMIsAStoreInst(i) && !LLVMIsALoadInst(i) && !may_call(i)) i = LLVMGetNextInstruction(i);
    return i && is_simple_store(i) ? i : NULL;
}

/* From this instruction on: simple stores, before which its block calls nothing. */
static LLVMValueRef store_from(LLVMValueRef i)
{
    while (i && !may_call(i) && !is_simple_store(i)) i = LLVMGetNextInstruction(i);
    return i && is_simple_store(i) ? i : NULL;
}

static LLVMValueRef next_store(LLVMValueRef store)
{
    return store_from(LLVMGetNextInstruction(store));
}

/* Is the value what the word at the pointer holds at the end of its block? */
static bool holds_word(LLVMValueRef value, LLVMValueRef pointer, LLVMBasicBlockRef block)
{
    if (!LLVMIsALoadInst(value) || LLVMGetVolatile(value) || LLVMGetInstructionParent(value) != block)
        return false;
    if (LLVMGetOperand(value, 0) != pointer) return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(value); i; i = LLVMGetNextInstruction(i)) {
        if (may_call(i)) return false;
        if (LLVMIsAStoreInst(i) && !content_is_beside(i, pointer, LLVMTypeOf(value)) &&
            !typed_apart(i, value))
            return false;
    }
    return true;
}

/* Do both sides differ where it is true, or else where it is false? Not of real numbers: zeros of both signs
 * are equal. */
static bool tells_difference(LLVMValueRef compare, bool when_true)
{
    return LLVMIsAICmpInst(compare) && LLVMGetICmpPredicate(compare) == (when_true ? LLVMIntNE : LLVMIntEQ);
}

/* The comparison that a block branches by. */
static LLVMValueRef branches_by(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return NULL;
    LLVMValueRef by = LLVMGetCondition(end);
    return store_order_of(by) || tells_difference(by, true) || tells_difference(by, false) ? by : NULL;
}

/* The comparison of word and stored value that leads from one block to the other. */
static LLVMValueRef comparison(LLVMBasicBlockRef from, LLVMValueRef store)
{
    LLVMValueRef compare = branches_by(from), stored = LLVMGetOperand(store, 0);
    if (!compare) return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetOperand(compare, i) == stored &&
            holds_word(LLVMGetOperand(compare, 1 - i), LLVMGetOperand(store, 1), from))
            return compare;
    return NULL;
}

/* What the word holds where both ways meet may be in a register there: that is the choice, too. */
static void replace_joined(LLVMBasicBlockRef from, LLVMBasicBlockRef block, LLVMValueRef stored,
                           LLVMValueRef word, LLVMValueRef chosen)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return;
    LLVMValueRef next = LLVMGetFirstInstruction(LLVMGetSuccessor(end, 0));
    while (LLVMIsAPHINode(next)) {
        LLVMValueRef phi = next;
        next = LLVMGetNextInstruction(phi);
        if (LLVMCountIncoming(phi) != 2) return;
        unsigned own = LLVMGetIncomingBlock(phi, 1) == block;
        LLVMBasicBlockRef other = LLVMGetIncomingBlock(phi, 1 - own);
        bool is_both =
            LLVMGetIncomingBlock(phi, own) == block && (other == from || content_predecessor(other) == from);
        if (!is_both || LLVMGetIncomingValue(phi, own) != stored ||
            LLVMGetIncomingValue(phi, 1 - own) != word)
            continue;
        LLVMReplaceAllUsesWith(phi, chosen);
        LLVMInstructionEraseFromParent(phi);
    }
}

/* What is stored was in a word that the block writes, too: both change places (exchanges.c). */
static bool is_exchange(LLVMBasicBlockRef block, LLVMValueRef stored)
{
    if (!LLVMIsALoadInst(stored)) return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == LLVMGetOperand(stored, 0)) return true;
    return false;
}

/* Has what is stored begun with what it is compared with, which the word still holds? */
static bool goes_on_from_word(LLVMValueRef compare, LLVMBasicBlockRef block, LLVMValueRef store,
                              LLVMBasicBlockRef from)
{
    LLVMValueRef stored = LLVMGetOperand(store, 0),
                 word = LLVMGetOperand(compare, LLVMGetOperand(compare, 0) == stored);
    bool when_true = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(from), 0) == block;
    return guarded_is_best_from(stored, word, compare, when_true) && content_is_word(word, store, from);
}

/* The first one is moved, one behind others, of its place say, shown. */
static void hoist(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef store,
                  bool is_first)
{
    LLVMBasicBlockRef from = content_predecessor(block);
    LLVMValueRef by = from ? branches_by(from) : NULL;
    bool goes_on = by && goes_on_from_word(by, block, store, from);
    if (by && !goes_on &&
        (LLVMGetOperand(by, 0) == LLVMGetOperand(store, 0) ||
         LLVMGetOperand(by, 1) == LLVMGetOperand(store, 0))) {
        content_reload(builder, from, by, NULL, store);
        guarded_load_again(builder, by, store);
    }
    LLVMValueRef compare = goes_on ? by : from ? comparison(from, store) : NULL;
    if (!compare || (!is_first && is_exchange(block, LLVMGetOperand(store, 0)))) return;
    LLVMValueRef stored = LLVMGetOperand(store, 0), end = LLVMGetBasicBlockTerminator(from);
    LLVMValueRef word = LLVMGetOperand(compare, LLVMGetOperand(compare, 0) == stored);
    bool when_true = LLVMGetSuccessor(end, 0) == block;
    if (!store_order_of(compare) && !tells_difference(compare, when_true)) return;
    LLVMPositionBuilderBefore(builder, end);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef chosen = stored;
    if (store_order_of(compare) && !goes_on)
        chosen = LLVMBuildSelect(builder, compare, when_true ? stored : word, when_true ? word : stored, "");
    if (is_first) {
        LLVMSetOperand(store, 0, chosen);
        LLVMInstructionRemoveFromParent(store);
        LLVMInsertIntoBuilder(builder, store);
        mark_put(context, store, behind, !when_true);
    } else {
        kept_instead(context, store, LLVMBuildStore(builder, chosen, LLVMGetOperand(store, 1)));
    }
    replace_joined(from, block, stored, word, chosen);
}

/* The side of the comparison that leads to the block which the word holds where what is compared with it is
 * stored: the best so far. NULL where it is none. */
static LLVMValueRef best_so_far(LLVMBasicBlockRef from, LLVMValueRef compare)
{
    for (LLVMValueRef i = LLVMGetLastInstruction(from); i; i = LLVMGetPreviousInstruction(i)) {
        LLVMValueRef chosen = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
        if (!chosen || !LLVMIsASelectInst(chosen) || LLVMGetOperand(chosen, 0) != compare) continue;
        for (unsigned j = 0; j < 2; j++) {
            LLVMValueRef word = LLVMGetOperand(compare, j);
            if (LLVMIsALoadInst(word) && LLVMGetOperand(word, 0) == LLVMGetOperand(i, 1)) return word;
        }
    }
    return NULL;
}

static void show_places(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from = content_predecessor(block);
    LLVMValueRef compare = from ? branches_by(from) : NULL;
    if (compare && store_order_of(compare))
        guarded_show_places(context, builder, block, from, compare, best_so_far(from, compare));
    guarded_show_chosen(context, builder, block, best_so_far);
}

static bool is_chosen_by(LLVMBasicBlockRef from, LLVMValueRef compare)
{
    for (LLVMUseRef use = LLVMGetFirstUse(compare); use; use = LLVMGetNextUse(use))
        if (LLVMIsASelectInst(LLVMGetUser(use)) && LLVMGetInstructionParent(LLVMGetUser(use)) == from)
            return true;
    return false;
}

/* What is not stored at once on one of the ways. */
static void show_below(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef from)
{
    LLVMValueRef compare = branches_by(from);
    if (!compare || !store_order_of(compare) || LLVMGetInstructionParent(compare) != from) return;
    for (unsigned i = 0; i < 2 && !is_chosen_by(from, compare); i++) {
        LLVMValueRef word = guarded_word_of(builder, compare, i);
        if (LLVMIsALoadInst(word) && holds_word(word, LLVMGetOperand(word, 0), from))
            guarded_show_below(context, builder, compare, word);
    }
}

/* Once places are shown. */
static void hide_ties(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool is_put_here = LLVMIsAStoreInst(i) && (mark_of(i, behind) >= 0 || kept_is_shown(i));
        if (is_put_here && store_is_extremum(LLVMGetOperand(i, 0), NULL, NULL))
            guarded_hide_ties(context, builder, i);
    }
}

/* What is always stored: a choice by a comparison in the same block. */
static void reload_chosen(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef chosen = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
        if (!chosen || !store_is_extremum(chosen, NULL, NULL)) continue;
        if (LLVMGetInstructionParent(chosen) == block)
            content_reload(builder, block, LLVMGetOperand(chosen, 0), chosen, i);
    }
}

void guarded_stores(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        reload_chosen(builder, b);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function), next; b; b = next) {
        next = LLVMGetNextBasicBlock(b);
        for (LLVMValueRef store = store_from(LLVMGetFirstInstruction(b)); store; store = next_store(store)) {
            guarded_part_either(context, builder, store);
            if (guarded_part_ways(builder, store)) break;
        }
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef first = first_store(b), next;
        for (LLVMValueRef store = store_from(LLVMGetFirstInstruction(b)); store; store = next) {
            next = next_store(store);
            hoist(context, builder, b, store, store == first);
        }
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        show_places(context, builder, b);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        hide_ties(context, builder, b);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        show_below(context, builder, b);
    LLVMDisposeBuilder(builder);
}

static void put_back(LLVMBuilderRef builder, LLVMValueRef store, unsigned successor)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(store));
    LLVMBasicBlockRef block = LLVMGetSuccessor(end, successor);
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, first);
    LLVMInstructionRemoveFromParent(store);
    LLVMInsertIntoBuilder(builder, store);
}

void guarded_back(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            int way = LLVMIsAStoreInst(i) ? mark_of(i, behind) : -1;
            if (way < 0) continue;
            mark_remove(i, behind);
            put_back(builder, i, (unsigned)way);
        }
    LLVMDisposeBuilder(builder);
}
