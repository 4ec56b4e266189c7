/*
 * Terms that are added to a sum behind its loop: what is left over where a loop takes two at a time, on one
 * way of a branch, or the last one where the loop stops before it. Where the content goes to such additions
 * and to the phi behind them, and nowhere else, these belong to the sum. So it is where the ways meet in
 * several places, as those of a `switch` that goes from case to case.
 */
#include "compiler/instrument/rewrite/trailing.h"

#include <stdlib.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/linear.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/sums.h"

enum { DEEPEST = 8 };

/* The larger of two numbers is a choice by a comparison of both, which belongs to it. */
static bool is_comparison_of(LLVMValueRef value, LLVMValueRef extremum)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return LLVMIsASelectInst(extremum) && LLVMGetOperand(extremum, 0) == value && !LLVMGetNextUse(use);
}

static bool is_used_once(LLVMValueRef value)
{
    LLVMValueRef user = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef one = LLVMGetUser(use),
                     first = LLVMGetFirstUse(one) ? LLVMGetUser(LLVMGetFirstUse(one)) : NULL;
        if (first && is_comparison_of(one, first)) one = first;
        if (user && one != user) return false;
        user = one;
    }
    return user != NULL;
}

/* The operation by which operand j goes into a value. What is taken off is added up as its negative. */
static int op_of(const struct node *node, int j)
{
    if (node->kind == NODE_ARITH && linear_is_difference(node->value)) return FOLD_ADD;
    if (node->kind == NODE_ARITH) return (int)fold_of(node->value, (unsigned)j);
    return node->kind == NODE_SELECT && j ? (int)store_is_extremum(node->value, NULL, NULL) : 0;
}

static int n_operands(LLVMValueRef value)
{
    return LLVMIsACallInst(value) ? (int)LLVMGetNumArgOperands(value) : LLVMGetNumOperands(value);
}

/* Is the value the content with terms added, or the content itself? Additions on the way are marked as parts
 * of `sum`, -1 to take that back. */
static bool lead_to(struct function *f, LLVMValueRef value, int content, int sum, int depth)
{
    int i = node_of(f, value), op = f->sums[f->nodes[content].sum].op;
    if (i == content) return true;
    if (i < 0 || depth == DEEPEST || !is_used_once(value)) return false;
    if (f->nodes[i].sum != (sum < 0 ? f->nodes[content].sum : -1)) return false;
    for (int j = 0; j < n_operands(value); j++) {
        if (op_of(&f->nodes[i], j) != op) continue;
        if (!lead_to(f, LLVMGetOperand(value, (unsigned)j), content, sum, depth + 1)) continue;
        f->nodes[i].sum = sum;
        return true;
    }
    return false;
}

static bool is_of_sum(const struct function *f, LLVMValueRef value)
{
    int i = node_of(f, value);
    return i >= 0 && f->nodes[i].sum >= 0;
}

static unsigned n_ways(LLVMValueRef choice)
{
    return LLVMIsAPHINode(choice) ? LLVMCountIncoming(choice) : 2;
}

static LLVMValueRef way(LLVMValueRef choice, unsigned j)
{
    return LLVMIsAPHINode(choice) ? LLVMGetIncomingValue(choice, j) : LLVMGetOperand(choice, j + 1);
}

/* On ways round the loop, where there are few numbers, a phi has something else: the sum begins with that. A
 * select has the content on both ways. */
static bool mark(struct function *f, int choice, int content, int sum)
{
    LLVMValueRef value = f->nodes[choice].value;
    bool all = true, is_phi = LLVMIsAPHINode(value);
    f->nodes[choice].sum = sum;
    for (unsigned j = 0; j < n_ways(value); j++) {
        LLVMValueRef in = way(value, j);
        all = (lead_to(f, in, content, sum, 0) || (is_phi && !is_of_sum(f, in))) && all;
    }
    return all;
}

/* Is it the comparison by which a part of the sum chooses? */
static bool compares_for(const struct function *f, LLVMValueRef value, int sum)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    int user = use ? node_of(f, LLVMGetUser(use)) : -1;
    return user >= 0 && f->nodes[user].sum == sum && is_comparison_of(value, f->nodes[user].value);
}

/* Nobody else is told of the content, but conditions. */
static bool is_used_within(const struct function *f, int content)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f->nodes[content].value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user < 0 || f->nodes[user].sum == f->nodes[content].sum) continue;
        if (compares_for(f, f->nodes[user].value, f->nodes[content].sum)) continue;
        if (f->nodes[user].carries || is_store(&f->nodes[user])) return false;
    }
    return true;
}

