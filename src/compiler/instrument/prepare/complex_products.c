/*
 * A product of complex numbers that has come to no number in both parts is computed again by a function of
 * the compiler's library, which knows infinities (annex G of C). The choice between both would be in the way
 * of all that is added up: of the four products that a complex one is, each is a term by itself.
 *
 *     if (isnan(re) && isnan(im)) (re, im) = __muldc3(a, b, c, d);
 */
#include "compiler/instrument/prepare/complex_products.h"

#include <stdbool.h>

#include "compiler/instrument/prepare/calls.h"

/* The question whether something is no number behind which alone a block is; NULL. */
static LLVMValueRef question_before(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef branch = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    if (!branch || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return NULL;
    LLVMValueRef condition = LLVMGetCondition(branch);
    bool asks = LLVMIsAFCmpInst(condition) && LLVMGetFCmpPredicate(condition) == LLVMRealUNO &&
                LLVMGetSuccessor(branch, 0) == block;
    return asks ? branch : NULL;
}

static LLVMValueRef say_no(const struct maker *make)
{
    LLVMValueRef second = question_before(LLVMGetInstructionParent(make->call));
    LLVMValueRef first = second ? question_before(LLVMGetInstructionParent(second)) : NULL;
    if (first) LLVMSetCondition(first, LLVMConstNull(LLVMTypeOf(LLVMGetCondition(first))));
    return NULL;
}

static make_function *make_of(LLVMValueRef call)
{
    static const char *const names[] = {"__mulhc3", "__mulsc3", "__muldc3", "__mulxc3", "__multc3"};
    return calls_one_of(call, names, sizeof names / sizeof *names) ? say_no : NULL;
}

void complex_products_make_plain(LLVMModuleRef module)
{
    calls_replace(module, make_of);
}
