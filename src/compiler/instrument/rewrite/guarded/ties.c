/*
 * `if (x < m[k] || (x == m[k] && i < arg[k])) { m[k] = x; arg[k] = i; }` is the least with its place, the
 * first of equal ones, as MPI_MINLOC has it and Boruvka's search needs. Parts find that as they find the
 * least alone. Where x and m[k] are equal, storing x changes nothing that anybody could tell, so that these
 * stores are hidden, and what else asks how the two compare does not read the word.
 *
 * `if (x > m[k]) continue; if (x == m[k] && i > arg[k]) continue; m[k] = x;` is the same. Where the value is
 * stored on all ways on which it is better, and on none on which it is worse, the smaller or larger of both
 * is shown where they are compared first.
 */
#include "compiler/instrument/rewrite/guarded/ties.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/guarded/places.h"
#include "compiler/instrument/rewrite/kept.h"

enum { DEEPEST = 4, MOST_COMPARED = 8 };

/* What a comparison of two numbers may come to, as LLVM numbers its predicates. */
enum { EQUAL = 1, GREATER = 2, LESS = 4, UNORDERED = 8, ANY = 15 };

struct ties {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMValueRef stored, word, pointer, compared[MOST_COMPARED];
    unsigned n_compared;
    LLVMBasicBlockRef way; /* the one on which the value is stored as it has been shown */
};

static unsigned outcomes_of(LLVMValueRef compare)
{
    if (LLVMIsAFCmpInst(compare)) return (unsigned)LLVMGetFCmpPredicate(compare);
    switch (LLVMGetICmpPredicate(compare)) {
    case LLVMIntEQ:
        return EQUAL;
    case LLVMIntNE:
        return GREATER | LESS;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return GREATER;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return GREATER | EQUAL;
    case LLVMIntULT:
    case LLVMIntSLT:
        return LESS;
    default:
        return LESS | EQUAL;
    }
}

static unsigned turned(unsigned outcomes)
{
    unsigned same = outcomes & (EQUAL | UNORDERED);
    return same | (outcomes & GREATER ? LESS : 0u) | (outcomes & LESS ? GREATER : 0u);
}

static void note(struct ties *ties, LLVMValueRef compare)
{
    for (unsigned i = 0; i < ties->n_compared; i++)
        if (ties->compared[i] == compare) return;
    if (ties->n_compared < MOST_COMPARED) ties->compared[ties->n_compared++] = compare;
}

static unsigned learn_comparison(struct ties *ties, unsigned possible, LLVMValueRef compare, bool holds)
{
    LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    bool is_turned = a == ties->word && b == ties->stored;
    if (!is_turned && (a != ties->stored || b != ties->word)) return possible;
    unsigned outcomes = is_turned ? turned(outcomes_of(compare)) : outcomes_of(compare);
    note(ties, compare);
    return possible & (holds ? outcomes : ~outcomes);
}

static bool is_truth(LLVMValueRef value, bool truth)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == (truth ? 1u : 0u);
}

/* `a && b` that holds, `a || b` that does not. */
static bool are_both(LLVMValueRef condition, bool holds)
{
    if (LLVMIsASelectInst(condition)) return is_truth(LLVMGetOperand(condition, holds ? 2 : 1), !holds);
    return LLVMIsABinaryOperator(condition) &&
           LLVMGetInstructionOpcode(condition) == (holds ? LLVMAnd : LLVMOr);
}

/* Of what was possible, what still is where the condition holds, or does not. */
static unsigned learn(struct ties *ties, unsigned possible, LLVMValueRef condition, bool holds, int depth)
{
    if (depth > DEEPEST || !LLVMIsAInstruction(condition)) return possible;
    if (LLVMIsAFreezeInst(condition))
        return learn(ties, possible, LLVMGetOperand(condition, 0), holds, depth + 1);
    if (LLVMIsAFCmpInst(condition) || LLVMIsAICmpInst(condition))
        return learn_comparison(ties, possible, condition, holds);
    if (!are_both(condition, holds)) return possible;
    unsigned second = LLVMIsASelectInst(condition) && !holds ? 2 : 1;
    possible = learn(ties, possible, LLVMGetOperand(condition, 0), holds, depth + 1);
    return learn(ties, possible, LLVMGetOperand(condition, second), holds, depth + 1);
}