/* The content of a sum that the choice takes as it is on one of its ways; -1. */
static int content_of(const struct function *f, int choice)
{
    LLVMValueRef value = f->nodes[choice].value;
    for (unsigned j = 0; j < n_ways(value); j++) {
        int i = node_of(f, way(value, j));
        if (i >= 0 && sums_arrive(f, i) && f->sums[f->nodes[i].sum].op != FOLD_NONE) return i;
    }
    return -1;
}

/* Its own loop's turn comes to the value once for each time that it comes to the content. */
static bool is_beside(const struct function *f, int i, int content)
{
    return f->blocks[f->nodes[i].block].loop == f->blocks[f->nodes[content].block].loop &&
           dominates(f, f->nodes[content].block, f->nodes[content].position, f->nodes[i].block,
                     f->nodes[i].position);
}

/* The content of a sum that only this value adds to; -1. */
static int content_added_to(const struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    for (int j = 0; j < n_operands(value); j++) {
        int other = node_of(f, LLVMGetOperand(value, (unsigned)j));
        if (other < 0 || !sums_arrive(f, other)) continue;
        int op = (int)f->sums[f->nodes[other].sum].op;
        if (op && op_of(&f->nodes[i], j) == op && is_beside(f, i, other)) return other;
    }
    return -1;
}

bool trailing_add(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (node->sum >= 0 || !node->needed || !node->carries) return false;
    int content = node->position < 0 ? -1 : content_added_to(f, i);
    if (content < 0) return false;
    node->sum = f->nodes[content].sum;
    if (is_used_within(f, content)) return true;
    node->sum = -1;
    return false;
}

static int only_user(const struct function *f, LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) ? node_of(f, LLVMGetUser(use)) : -1;
}

/* Where a loop is not run at all, a constant stands there instead. */
static bool is_or_constant(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    if (node->kind != NODE_PHI || node->sum >= 0 || node->condition >= 0 || is_loop_header(f, node->block))
        return false;
    int n = 0;
    for (unsigned j = 0; j < LLVMCountIncoming(node->value); j++)
        n += !LLVMIsAConstant(LLVMGetIncomingValue(node->value, j));
    return n == 1;
}

/* What alone is computed from a value, where the loop is run; `*as` is what the value is there. */
static int only_user_behind(const struct function *f, LLVMValueRef value, LLVMValueRef *as)
{
    int user = only_user(f, *as = value);
    if (user < 0 || !is_or_constant(f, user)) return user;
    return only_user(f, *as = f->nodes[user].value);
}

/* Multiples of sums that nothing else is computed from, added to each other. */
static bool is_of_own_sums(const struct function *f, LLVMValueRef value, int depth)
{
    int i = node_of(f, value);
    if (i < 0 || !f->nodes[i].carries) return true;
    if (depth == DEEPEST || (depth && only_user(f, value) < 0)) return false;
    if (f->nodes[i].sum >= 0) return sums_arrive(f, i) && f->sums[f->nodes[i].sum].op == FOLD_ADD;
    for (unsigned j = 0; is_or_constant(f, i) && j < LLVMCountIncoming(value); j++)
        if (!LLVMIsAConstant(LLVMGetIncomingValue(value, j)))
            return is_of_own_sums(f, LLVMGetIncomingValue(value, j), depth + 1);
    if (f->nodes[i].kind != NODE_ARITH) return false;
    LLVMValueRef multiple = linear_multiple_of(f, i);
    if (multiple) return is_of_own_sums(f, multiple, depth + 1);
    bool fine = linear_is_addition(f->nodes[i].value) && !linear_is_fused(f->nodes[i].value);
    for (unsigned j = 0; fine && j < 2; j++)
        fine = is_of_own_sums(f, LLVMGetOperand(f->nodes[i].value, j), depth + 1);
    return fine;
}

bool trailing_multiply(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (node->sum >= 0 || node->kind != NODE_ARITH || !node->needed || !node->carries) return false;
    LLVMValueRef multiple = linear_multiple_of(f, i);
    LLVMValueRef as = NULL;
    int content = multiple ? node_of(f, multiple) : -1, user = only_user_behind(f, node->value, &as);
    if (content < 0 || !sums_arrive(f, content) || f->sums[f->nodes[content].sum].op != FOLD_ADD)
        return false;
    if (user < 0 || op_of(&f->nodes[user], LLVMGetOperand(f->nodes[user].value, 0) != as) != FOLD_ADD)
        return false;
    if (only_user(f, multiple) != i || !is_beside(f, i, content)) return false;
    if (!is_of_own_sums(f, f->nodes[user].value, 0)) return false;
    node->sum = f->nodes[content].sum;
    return true;
}

