/*
 * `double m = *p; for (..) if (x < m) m = x; if (m < *p) *p = m;` stores what the loop has found where there
 * is something better, and otherwise what is there already. So it is `*p = m`, and one reduction of the word;
 * as a choice between the word and what the loop comes to, that would be found apart for each such loop.
 */
#include "compiler/instrument/rewrite/guarded/best.h"

#include <stddef.h>

enum { MOST_STEPS = 16 };

struct best {
    LLVMValueRef first, steps[MOST_STEPS]; /* phis and choices of the best so far */
    int order;                             /* -1: the smallest, 1: the largest */
    int n;
    bool has_first, is_other;
};

/* -1, 1: it is true where the left side is smaller, or larger, and both are numbers; 0: it is another one. */
static int strict_order(LLVMValueRef compare, bool when_true)
{
    if (LLVMIsAFCmpInst(compare)) {
        LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
        if (predicate == (when_true ? LLVMRealOLT : LLVMRealUGE)) return -1;
        return predicate == (when_true ? LLVMRealOGT : LLVMRealULE);
    }
    if (!LLVMIsAICmpInst(compare)) return 0;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    if (predicate == (when_true ? LLVMIntSLT : LLVMIntSGE) ||
        predicate == (when_true ? LLVMIntULT : LLVMIntUGE))
        return -1;
    return predicate == (when_true ? LLVMIntSGT : LLVMIntSLE) ||
           predicate == (when_true ? LLVMIntUGT : LLVMIntULE);
}

/* Of the value beside the other one. */
static int order_between(LLVMValueRef compare, bool when_true, LLVMValueRef value, LLVMValueRef other)
{
    if (!LLVMIsAFCmpInst(compare) && !LLVMIsAICmpInst(compare)) return 0;
    if (LLVMGetOperand(compare, 0) == value && LLVMGetOperand(compare, 1) == other)
        return strict_order(compare, when_true);
    if (LLVMGetOperand(compare, 0) == other && LLVMGetOperand(compare, 1) == value)
        return -strict_order(compare, when_true);
    return 0;
}

/* `a && b`: the second condition; NULL. */
static LLVMValueRef both_of(LLVMValueRef condition, LLVMValueRef *first)
{
    bool is_and = LLVMIsABinaryOperator(condition) && LLVMGetInstructionOpcode(condition) == LLVMAnd;
    bool is_choice = LLVMIsASelectInst(condition) && LLVMIsAConstantInt(LLVMGetOperand(condition, 2)) &&
                     LLVMIsNull(LLVMGetOperand(condition, 2));
    *first = is_and || is_choice ? LLVMGetOperand(condition, 0) : NULL;
    return *first ? LLVMGetOperand(condition, 1) : NULL;
}

/* Is the value taken in the place of the other one only where it is better? */
static bool takes_better(const struct best *b, LLVMValueRef condition, bool when_true, LLVMValueRef value,
                         LLVMValueRef other)
{
    LLVMValueRef first, second = both_of(condition, &first);
    if (!second || !when_true) return order_between(condition, when_true, value, other) == b->order;
    return order_between(first, true, value, other) == b->order ||
           order_between(second, true, value, other) == b->order;
}

static void follow(struct best *b, LLVMValueRef value);

/* One side is the best so far, the other one takes its place. */
static void follow_choice(struct best *b, LLVMValueRef choice)
{
    LLVMValueRef condition = LLVMGetOperand(choice, 0), yes = LLVMGetOperand(choice, 1),
                 no = LLVMGetOperand(choice, 2);
    if (takes_better(b, condition, true, yes, no))
        follow(b, no);
    else if (takes_better(b, condition, false, no, yes))
        follow(b, yes);
    else
        b->is_other = true;
}

static void follow(struct best *b, LLVMValueRef value)
{
    if (value == b->first) b->has_first = true;
    for (int i = 0; i < b->n; i++)
        if (b->steps[i] == value) return;
    if (value == b->first || b->is_other) return;
    b->is_other = b->n == MOST_STEPS || (!LLVMIsAPHINode(value) && !LLVMIsASelectInst(value));
    if (b->is_other) return;
    b->steps[b->n++] = value;
    if (LLVMIsASelectInst(value)) follow_choice(b, value);
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++)
        follow(b, LLVMGetIncomingValue(value, i));
}

bool guarded_is_best_from(LLVMValueRef value, LLVMValueRef first, LLVMValueRef compare, bool when_true)
{
    struct best b = {.first = first, .order = order_between(compare, when_true, value, first)};
    if (!b.order) return false;
    follow(&b, value);
    return b.n && b.has_first && !b.is_other;
}