static unsigned learn_on(struct ties *ties, unsigned possible, LLVMValueRef end, unsigned successor)
{
    return LLVMIsConditional(end) ? learn(ties, possible, LLVMGetCondition(end), successor == 0, 0)
                                  : possible;
}

/* ---- hiding ---- */

/* Does the way that has been shown store there, too, without being looked at any more? */
static bool is_shown_on_way(const struct ties *ties, LLVMValueRef store)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(ties->way); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && kept_is_hidden(i) &&
            address_is_same(LLVMGetOperand(i, 1), LLVMGetOperand(store, 1)))
            return true;
    return false;
}

static LLVMValueRef find_store(const struct ties *ties, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) && !kept_is_hidden(i) &&
            LLVMGetOperand(i, 0) == ties->stored && address_is_same(LLVMGetOperand(i, 1), ties->pointer))
            return i;
    return NULL;
}

static void hide(const struct ties *ties, LLVMBasicBlockRef block, LLVMValueRef again)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (i == again || (LLVMIsAStoreInst(i) && !kept_is_hidden(i) && is_shown_on_way(ties, i)))
            kept_hides(ties->context, i);
}

static void read_bare(const struct ties *ties, LLVMValueRef compare)
{
    for (unsigned i = 0; i < 2; i++) {
        if (LLVMGetOperand(compare, i) != ties->word) continue;
        LLVMPositionBuilderBefore(ties->builder, compare);
        LLVMSetCurrentDebugLocation2(ties->builder, NULL);
        LLVMValueRef bare = LLVMBuildFreeze(ties->builder, ties->word, "");
        kept_bares(ties->context, bare);
        LLVMSetOperand(compare, i, bare);
    }
}

static void read_all_bare(const struct ties *ties, LLVMValueRef first)
{
    for (unsigned i = 0; i < ties->n_compared; i++)
        if (ties->compared[i] != first) read_bare(ties, ties->compared[i]);
}

/* ---- ways ---- */

/* From a block that one edge alone leads to: hides what is stored where both are equal, or anywhere below the
 * first block. */
static bool look(struct ties *ties, LLVMBasicBlockRef block, unsigned possible, bool anywhere, int depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool is_asked = anywhere ? depth > 0 : !(possible & (GREATER | LESS));
    LLVMValueRef again = is_asked && block != ties->way ? find_store(ties, block) : NULL;
    bool found = again;
    if (is_asked && block != ties->way) hide(ties, block, again);
    if (depth == DEEPEST || !LLVMIsABranchInst(end)) return found;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (content_predecessor(next) != block) continue;
        found = look(ties, next, learn_on(ties, possible, end, i), anywhere, depth + 1) || found;
    }
    return found;
}

static bool is_word(LLVMValueRef value, LLVMValueRef pointer)
{
    return LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == pointer;
}

void guarded_hide_ties(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef store)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(store);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from), chosen = LLVMGetOperand(store, 0),
                 compare = LLVMGetOperand(chosen, 0);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMGetCondition(end) != compare) return;
    unsigned way = is_word(LLVMGetOperand(chosen, 1), LLVMGetOperand(store, 1));
    LLVMBasicBlockRef other = LLVMGetSuccessor(end, 1 - way);
    struct ties ties = {.context = context,
                        .builder = builder,
                        .stored = LLVMGetOperand(chosen, way + 1),
                        .word = LLVMGetOperand(chosen, 2 - way),
                        .pointer = LLVMGetOperand(store, 1),
                        .way = LLVMGetSuccessor(end, way)};
    if (content_predecessor(other) != from) return;
    if (look(&ties, other, learn_on(&ties, ANY, end, 1 - way), false, 0)) read_all_bare(&ties, compare);
}

/* ---- ways below ---- */