bool trailing_is_joined(const struct function *f, int i, int content)
{
    if (f->sums[f->nodes[i].sum].op != FOLD_ADD || f->sums[f->nodes[content].sum].op != FOLD_ADD)
        return false;
    if (!sums_arrive(f, content) || !is_beside(f, i, content)) return false;
    int user = only_user(f, f->nodes[content].value);
    for (int depth = 0; user >= 0 && user != i && depth < DEEPEST; depth++) {
        bool passes = linear_is_addition(f->nodes[user].value) || linear_multiple_of(f, user);
        if (f->nodes[user].kind != NODE_ARITH || f->nodes[user].sum >= 0 || !passes) return false;
        user = only_user(f, f->nodes[user].value);
    }
    return user == i;
}

/* A phi, or the select that the optimiser makes of one where it adds without asking. */
static bool may_extend(const struct function *f, const struct node *node)
{
    if (node->sum >= 0 || !node->needed || node->condition >= 0) return false;
    if (node->kind == NODE_PHI) return !is_loop_header(f, node->block);
    return node->kind == NODE_SELECT && !store_is_extremum(node->value, NULL, NULL);
}

bool trailing_extend(struct function *f, int choice)
{
    const struct node *node = &f->nodes[choice];
    int content = may_extend(f, node) ? content_of(f, choice) : -1;
    if (content < 0 || loop_holds(f, f->sums[f->nodes[content].sum].loop, node->block)) return false;
    if (mark(f, choice, content, f->nodes[content].sum) && is_used_within(f, content)) return true;
    mark(f, choice, content, -1);
    return false;
}

/* ---- ways that meet in several places ---- */

/* Additions to the content, additions to these, and where their ways meet. */
struct group {
    struct function *f;
    bool *has;
    int content, sum, op;
    int n_ends; /* that others use */
};

static bool is_on_way(const struct group *g, int i, LLVMValueRef member)
{
    const struct function *f = g->f;
    const struct node *node = &f->nodes[i];
    bool is_free = node->sum < 0 && node->needed && node->carries && node->condition < 0 &&
                   f->blocks[node->block].loop == f->blocks[f->nodes[g->content].block].loop;
    if (!is_free) return false;
    if (node->kind == NODE_PHI) return !is_loop_header(f, node->block);
    for (int j = 0; j < n_operands(node->value); j++)
        if (LLVMGetOperand(node->value, (unsigned)j) == member && op_of(node, j) == g->op) return true;
    return false;
}

static void gather(struct group *g, int i)
{
    const struct function *f = g->f;
    LLVMValueRef value = f->nodes[i].value;
    bool is_end = false;
    g->has[i] = true;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        int user = node_of(f, LLVMGetUser(use));
        if (user < 0 || f->nodes[user].sum == g->sum || g->has[user]) continue;
        if (is_on_way(g, user, value))
            gather(g, user);
        else
            is_end |= (f->nodes[user].carries && !LLVMIsACmpInst(f->nodes[user].value)) ||
                      is_store(&f->nodes[user]);
    }
    g->n_ends += is_end;
}

/* Does each addition have one user, and do the ways that meet come from nothing but these? */
static bool is_closed(const struct group *g)
{
    const struct function *f = g->f;
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (!g->has[i] || i == g->content) continue;
        if (node->kind != NODE_PHI && !is_used_once(node->value)) return false;
        for (unsigned j = 0; node->kind == NODE_PHI && j < LLVMCountIncoming(node->value); j++) {
            int in = node_of(f, LLVMGetIncomingValue(node->value, j));
            if (in < 0 || (!g->has[in] && f->nodes[in].sum != g->sum)) return false;
        }
    }
    return true;
}

bool trailing_meet(struct function *f, int content)
{
    if (!sums_arrive(f, content) || !f->nodes[content].carries) return false;
    int sum = f->nodes[content].sum, n = 0;
    struct group g = {.f = f, .content = content, .sum = sum, .op = (int)f->sums[sum].op};
    if (g.op == FOLD_NONE) return false;
    g.has = take((size_t)f->n_nodes, sizeof *g.has);
    gather(&g, content);
    bool fine = g.n_ends <= 1 && is_closed(&g);
    for (int i = 0; i < f->n_nodes; i++) {
        if (!fine || !g.has[i] || f->nodes[i].sum == sum) continue;
        f->nodes[i].sum = sum;
        n++;
    }
    free(g.has);
    return n > 0;
}
