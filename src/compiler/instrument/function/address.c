/*
 * The optimiser moves parts of an address out of a loop on one way and not on another: `a[i * n + j]` may be
 * one step from a, or two.
 */
#include "compiler/instrument/function/address.h"

#include <llvm-c/Target.h>
#include <stddef.h>

#include "compiler/instrument/function/function.h"

enum { MOST_TERMS = 12, MOST_DEPTH = 6, MOST_RELOADS = 4, MOST_PHIS = 32 };

struct address {
    LLVMTargetDataRef layout;
    LLVMValueRef base;
    long long offset_bytes;
    bool reloads; /* may parts of an index be loaded again? */
    struct {
        LLVMValueRef value;
        long long bytes;
    } terms[MOST_TERMS];
    int n;
};

LLVMValueRef address_base(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) ||
           (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static LLVMValueRef function_with(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static bool is_small(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

static bool are_like_casts(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMIsACastInst(a) && LLVMIsACastInst(b) &&
           LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && LLVMTypeOf(a) == LLVMTypeOf(b);
}

static bool are_like_operators(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMIsABinaryOperator(a) && LLVMIsABinaryOperator(b) &&
           LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b);
}

struct phis {
    LLVMValueRef seen[MOST_PHIS];
    int n;
};

/* Was the value loaded from the variable, in this turn of a loop or in another one? From any where it is
 * NULL. */
static bool is_loaded_from(LLVMValueRef value, LLVMValueRef *variable, struct phis *phis)
{
    if (LLVMIsALoadInst(value)) {
        if (!*variable) *variable = LLVMGetOperand(value, 0);
        return LLVMGetOperand(value, 0) == *variable;
    }
    if (!LLVMIsAPHINode(value)) return false;
    for (int i = 0; i < phis->n; i++)
        if (phis->seen[i] == value) return true;
    if (phis->n == MOST_PHIS) return false;
    phis->seen[phis->n++] = value;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
        if (!is_loaded_from(LLVMGetIncomingValue(value, i), variable, phis)) return false;
    return true;
}

static bool is_same_variable(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef load = LLVMIsALoadInst(a) ? a : b, variable = NULL;
    struct phis phis = {.n = 0}, others = {.n = 0};
    return LLVMIsALoadInst(load) && address_stands(load) && is_loaded_from(a, &variable, &phis) &&
           is_loaded_from(b, &variable, &others);
}

static bool is_same_value(LLVMValueRef a, LLVMValueRef b, bool reloads, int depth);

/* The first operand of one with the given one of the other, and so on. */
static bool are_same_operands(LLVMValueRef a, LLVMValueRef b, unsigned first, bool reloads, int depth)
{
    unsigned n = (unsigned)LLVMGetNumOperands(a);
    for (unsigned i = 0; i < n; i++)
        if (!is_same_value(LLVMGetOperand(a, i), LLVMGetOperand(b, (first + i) % n), reloads, depth + 1))
            return false;
    return true;
}

static bool is_commutative(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMAdd || op == LLVMMul;
}

/* The optimiser makes an index anew on each way that it is used on, and chooses where these meet. */
static bool is_same_value(LLVMValueRef a, LLVMValueRef b, bool reloads, int depth)
{
    a = address_behind(a);
    b = address_behind(b);
    if (a == b || (reloads && is_same_variable(a, b))) return true;
    if (depth == MOST_DEPTH || !(are_like_casts(a, b) || (reloads && are_like_operators(a, b)))) return false;
    return are_same_operands(a, b, 0, reloads, depth) ||
           (is_commutative(a) && are_same_operands(a, b, 1, reloads, depth));
}

static bool is_same_cast(LLVMValueRef a, LLVMValueRef b)
{
    return a == b || (are_like_casts(a, b) && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0));
}

LLVMValueRef address_behind(LLVMValueRef value)
{
    if (!LLVMIsAPHINode(value)) return value;
    LLVMValueRef first = LLVMGetIncomingValue(value, 0);
    for (unsigned i = 1; i < LLVMCountIncoming(value); i++)
        if (!is_same_cast(first, LLVMGetIncomingValue(value, i))) return value;
    return first;
}

bool address_stands(LLVMValueRef load)
{
    LLVMValueRef variable = LLVMGetOperand(load, 0), function = function_with(load);
    if (!LLVMIsAGlobalVariable(variable) || LLVMGetVolatile(load)) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) && !LLVMIsALoadInst(user) && function_with(user) == function)
            return false;
    }
    return true;
}

static bool add_value(struct address *a, LLVMValueRef value, long long bytes)
{
    for (int i = 0; i < a->n; i++) {
        if (!is_same_value(a->terms[i].value, value, a->reloads, 0)) continue;
        a->terms[i].bytes += bytes;
        return true;
    }
    if (a->n == MOST_TERMS) return false;
    a->terms[a->n].value = value;
    a->terms[a->n++].bytes = bytes;
    return true;
}

/* An index of 64 bits, which wraps as addresses do. */
static bool add_index(struct address *a, LLVMValueRef index, long long bytes, int depth)
{
    if (is_small(index)) {
        a->offset_bytes += LLVMConstIntGetSExtValue(index) * bytes;
        return true;
    }
    LLVMOpcode op = LLVMIsABinaryOperator(index) ? LLVMGetInstructionOpcode(index) : LLVMRet;
    if (depth == MOST_DEPTH || LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
        return add_value(a, index, bytes);
    LLVMValueRef left = op != LLVMRet ? LLVMGetOperand(index, 0) : NULL,
                 right = op != LLVMRet ? LLVMGetOperand(index, 1) : NULL;
    if (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(index)))
        return add_index(a, left, bytes, depth + 1) && add_index(a, right, bytes, depth + 1);
    if (op == LLVMSub) return add_index(a, left, bytes, depth + 1) && add_index(a, right, -bytes, depth + 1);
    if (op == LLVMMul && is_small(right))
        return add_index(a, left, bytes * LLVMConstIntGetSExtValue(right), depth + 1);
    if (op == LLVMShl && is_small(right) && LLVMConstIntGetZExtValue(right) < 32)
        return add_index(a, left, bytes << LLVMConstIntGetZExtValue(right), depth + 1);
    return add_value(a, index, bytes);
}

