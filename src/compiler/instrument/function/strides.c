#include "compiler/instrument/function/strides.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST_DEPTH = 12, MOST_TURNS = 8 };

/* A multiple of some number and a constant. */
struct multiple {
    unsigned long long of;
    long long offset;
};

static const struct multiple ANY = {1, 0};

static unsigned long long common(unsigned long long a, unsigned long long b)
{
    while (b) {
        unsigned long long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct multiple plus(struct multiple a, struct multiple b, int sign)
{
    return (struct multiple){common(a.of, b.of), a.offset + sign * b.offset};
}

static struct multiple times(struct multiple a, long long factor)
{
    return (struct multiple){a.of * (unsigned long long)llabs(factor), a.offset * factor};
}

static bool is_small(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

/* By how much a value is more than a phi, over a few constants that are added to it; false: it is another. */
static bool is_step(LLVMValueRef value, LLVMValueRef phi, long long *step)
{
    *step = 0;
    for (int i = 0; i < MOST_TURNS && value != phi; i++) {
        if (!LLVMIsABinaryOperator(value) || LLVMGetInstructionOpcode(value) != LLVMAdd) return false;
        LLVMValueRef added = LLVMGetOperand(value, 1);
        if (!is_small(added)) return false;
        *step += LLVMConstIntGetSExtValue(added);
        value = LLVMGetOperand(value, 0);
    }
    return value == phi;
}

static struct multiple multiple_of(LLVMValueRef value, int depth);

/* What goes on by so many in each turn. Where it begins is not looked at twice: only what differs counts. */
static struct multiple of_phi(LLVMValueRef phi, int depth)
{
    struct multiple all = {0, 0};
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        long long step;
        if (is_step(value, phi, &step))
            all.of = common(all.of, (unsigned long long)llabs(step));
        else
            all.of = common(all.of, multiple_of(value, depth + 1).of);
    }
    return all;
}

static struct multiple of_operator(LLVMValueRef value, int depth)
{
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(value)))
        return plus(multiple_of(left, depth + 1), multiple_of(right, depth + 1), 1);
    if (op == LLVMSub) return plus(multiple_of(left, depth + 1), multiple_of(right, depth + 1), -1);
    if (op == LLVMMul && is_small(right))
        return times(multiple_of(left, depth + 1), LLVMConstIntGetSExtValue(right));
    if (op == LLVMShl && is_small(right) && LLVMConstIntGetZExtValue(right) < 32)
        return times(multiple_of(left, depth + 1), 1LL << LLVMConstIntGetZExtValue(right));
    return ANY;
}

static struct multiple multiple_of(LLVMValueRef value, int depth)
{
    if (is_small(value)) return (struct multiple){0, LLVMConstIntGetSExtValue(value)};
    if (depth == MOST_DEPTH) return ANY;
    if (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value))
        return multiple_of(LLVMGetOperand(value, 0), depth + 1);
    if (LLVMIsAPHINode(value)) return of_phi(value, depth);
    return LLVMIsABinaryOperator(value) ? of_operator(value, depth) : ANY;
}

static struct multiple of_step(LLVMTargetDataRef layout, LLVMValueRef place)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(place);
    struct multiple all = {0, 0};
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(place); i++) {
        LLVMValueRef index = LLVMGetOperand(place, i);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) return ANY;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            all.offset += (long long)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        all = plus(all, times(multiple_of(index, 0), (long long)LLVMABISizeOfType(layout, type)), 1);
    }
    return all;
}

/* A pointer that goes on by so many bytes in each turn. */
static bool is_pointer_step(LLVMTargetDataRef layout, LLVMValueRef pointer, LLVMValueRef phi,
                            struct multiple *all)
{
    *all = (struct multiple){0, 0};
    for (; pointer != phi && LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        *all = plus(*all, of_step(layout, pointer), 1);
    return pointer == phi;
}

static unsigned long long pointer_stride(LLVMTargetDataRef layout, LLVMValueRef phi, LLVMValueRef *before)
{
    unsigned long long of = 0;
    *before = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        struct multiple step;
        if (is_pointer_step(layout, value, phi, &step)) {
            of = common(common(of, step.of), (unsigned long long)llabs(step.offset));
            continue;
        }
        if (*before && *before != value) return 1;
        *before = value;
    }
    return *before ? of : 1;
}

unsigned long long stride_bytes(LLVMTargetDataRef layout, LLVMValueRef base, LLVMValueRef pointer,
                                long long *offset)
{
    struct multiple all = {0, 0};
    for (int i = 0; i < MOST_DEPTH && pointer != base; i++) {
        if (LLVMIsAGetElementPtrInst(pointer)) {
            all = plus(all, of_step(layout, pointer), 1);
            pointer = LLVMGetOperand(pointer, 0);
        } else if (LLVMIsAPHINode(pointer)) {
            all.of = common(all.of, pointer_stride(layout, pointer, &pointer));
        }
        if (!pointer) return 1;
    }
    *offset = all.offset;
    return pointer == base ? all.of : 1;
}