/* How both may compare where the value is stored, and where it is not in the end. */
struct survey {
    unsigned stored, not_stored;
    LLVMValueRef first; /* store, of those where both are not equal, if any */
    bool is_for_equal;
};

static void look_over(struct ties *ties, LLVMBasicBlockRef block, unsigned possible, int depth,
                      struct survey *survey)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), store = find_store(ties, block);
    if (store) {
        bool is_for_equal = !(possible & (GREATER | LESS));
        survey->stored |= possible;
        if (!survey->first || (survey->is_for_equal && !is_for_equal)) {
            survey->first = store;
            survey->is_for_equal = is_for_equal;
        }
        return;
    }
    if (depth == DEEPEST || !LLVMIsABranchInst(end)) {
        survey->not_stored |= possible;
        return;
    }
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        unsigned known = learn_on(ties, possible, end, i);
        if (content_predecessor(next) == block)
            look_over(ties, next, known, depth + 1, survey);
        else
            survey->not_stored |= known;
    }
}

/* A store of the value in the block, or below it. */
static LLVMValueRef find_below(LLVMBasicBlockRef block, LLVMValueRef value, int depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), store = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
            LLVMGetInstructionParent(user) == block)
            return user;
    }
    if (depth == DEEPEST || !LLVMIsABranchInst(end)) return NULL;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !store; i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (content_predecessor(next) == block) store = find_below(next, value, depth + 1);
    }
    return store;
}

/* What the comparison has loaded is asked below, too. */
static void use_below(LLVMValueRef phi, LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsAPHINode(user) ||
            !content_is_below(LLVMGetInstructionParent(user), LLVMGetInstructionParent(load)))
            continue;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, i) == phi) LLVMSetOperand(user, i, load);
        next = LLVMGetFirstUse(phi);
    }
}

LLVMValueRef guarded_word_of(LLVMBuilderRef builder, LLVMValueRef compare, unsigned side)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(compare);
    LLVMValueRef word = LLVMGetOperand(compare, side);
    LLVMValueRef store = LLVMIsAPHINode(word) ? find_below(from, LLVMGetOperand(compare, 1 - side), 0) : NULL;
    LLVMValueRef pointer = store ? LLVMGetOperand(store, 1) : NULL;
    bool is_exchanged = flow_is_stored(word); /* both change places: exchanges.c */
    if (!store || is_exchanged ||
        (LLVMIsAInstruction(pointer) && content_is_below(LLVMGetInstructionParent(pointer), from)))
        return word;
    content_reload(builder, from, compare, NULL, store);
    LLVMValueRef load = LLVMGetOperand(compare, side);
    if (load != word) use_below(word, load);
    return load;
}

/* The smaller or larger of both, by the comparison that there is. */
static LLVMValueRef better_of(const struct ties *ties, LLVMValueRef compare, bool is_less)
{
    LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    bool takes_first = (store_order_of(compare) < 0) == is_less;
    return LLVMBuildSelect(ties->builder, compare, takes_first ? a : b, takes_first ? b : a, "");
}

void guarded_show_below(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef compare,
                        LLVMValueRef word)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(compare);
    struct ties ties = {.context = context,
                        .builder = builder,
                        .stored = LLVMGetOperand(compare, LLVMGetOperand(compare, 0) == word),
                        .word = word,
                        .pointer = LLVMGetOperand(word, 0)};
    struct survey survey = {0};
    if (flow_is_stored(word)) return; /* exchanges.c */
    look_over(&ties, from, ANY, 0, &survey);
    unsigned better = survey.stored & (LESS | GREATER);
    if (!survey.first || (better != LESS && better != GREATER) || survey.not_stored & better) return;
    ties.way = LLVMGetInstructionParent(survey.first);
    if (ties.way == from) return;
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef shown =
        LLVMBuildStore(builder, better_of(&ties, compare, better == LESS), LLVMGetOperand(word, 0));
    kept_instead(context, survey.first, shown);
    guarded_show_places(context, builder, ties.way, from, compare, word);
    look(&ties, from, ANY, true, 0);
    read_all_bare(&ties, compare);
}
