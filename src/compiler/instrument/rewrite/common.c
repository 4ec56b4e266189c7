/*
 * `if (c) *m = min(*m, a); else *m = min(*m, b);` is a reduction of *m whichever way is taken. Where the
 * optimiser has made one store of what the ways computed, the word is stored what was chosen, and nothing
 * tells that it goes on from what it was. So the operation that the ways have in common, with the operand
 * that they have in common, is done where they meet: *m = min(*m, c ? a : b), which is the same number.
 */
#include "compiler/instrument/rewrite/common.h"

#include <llvm-c/DebugInfo.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/store.h"

enum { MOST_ALTERNATIVES = 16 };

/* What the ways do to one number: all add or subtract, or all do the same. */
struct operation {
    LLVMValueRef phi, kept; /* `kept`: the operand in common */
    LLVMValueRef results[MOST_ALTERNATIVES];
    unsigned at[MOST_ALTERNATIVES]; /* which operand the kept one is */
    unsigned n;
};

static bool is_addition(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) && fold_of(value, 0) == FOLD_ADD;
}

static bool is_least_of_two(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && fold_of(value, 0) >= FOLD_MIN && LLVMGetNumArgOperands(value) == 2;
}

/* a < b ? a : b, by a comparison of its own. */
static bool is_chosen_of_two(LLVMValueRef value)
{
    return store_is_extremum(value, NULL, NULL) && flow_is_single_use(LLVMGetOperand(value, 0));
}

static bool compares_alike(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef one = LLVMGetOperand(a, 0), other = LLVMGetOperand(b, 0);
    bool is_left = LLVMGetOperand(a, 1) == LLVMGetOperand(one, 0),
         is_others = LLVMGetOperand(b, 1) == LLVMGetOperand(other, 0);
    if (LLVMGetInstructionOpcode(one) != LLVMGetInstructionOpcode(other) || is_left != is_others)
        return false;
    return LLVMIsAICmpInst(one) ? LLVMGetICmpPredicate(one) == LLVMGetICmpPredicate(other)
                                : LLVMGetFCmpPredicate(one) == LLVMGetFCmpPredicate(other);
}

static bool is_alike(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMIsASelectInst(a)) return is_chosen_of_two(b) && compares_alike(a, b);
    if (is_addition(a)) return is_addition(b) && LLVMTypeOf(a) == LLVMTypeOf(b);
    if (LLVMIsABinaryOperator(a))
        return LLVMIsABinaryOperator(b) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b);
    return is_least_of_two(a) && is_least_of_two(b) && LLVMGetCalledValue(a) == LLVMGetCalledValue(b);
}

/* An operand: of a choice, of its comparison. */
static LLVMValueRef operand_of(LLVMValueRef value, unsigned operand)
{
    return LLVMGetOperand(LLVMIsASelectInst(value) ? LLVMGetOperand(value, 0) : value, operand);
}

/* The operand that goes on by the operation; NULL where it cannot. */
static LLVMValueRef running(LLVMValueRef value, unsigned operand)
{
    if (LLVMIsASelectInst(value)) return is_chosen_of_two(value) ? operand_of(value, operand) : NULL;
    bool is_it = LLVMIsABinaryOperator(value) || is_least_of_two(value);
    return is_it && fold_of(value, operand) ? LLVMGetOperand(value, operand) : NULL;
}

static bool takes(struct operation *o, LLVMValueRef value)
{
    unsigned at = running(value, 0) == o->kept ? 0 : 1;
    if (LLVMIsASelectInst(value) && o->n && at != o->at[0]) return false;
    if (running(value, at) != o->kept || !flow_is_single_use(value)) return false;
    o->results[o->n] = value;
    o->at[o->n++] = at;
    return true;
}

