/*
 * `ok0 &= x[i] < t, ok1 &= x[i + 1] < t;` and then `ok0 && ok1`: each is a number that is 0 or not. Whether
 * all of these hold is what one number would have come to, and so is whether any does, of numbers that `or`
 * made.
 * `!(any0 || any1)` and `!any0 && !any1` ask the same.
 */
#include "compiler/instrument/function/truth_trees.h"

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"

enum { DEEPEST = 8 };

struct asked {
    const struct function *f;
    int op, n, last, within;
    int fold; /* the operation as it stands in the sums: they may choose */
};

/* `ok = ok && c`, c asked only where ok holds: the sum chooses between what it was and c by what it was. 0
 * where it does anything else. */
static int op_of_choice(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    LLVMValueRef kept = condition_of(f, node);
    if (!kept || node->kind != NODE_PHI || LLVMCountIncoming(node->value) != 2) return 0;
    LLVMValueRef end = block_end(f, f->blocks[node->block].dominator);
    int asked = node_of(f, kept);
    if (asked < 0 || f->nodes[asked].sum != node->sum || !LLVMIsABranchInst(end)) return 0;
    unsigned way = LLVMGetIncomingValue(node->value, 1) == kept;
    if (LLVMGetIncomingValue(node->value, way) != kept) return 0;
    int from = block_at(f, LLVMGetIncomingBlock(node->value, way));
    return dominates(f, block_at(f, LLVMGetSuccessor(end, 0)), 0, from, 0) ? FOLD_OR : FOLD_AND;
}

static int op_of_choices(const struct function *f, int sum)
{
    int op = 0;
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        bool passes =
            node->kind == NODE_PHI && (is_loop_header(f, node->block) || LLVMCountIncoming(node->value) == 1);
        if (node->sum != sum || passes) continue;
        int one = op_of_choice(f, i);
        if (!one || (op && op != one)) return 0;
        op = one;
    }
    return op;
}

static bool is_sum(struct asked *a, int i)
{
    int sum = a->f->nodes[i].sum, fold = (int)a->f->sums[sum].op;
    int op = fold == FOLD_CHOICE ? op_of_choices(a->f, sum) : fold;
    if (sum == a->within || (op != FOLD_AND && op != FOLD_OR) || (a->op && a->op != op)) return false;
    if (a->n && a->fold != fold) return false;
    a->fold = fold;
    a->n += !a->n || a->last != sum;
    a->last = sum;
    a->op = op;
    return true;
}

static bool is_number(struct asked *a, LLVMValueRef value, int depth);

/* What a loop has come to, or one before where that is not run. */
static bool are_numbers(struct asked *a, int phi, int depth)
{
    const struct node *node = &a->f->nodes[phi];
    int n = a->n;
    if (node->condition >= 0 || is_loop_header(a->f, node->block)) return false;
    for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++)
        if (!is_number(a, LLVMGetIncomingValue(node->value, j), depth + 1)) return false;
    a->n = n + 1;
    return true;
}

/* A number that is a sum, or several put together by the operation that they have. */
static bool is_number(struct asked *a, LLVMValueRef value, int depth)
{
    int i = node_of(a->f, value);
    if (i < 0 || depth == DEEPEST) return false;
    if (a->f->nodes[i].sum >= 0) return is_sum(a, i);
    if (a->f->nodes[i].kind == NODE_PHI) return are_numbers(a, i, depth);
    if (a->f->nodes[i].kind != NODE_ARITH) return false;
    if (store_is_width(value) || LLVMIsABitCastInst(value))
        return is_number(a, LLVMGetOperand(value, 0), depth + 1);
    int op = (int)fold_of(value, 0);
    return (op == FOLD_AND || op == FOLD_OR) && is_number(a, LLVMGetOperand(value, 0), depth + 1) &&
           is_number(a, LLVMGetOperand(value, 1), depth + 1) && a->op == op;
}

static bool is_all_ones(LLVMValueRef number)
{
    return LLVMConstIntGetSExtValue(number) == -1;
}

/* Is the number not 0, or as it began where all have to hold, or its highest bit set: `ok` or `!ok`, as
 * `holds` says? */
