/*
 * What is too large for an atomic instruction goes through libatomic, which copies it under a lock:
 *
 *     __atomic_load(n, object, result, order)
 *     __atomic_store(n, object, value, order)
 *     __atomic_exchange(n, object, value, result, order)
 *     __atomic_compare_exchange(n, object, expected, wanted, order, order)
 *
 * The last one is `object = wanted` where the object is as expected, and otherwise `expected = object`: one
 * copy with two choices.
 */
#include "compiler/instrument/prepare/atomics.h"

#include <string.h>

#include "compiler/instrument/prepare/calls.h"

static LLVMValueRef copy(const struct maker *make, LLVMValueRef to, LLVMValueRef from)
{
    return LLVMBuildMemMove(make->builder, to, 1, from, 1, operand(make, 0));
}

static LLVMValueRef load(const struct maker *make)
{
    return copy(make, operand(make, 2), operand(make, 1));
}

static LLVMValueRef store(const struct maker *make)
{
    return copy(make, operand(make, 1), operand(make, 2));
}

/* The value may stand where the result goes. */
static LLVMValueRef exchange(const struct maker *make)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(make->call),
                      entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
    unsigned long long bytes = LLVMConstIntGetZExtValue(operand(make, 0));
    LLVMPositionBuilderBefore(make->builder, LLVMGetFirstInstruction(entry));
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(make->context), bytes);
    LLVMValueRef between = LLVMBuildAlloca(make->builder, type, "atomic-temp");
    LLVMSetAlignment(between, 8);
    LLVMPositionBuilderBefore(make->builder, make->call);
    copy(make, between, operand(make, 2));
    copy(make, operand(make, 3), operand(make, 1));
    return copy(make, operand(make, 1), between);
}

static LLVMValueRef compare(const struct maker *make)
{
    LLVMTypeRef pointer = LLVMTypeOf(operand(make, 1)), number = LLVMInt32TypeInContext(make->context);
    LLVMTypeRef types[3] = {pointer, pointer, LLVMTypeOf(operand(make, 0))};
    LLVMTypeRef type = LLVMFunctionType(number, types, 3, 0);
    LLVMValueRef function = LLVMGetNamedFunction(make->module, "memcmp");
    LLVMValueRef arguments[3] = {operand(make, 1), operand(make, 2), operand(make, 0)};
    if (!function) function = LLVMAddFunction(make->module, "memcmp", type);
    LLVMValueRef order = LLVMBuildCall2(make->builder, type, function, arguments, 3, "");
    return LLVMBuildICmp(make->builder, LLVMIntEQ, order, LLVMConstNull(number), "");
}

static LLVMValueRef compare_exchange(const struct maker *make)
{
    LLVMValueRef object = operand(make, 1), expected = operand(make, 2), wanted = operand(make, 3);
    LLVMValueRef is_same = compare(make);
    LLVMValueRef to = LLVMBuildSelect(make->builder, is_same, object, expected, "");
    LLVMValueRef from = LLVMBuildSelect(make->builder, is_same, wanted, object, "");
    copy(make, to, from);
    return LLVMBuildZExtOrBitCast(make->builder, is_same, LLVMTypeOf(make->call), "");
}

static const struct {
    const char *name;
    unsigned n_operands;
    make_function *make;
} calls[] = {{"__atomic_load", 4, load},
             {"__atomic_store", 4, store},
             {"__atomic_exchange", 5, exchange},
             {"__atomic_compare_exchange", 6, compare_exchange}};

static make_function *make_of(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = calls_function(call);
    if (!callee || !LLVMIsDeclaration(callee)) return NULL;
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0 && LLVMGetNumArgOperands(call) == calls[i].n_operands)
            return LLVMIsAConstantInt(LLVMGetOperand(call, 0)) ? calls[i].make : NULL;
    return NULL;
}

void atomics_make_copies(LLVMModuleRef module)
{
    calls_replace(module, make_of);
}
