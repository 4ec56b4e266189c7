/* Choices of which nothing but the condition leads to data: `if (d < best) b = c;`. */
#include "compiler/instrument/function/conditions.h"

#include <stdlib.h>

#include "compiler/instrument/function/choices.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/kept.h"

/* The optimiser computes `i + 1` in each of two ways. */
static bool is_same(LLVMValueRef a, LLVMValueRef b)
{
    if (a == b) return true;
    return LLVMIsABinaryOperator(a) && LLVMIsABinaryOperator(b) &&
           LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
           LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) && LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1);
}

static bool all_alike(const struct use *uses, int n)
{
    for (int i = 1; i < n; i++)
        if (!is_same(uses[i].value, uses[0].value)) return false;
    return true;
}

/* `if (d < best) b = c;` stores an index whose only link to the data is the comparison. */
static void take_condition(struct function *f, int i)
{
    struct use uses[MOST_USES];
    struct node *node = &f->nodes[i];
    int n = data_uses(f, i, uses);
    if (n < 2 || (all_alike(uses, n) && !kept_is_asked(node->value)) || choices_go_on(f, node, uses, n))
        return;
    LLVMValueRef condition = condition_of(f, node);
    int c = condition ? node_of(f, condition) : -1;
    if (c >= 0 && f->nodes[c].carries) node->condition = c;
}

static bool is_choice(const struct node *node)
{
    return node->kind == NODE_SELECT || node->kind == NODE_PHI;
}

static bool comes_of(const struct function *f, int i, int other, bool *seen)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = f->nodes[i].kind == NODE_LEAF ? 0 : data_uses(f, i, uses);
    bool found = false;
    for (int j = 0; j < n && !found; j++) {
        int operand = node_of(f, uses[j].value);
        found = operand == other;
        if (operand < 0 || found || seen[operand]) continue;
        seen[operand] = true;
        found = comes_of(f, operand, other, seen);
    }
    free(uses);
    return found;
}

/* Of pointers, and of what goes on from turn to turn, each choice tells its own part. */
static bool tells_own_part(const struct function *f, int i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(f->nodes[i].value)) == LLVMPointerTypeKind) return true;
    bool *seen = take((size_t)f->n_nodes, sizeof *seen);
    bool found = comes_of(f, i, i, seen);
    free(seen);
    return found;
}

/* Other choices among choices wait for these: what an alternative carries is no reason for the guard around
 * it, which would be all that is told of it. */
static void take_condition_last(struct function *f, int i, int depth, bool *seen)
{
    struct node *node = &f->nodes[i];
    if (seen[i] || node->carries || node->kind == NODE_NONE || node->kind == NODE_LEAF) return;
    seen[i] = true;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    for (int j = 0; j < n; j++) {
        int other = node_of(f, uses[j].value);
        if (other >= 0) take_condition_last(f, other, depth, seen);
    }
    free(uses);
    node->carries = flow_operand_carries(f, i);
    if (is_choice(node) && !node->carries && loop_depth(f, node->block) == depth) take_condition(f, i);
    node->carries = node->carries || node->condition >= 0;
}

/* From the innermost loops outwards: what a choice inside carries by then is no reason for the guard around
 * it. */
void conditions_take(struct function *f)
{
    int deepest = 0;
    for (int b = 0; b < f->n_blocks; b++)
        if (loop_depth(f, b) > deepest) deepest = loop_depth(f, b);
    for (int depth = deepest; depth >= 0; depth--) {
        for (int i = 0; i < f->n_nodes; i++) {
            const struct node *node = &f->nodes[i];
            if (is_choice(node) && !node->carries && loop_depth(f, node->block) == depth &&
                tells_own_part(f, i))
                take_condition(f, i);
        }
        flow_spread(f);
        bool *seen = take((size_t)f->n_nodes, sizeof *seen);
        for (int i = 0; i < f->n_nodes; i++) take_condition_last(f, i, depth, seen);
        free(seen);
        flow_spread(f);
    }
}
