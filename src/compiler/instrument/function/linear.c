#include "compiler/instrument/function/linear.h"

#include <stdlib.h>

#include "compiler/instrument/function/store.h"

bool linear_is_fused(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && fold_of(value, 2) == FOLD_ADD;
}

bool linear_is_addition(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMAdd || op == LLVMSub || linear_is_fused(value);
}

bool linear_is_difference(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMFSub || op == LLVMSub;
}

LLVMValueRef linear_multiple_of(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    bool is_product = op == LLVMFMul || op == LLVMMul;
    if (!is_product && op != LLVMFDiv && op != LLVMFNeg) return NULL;
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses), found = -1;
    for (int j = 0; j < n; j++) {
        if (!use_carries(f, &uses[j])) continue;
        if (found >= 0) return NULL;
        found = j;
    }
    return found == 0 || (found > 0 && is_product) ? uses[found].value : NULL;
}

bool linear_keeps_order(LLVMValueRef multiple)
{
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(multiple); j++) {
        LLVMValueRef factor = LLVMGetOperand(multiple, j);
        LLVMBool loses;
        if (LLVMIsAConstantFP(factor)) return LLVMConstRealGetDouble(factor, &loses) > 0;
        if (LLVMIsAConstantInt(factor)) return LLVMConstIntGetSExtValue(factor) > 0;
    }
    return false;
}

struct look {
    const struct function *f;
    bool is_of_one; /* all comes of one leaf: a product is a power of it */
    int most;       /* so many values are looked at */
};

static bool is_linear(struct look *l, const struct use *use);

static bool are_linear(struct look *l, const struct use *uses, int n)
{
    for (int j = 0; j < n; j++)
        if (!is_linear(l, &uses[j])) return false;
    return true;
}

/* Both factors of what comes of several leaves have their own labels, or nothing to tell. */
static bool are_factors_of_power(const struct look *l, const struct use *factors)
{
    return use_carries(l->f, &factors[0]) && use_carries(l->f, &factors[1]) &&
           (l->is_of_one || factors[0].value == factors[1].value);
}

/* Of a fused one, too. */
static bool is_power(const struct look *l, const struct node *node, const struct use *uses, int n)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    bool is_product = n >= 2 && (op == LLVMFMul || op == LLVMMul || (n == 3 && linear_is_fused(node->value)));
    return is_product && are_factors_of_power(l, uses);
}

/* The same number, or several side by side. */
static bool is_conversion(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return store_is_width(value) || op == LLVMSIToFP || op == LLVMUIToFP || op == LLVMFreeze ||
           op == LLVMExtractValue || op == LLVMInsertValue;
}

/* An addition, a product, a conversion, or one of several values. */
static bool passes_on(const struct node *node)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    return node->kind != NODE_ARITH || linear_is_addition(node->value) || is_conversion(node->value) ||
           op == LLVMFMul || op == LLVMMul;
}

static bool is_linear(struct look *l, const struct use *use)
{
    const struct function *f = l->f;
    int i = node_of(f, use->value);
    if (i < 0 || !f->nodes[i].carries || f->nodes[i].kind == NODE_LEAF || is_load(&f->nodes[i]) ||
        f->nodes[i].sum >= 0 || forwarded(f, use) >= 0)
        return true;
    const struct node *node = &f->nodes[i];
    if (l->most-- <= 0) return false;
    LLVMValueRef multiple = node->kind == NODE_ARITH ? linear_multiple_of(f, i) : NULL;
    if (multiple) return is_linear(l, &(struct use){multiple, node->block, node->position});
    if (!passes_on(node)) return false;
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n = data_uses(f, i, uses);
    bool fine = !is_power(l, node, uses, n) && are_linear(l, uses, n);
    free(uses);
    return fine;
}

bool linear_is_power(const struct function *f, const struct use *factors, int n, bool is_of_one)
{
    enum { MOST_VALUES = 64 };
    struct look l = {f, is_of_one, MOST_VALUES};
    return (n == 2 && are_factors_of_power(&l, factors)) || !are_linear(&l, factors, n);
}