static bool is_question(struct asked *a, LLVMValueRef compare, bool *holds)
{
    LLVMIntPredicate order = LLVMGetICmpPredicate(compare);
    LLVMValueRef number = LLVMGetOperand(compare, 1);
    if (!LLVMIsAConstantInt(number) || !is_number(a, LLVMGetOperand(compare, 0), 0)) return false;
    bool is_zero = LLVMIsNull(number), is_sign = order == LLVMIntSLT && is_zero;
    *holds = is_sign;
    if (is_sign || (order == LLVMIntSGT && is_all_ones(number))) return true;
    if (order != LLVMIntEQ && order != LLVMIntNE) return false;
    *holds = (order == LLVMIntNE) == is_zero;
    return is_zero || a->op == FOLD_AND;
}

static bool is_constant_true(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && !LLVMIsNull(value);
}

static bool asks(struct asked *a, LLVMValueRef value, bool all, int depth);

/* `and` and `or` of truth values, which may be choices with a constant. */
static bool ask_both(struct asked *a, LLVMValueRef value, bool all, int depth)
{
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(value); j++) {
        LLVMValueRef operand = LLVMGetOperand(value, j);
        if (!LLVMIsAConstant(operand) && !asks(a, operand, all, depth + 1)) return false;
    }
    return true;
}

/* The lanes of a vector of truth values as one number of bits, of which 0 or all ones is asked. */
static bool ask_lanes(struct asked *a, LLVMValueRef compare, bool all, int depth)
{
    LLVMIntPredicate order = LLVMGetICmpPredicate(compare);
    LLVMValueRef number = LLVMGetOperand(compare, 1), vector = LLVMGetOperand(compare, 0);
    bool is_zero = LLVMIsAConstantInt(number) && LLVMIsNull(number);
    bool is_known = LLVMIsAConstantInt(number) && (is_zero || is_all_ones(number));
    if (!is_known || all != (order == LLVMIntEQ) || (order != LLVMIntEQ && order != LLVMIntNE)) return false;
    if (LLVMIsAZExtInst(vector) && is_zero) vector = LLVMGetOperand(vector, 0);
    if (!LLVMIsABitCastInst(vector)) return false;
    for (vector = LLVMGetOperand(vector, 0); LLVMIsAInsertElementInst(vector);
         vector = LLVMGetOperand(vector, 0))
        if (!asks(a, LLVMGetOperand(vector, 1), !is_zero, depth + 1)) return false;
    return LLVMIsUndef(vector);
}

/* Does the value say whether all, or any, of these sums hold, or do not? */
static bool asks(struct asked *a, LLVMValueRef value, bool all, int depth)
{
    int i = node_of(a->f, value), wanted = all ? FOLD_AND : FOLD_OR;
    bool holds = true;
    if (i < 0 || depth == DEEPEST || !store_is_truth(value)) return false;
    if (a->f->nodes[i].sum >= 0) return is_sum(a, i) && a->op == wanted;
    if (LLVMIsAPHINode(value) && LLVMCountIncoming(value) == 1)
        return asks(a, LLVMGetIncomingValue(value, 0), all, depth + 1);
    if (a->f->nodes[i].kind != NODE_ARITH) return false;
    if (LLVMIsATruncInst(value)) return is_number(a, LLVMGetOperand(value, 0), 0) && a->op == wanted;
    if (LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMXor)
        return is_constant_true(LLVMGetOperand(value, 1)) &&
               asks(a, LLVMGetOperand(value, 0), !all, depth + 1);
    if (LLVMIsAICmpInst(value) && ask_lanes(a, value, all, depth)) return true;
    if (LLVMIsAICmpInst(value)) return is_question(a, value, &holds) && (a->op == wanted) == holds;
    return (int)fold_of(value, 0) == wanted && ask_both(a, value, all, depth);
}

int truth_tree(const struct function *f, LLVMValueRef value, int within)
{
    for (int all = 0; all < 2; all++) {
        struct asked asked = {.f = f, .within = within};
        if (store_is_truth(value) && asks(&asked, value, all, 0) && asked.n > 1) return asked.fold;
    }
    return 0;
}
