#include "compiler/instrument/emit/taken.h"

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/function/store.h"

/* The choice of the same block that alone uses this one, as an alternative; -1 if there is none. */
static int chosen_by(const struct function *f, int i)
{
    LLVMValueRef value = f->nodes[i].value;
    LLVMUseRef use = LLVMGetFirstUse(value);
    int user = use && !LLVMGetNextUse(use) ? node_of(f, LLVMGetUser(use)) : -1;
    if (user < 0) return -1;
    const struct node *node = &f->nodes[user];
    if (node->kind != NODE_SELECT || node->block != f->nodes[i].block || node->condition >= 0 ||
        node->sum >= 0 || store_is_extremum(node->value, NULL, NULL))
        return -1;
    return LLVMGetOperand(node->value, 0) == value ? -1 : user;
}

static void add(struct taken *taken, LLVMValueRef select, bool when)
{
    taken->condition[taken->n] = LLVMGetOperand(select, 0);
    taken->when[taken->n++] = when;
}

struct taken taken_select(const struct function *f, int i, unsigned alternative, int *last)
{
    struct taken taken = {0};
    add(&taken, f->nodes[i].value, alternative == 0);
    for (int user; taken.n < MOST_TAKEN && (user = chosen_by(f, i)) >= 0; i = user)
        add(&taken, f->nodes[user].value, LLVMGetOperand(f->nodes[user].value, 1) == f->nodes[i].value);
    *last = i;
    return taken;
}

struct taken taken_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return (struct taken){0};
    return (struct taken){1, {LLVMGetCondition(end)}, {LLVMGetSuccessor(end, 0) == to}};
}

LLVMValueRef taken_emit(struct module_state *m, const struct taken *taken)
{
    LLVMValueRef all = NULL;
    for (int i = 0; i < taken->n; i++) {
        LLVMValueRef one = taken->condition[i];
        if (!taken->when[i]) one = LLVMBuildNot(m->builder, one, "");
        all = all ? LLVMBuildAnd(m->builder, all, one, "") : one;
    }
    return all;
}