static bool add_step(struct address *a, LLVMValueRef step)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(step); i++) {
        LLVMValueRef index = LLVMGetOperand(step, i);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind) return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            a->offset_bytes += (long long)LLVMOffsetOfElement(a->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        if (!add_index(a, index, (long long)LLVMABISizeOfType(a->layout, type), 0)) return false;
    }
    return true;
}

static bool find_address(struct address *a, LLVMValueRef pointer)
{
    for (a->base = pointer; LLVMIsAGetElementPtrInst(a->base); a->base = LLVMGetOperand(a->base, 0))
        if (!add_step(a, a->base)) return false;
    return true;
}

static bool has_term(const struct address *a, LLVMValueRef value, long long bytes)
{
    for (int i = 0; i < a->n; i++)
        if (is_same_value(a->terms[i].value, value, a->reloads, 0)) return a->terms[i].bytes == bytes;
    return bytes == 0;
}

static bool has_terms(const struct address *a, const struct address *b)
{
    for (int i = 0; i < b->n; i++)
        if (!has_term(a, b->terms[i].value, b->terms[i].bytes)) return false;
    return true;
}

static LLVMTargetDataRef layout_of(LLVMValueRef instruction)
{
    return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function_with(instruction)));
}

static bool is_same(LLVMValueRef a, LLVMValueRef b, int reloads);

static bool steps_on(LLVMValueRef next, LLVMValueRef phi)
{
    return LLVMIsAGetElementPtrInst(next) && LLVMGetOperand(next, 0) == phi;
}

static bool are_like_steps(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(a); i++)
        if (LLVMGetOperand(a, i) != LLVMGetOperand(b, i)) return false;
    return true;
}

static bool begins_at(LLVMValueRef a, LLVMValueRef b, int reloads)
{
    LLVMValueRef base = address_base(a);
    bool is_known = base == address_base(b) || !LLVMIsAPHINode(base);
    return is_known && is_same(a, b, reloads);
}

/* `*to++ = *from++ + *x++` with both at the same word in the first turn, as std::transform does it. */
static bool go_along(LLVMValueRef a, LLVMValueRef b, int reloads)
{
    if (!LLVMIsAPHINode(a) || !LLVMIsAPHINode(b) ||
        LLVMGetInstructionParent(a) != LLVMGetInstructionParent(b))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(a); i++) {
        LLVMValueRef one = LLVMGetIncomingValue(a, i), other = phi_from(b, LLVMGetIncomingBlock(a, i));
        bool are_steps = other && steps_on(one, a) && steps_on(other, b);
        if (!other) return false;
        if (are_steps ? !are_like_steps(one, other) : !begins_at(one, other, reloads)) return false;
    }
    return true;
}

static bool is_same_base(LLVMValueRef a, LLVMValueRef b, int reloads)
{
    if (a == b || go_along(a, b, reloads)) return true;
    bool are_loads = reloads > 0 && LLVMIsALoadInst(a) && LLVMIsALoadInst(b);
    if (!are_loads || LLVMGetVolatile(a) || LLVMGetVolatile(b)) return false;
    return is_same(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0), reloads - 1);
}

/* The same sum but for its constant: how far b is behind a. */
static bool is_apart(LLVMValueRef a, LLVMValueRef b, int reloads, long long *bytes)
{
    *bytes = 0;
    if (a == b) return true;
    LLVMValueRef step = LLVMIsAGetElementPtrInst(a) ? a : b;
    if (!LLVMIsAGetElementPtrInst(step)) return is_same_base(a, b, reloads);
    struct address one = {.layout = layout_of(step), .reloads = reloads > 0}, other = one;
    if (!find_address(&one, a) || !find_address(&other, b)) return false;
    *bytes = other.offset_bytes - one.offset_bytes;
    return has_terms(&one, &other) && has_terms(&other, &one) && is_same_base(one.base, other.base, reloads);
}

static bool is_same(LLVMValueRef a, LLVMValueRef b, int reloads)
{
    long long bytes;
    return is_apart(a, b, reloads, &bytes) && bytes == 0;
}

bool address_is_same(LLVMValueRef a, LLVMValueRef b)
{
    return is_same(a, b, 0);
}

bool address_is_apart(LLVMValueRef a, LLVMValueRef b, long long *bytes)
{
    return is_apart(a, b, 0, bytes);
}

bool address_is_reloaded(LLVMValueRef a, LLVMValueRef b)
{
    return is_same(a, b, MOST_RELOADS);
}

LLVMValueRef address_behind_bits(LLVMValueRef value)
{
    for (;;) {
        bool is_mask = LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAnd &&
                       LLVMIsAConstant(LLVMGetOperand(value, 1));
        if (!is_mask && !LLVMIsAZExtInst(value) && !LLVMIsASExtInst(value) && !LLVMIsATruncInst(value))
            return value;
        value = LLVMGetOperand(value, 0);
    }
}

bool address_is_of_key(LLVMValueRef pointer)
{
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (LLVMIsALoadInst(address_behind_bits(LLVMGetOperand(pointer, i)))) return true;
    return false;
}