/* Not what goes around a loop: there the ways do not meet. */
static bool find_operation(LLVMValueRef phi, struct operation *o)
{
    unsigned n = LLVMCountIncoming(phi);
    LLVMValueRef first = LLVMGetIncomingValue(phi, 0);
    if (n < 2 || n > MOST_ALTERNATIVES || !LLVMIsAInstruction(first)) return false;
    for (unsigned j = 0; j < 2; j++) {
        *o = (struct operation){.phi = phi, .kept = running(first, j)};
        bool fine = o->kept && !LLVMIsAConstant(o->kept) && o->kept != phi;
        for (unsigned i = 0; fine && i < n; i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            fine = LLVMIsAInstruction(value) && is_alike(first, value) && takes(o, value);
        }
        if (fine) return true;
    }
    return false;
}

/* What is added, at the end of its way: w - t is w + -t. */
static LLVMValueRef term_of(LLVMBuilderRef builder, const struct operation *o, unsigned i)
{
    LLVMValueRef value = o->results[i], term = operand_of(value, 1 - o->at[i]);
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    LLVMPositionBuilderBefore(builder, value);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(value));
    if (op == LLVMFSub) return LLVMBuildFNeg(builder, term, "");
    return op == LLVMSub ? LLVMBuildNeg(builder, term, "") : term;
}

static LLVMValueRef build_choice(LLVMBuilderRef builder, const struct operation *o, LLVMValueRef term)
{
    LLVMValueRef first = o->results[0], compare = LLVMGetOperand(first, 0), both[2];
    bool is_left = LLVMGetOperand(first, 1) == LLVMGetOperand(compare, 0);
    both[o->at[0]] = o->kept;
    both[1 - o->at[0]] = term;
    LLVMValueRef asked = LLVMIsAICmpInst(compare)
                             ? LLVMBuildICmp(builder, LLVMGetICmpPredicate(compare), both[0], both[1], "")
                             : LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(compare), both[0], both[1], "");
    return LLVMBuildSelect(builder, asked, both[!is_left], both[is_left], "");
}

static LLVMValueRef build(LLVMBuilderRef builder, const struct operation *o, LLVMValueRef term)
{
    LLVMValueRef first = o->results[0];
    if (LLVMIsASelectInst(first)) return build_choice(builder, o, term);
    if (is_addition(first)) {
        bool is_real = type_is_real(LLVMTypeOf(first));
        return is_real ? LLVMBuildFAdd(builder, o->kept, term, "") : LLVMBuildAdd(builder, o->kept, term, "");
    }
    if (LLVMIsABinaryOperator(first))
        return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(first), o->kept, term, "");
    LLVMValueRef both[2] = {o->kept, term};
    return LLVMBuildCall2(builder, LLVMGetCalledFunctionType(first), LLVMGetCalledValue(first), both, 2, "");
}

static void bring_out(LLVMBuilderRef builder, const struct operation *o)
{
    LLVMBasicBlockRef from[MOST_ALTERNATIVES];
    LLVMValueRef terms[MOST_ALTERNATIVES], place = o->phi;
    for (unsigned i = 0; i < o->n; i++) {
        terms[i] = term_of(builder, o, i);
        from[i] = LLVMGetIncomingBlock(o->phi, i);
    }
    LLVMPositionBuilderBefore(builder, place);
    LLVMValueRef term = LLVMBuildPhi(builder, LLVMTypeOf(o->phi), "");
    LLVMAddIncoming(term, terms, from, o->n);
    while (LLVMIsAPHINode(place)) place = LLVMGetNextInstruction(place);
    LLVMPositionBuilderBefore(builder, place);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(o->results[0]));
    LLVMReplaceAllUsesWith(o->phi, build(builder, o, term));
    LLVMInstructionEraseFromParent(o->phi);
    for (unsigned i = 0; i < o->n; i++) {
        LLVMValueRef compare = LLVMIsASelectInst(o->results[i]) ? LLVMGetOperand(o->results[i], 0) : NULL;
        LLVMInstructionEraseFromParent(o->results[i]);
        if (compare) LLVMInstructionEraseFromParent(compare);
    }
}

void common_operations(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i && LLVMIsAPHINode(i); i = next) {
            struct operation o;
            next = LLVMGetNextInstruction(i);
            if (flow_is_stored(i) && find_operation(i, &o)) bring_out(builder, &o);
        }
    LLVMDisposeBuilder(builder);
}
