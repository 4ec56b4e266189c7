/*
 * `if (x < m[k] || (x == m[k] && i < arg[k])) { m[k] = x; arg[k] = i; }` is the least with its place, the
 * first of equal ones, as MPI_MINLOC has it and Boruvka's search needs. Parts find that as they find the
 * least alone. Where x and m[k] are equal, storing x changes nothing that anybody could tell, so that these
 * stores are hidden, and what else asks how the two compare does not read the word.
 */
#include "compiler/instrument/rewrite/guarded_ties.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/rewrite/content.h"
#include "compiler/instrument/rewrite/kept.h"

enum { DEEPEST = 4, MOST_COMPARED = 8 };

/* What a comparison of two numbers may come to, as LLVM numbers its predicates. */
enum { EQUAL = 1, GREATER = 2, LESS = 4, UNORDERED = 8, ANY = 15 };

struct ties {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMValueRef stored, word, pointer;
    LLVMBasicBlockRef way; /* the one on which the value is stored as it has been shown */
};

/* What is known on a way, and by which comparisons of the two. */
struct known {
    unsigned possible, n;
    LLVMValueRef compared[MOST_COMPARED];
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

static void learn_comparison(const struct ties *ties, struct known *known, LLVMValueRef compare, bool holds)
{
    LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    bool is_turned = a == ties->word && b == ties->stored;
    if (!is_turned && (a != ties->stored || b != ties->word)) return;
    unsigned outcomes = is_turned ? turned(outcomes_of(compare)) : outcomes_of(compare);
    known->possible &= holds ? outcomes : ~outcomes;
    if (known->n < MOST_COMPARED) known->compared[known->n++] = compare;
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

static void learn(const struct ties *ties, struct known *known, LLVMValueRef condition, bool holds, int depth)
{
    if (depth > DEEPEST || !LLVMIsAInstruction(condition)) return;
    if (LLVMIsAFreezeInst(condition)) {
        learn(ties, known, LLVMGetOperand(condition, 0), holds, depth + 1);
    } else if (LLVMIsAFCmpInst(condition) || LLVMIsAICmpInst(condition)) {
        learn_comparison(ties, known, condition, holds);
    } else if (are_both(condition, holds)) {
        bool is_select = LLVMIsASelectInst(condition);
        learn(ties, known, LLVMGetOperand(condition, 0), holds, depth + 1);
        learn(ties, known, LLVMGetOperand(condition, is_select && !holds ? 2 : 1), holds, depth + 1);
    }
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
        if (LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) && LLVMGetOperand(i, 0) == ties->stored &&
            address_is_same(LLVMGetOperand(i, 1), ties->pointer))
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

/* ---- ways ---- */

/* From a block that one edge alone leads to. */
static void look(const struct ties *ties, LLVMBasicBlockRef block, const struct known *before, int depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef again = before->possible & (GREATER | LESS) ? NULL : find_store(ties, block);
    if (again) {
        hide(ties, block, again);
        for (unsigned i = 0; i < before->n; i++) read_bare(ties, before->compared[i]);
    }
    if (depth == DEEPEST || !LLVMIsABranchInst(end)) return;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        struct known known = *before;
        if (content_predecessor(next) != block) continue;
        if (LLVMIsConditional(end)) learn(ties, &known, LLVMGetCondition(end), i == 0, 0);
        look(ties, next, &known, depth + 1);
    }
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
    LLVMValueRef stored = LLVMGetOperand(chosen, way + 1), word = LLVMGetOperand(chosen, 2 - way);
    struct ties ties = {context, builder, stored, word, LLVMGetOperand(store, 1), LLVMGetSuccessor(end, way)};
    struct known known = {.possible = ANY};
    if (content_predecessor(other) != from) return;
    learn_comparison(&ties, &known, compare, way != 0);
    known.n = 0; /* by this one it has been chosen */
    look(&ties, other, &known, 0);
}
