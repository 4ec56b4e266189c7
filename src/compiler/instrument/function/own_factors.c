/* A sum of products of the function's own numbers and of others stays a number that is told by itself: the
 * run shows whether its words, or those that it is made of, are sent. */
#include "compiler/instrument/function/own_factors.h"

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"

enum { MOST_FACTORS = 8 };

struct factors {
    bool any_own, any_other;
};

static bool is_product(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return op == LLVMFMul || op == LLVMMul;
}

static void find_factors(const struct function *f, LLVMValueRef value, int depth, struct factors *factors)
{
    int i = node_of(f, value);
    if (i < 0 || !f->nodes[i].carries || depth == MOST_FACTORS) return;
    if (is_product(value)) {
        for (unsigned j = 0; j < 2; j++) find_factors(f, LLVMGetOperand(value, j), depth + 1, factors);
    } else if (is_load(&f->nodes[i])) {
        bool is_own = LLVMIsAAllocaInst(address_base(LLVMGetOperand(value, 0)));
        *(is_own ? &factors->any_own : &factors->any_other) = true;
    }
}

/* Terms are the operands of what adds to the sum that are not of it: of a fused product two. */
static bool has_own_factor(const struct function *f, int member)
{
    const struct node *node = &f->nodes[member];
    unsigned n = LLVMIsACallInst(node->value) ? LLVMGetNumArgOperands(node->value)
                                              : (unsigned)LLVMGetNumOperands(node->value);
    struct factors factors = {false, false};
    for (unsigned j = 0; j < n; j++) {
        LLVMValueRef operand = LLVMGetOperand(node->value, j);
        int i = node_of(f, operand);
        if (i < 0 || f->nodes[i].sum == node->sum) continue;
        if (n == 3 || is_product(operand)) find_factors(f, operand, 0, &factors);
    }
    return factors.any_own && factors.any_other;
}

bool own_factors_any(const struct function *f, int sum)
{
    if (f->sums[sum].op != FOLD_ADD) return false;
    for (int i = 0; i < f->n_nodes; i++)
        if (f->nodes[i].sum == sum && f->nodes[i].kind == NODE_ARITH && has_own_factor(f, i)) return true;
    return false;
}
