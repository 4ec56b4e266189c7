/*
 * `_mm256_blendv_pd(a, b, mask)` and its like are calls of the machine's intrinsics, of which LLVM knows
 * nothing that is not about this machine, so that each lane of the result would come of all lanes:
 *
 *     llvm.x86.avx.blendv.pd.256(a, b, mask)   mask < 0 ? b : a
 *     llvm.x86.sse41.dpps(a, b, 0xf1)          {(a[0] b[0] + a[1] b[1]) + (a[2] b[2] + a[3] b[3]), 0, 0, 0}
 *     llvm.x86.sse3.addsub.pd(a, b)            {a[0] - b[0], a[1] + b[1]}
 *     llvm.x86.fma.vfmaddsub.pd(a, b, c)       {a[0] b[0] - c[0], a[1] b[1] + c[1]}
 *     llvm.x86.sse41.round.pd(a, 1)            floor(a)
 *     llvm.x86.avx.rsqrt.ps.256(a)             llvm.x86.sse.rsqrt.ss of each lane
 *
 * Numbers are those that the machine computes, to the last bit.
 */
#include "compiler/instrument/prepare/lane_wise.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_LANES = 8, LANES_OF_128_BITS = 4 };

static bool is_double(LLVMTypeRef vector)
{
    return LLVMGetTypeKind(LLVMGetElementType(vector)) == LLVMDoubleTypeKind;
}

static LLVMValueRef index_of(const struct maker *make, unsigned i)
{
    return LLVMConstInt(LLVMInt32TypeInContext(make->context), i, 0);
}

static LLVMValueRef lane_of(const struct maker *make, LLVMValueRef vector, unsigned i)
{
    return LLVMBuildExtractElement(make->builder, vector, index_of(make, i), "");
}

static LLVMValueRef with_lane(const struct maker *make, LLVMValueRef vector, LLVMValueRef lane, unsigned i)
{
    return LLVMBuildInsertElement(make->builder, vector, lane, index_of(make, i), "");
}

/* An intrinsic that is found by its name, for these types where it is there for several. */
static LLVMValueRef call(const struct maker *make, const char *name, LLVMTypeRef type,
                         LLVMValueRef *arguments, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(make->module, id, &type, type ? 1 : 0);
    return LLVMBuildCall2(make->builder, LLVMGlobalGetValueType(function), function, arguments, n, "");
}

LLVMValueRef lane_wise_meant(const struct maker *make, LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMTypeOf(mask), lane = LLVMGetElementType(type);
    LLVMTypeKind kind = LLVMGetTypeKind(lane);
    if (kind == LLVMDoubleTypeKind) lane = LLVMInt64TypeInContext(make->context);
    if (kind == LLVMFloatTypeKind) lane = LLVMInt32TypeInContext(make->context);
    type = LLVMVectorType(lane, LLVMGetVectorSize(type));
    mask = LLVMBuildBitCast(make->builder, mask, type, "");
    return LLVMBuildICmp(make->builder, LLVMIntSLT, mask, LLVMConstNull(type), "");
}

LLVMValueRef lane_wise_blend(const struct maker *make)
{
    LLVMValueRef is_second = lane_wise_meant(make, operand(make, 2));
    return LLVMBuildSelect(make->builder, is_second, operand(make, 1), operand(make, 0), "");
}

/* Of 128 bits; what is not named counts as 0. */
static LLVMValueRef dot_of(const struct maker *make, unsigned from, unsigned n, unsigned which)
{
    LLVMTypeRef type = LLVMTypeOf(make->call);
    LLVMValueRef zero = LLVMConstNull(LLVMGetElementType(type)), terms[LANES_OF_128_BITS];
    LLVMValueRef products = LLVMBuildFMul(make->builder, operand(make, 0), operand(make, 1), "");
    for (unsigned i = 0; i < n; i++) terms[i] = which >> i & 1 ? lane_of(make, products, from + i) : zero;
    for (; n > 1; n /= 2)
        for (unsigned i = 0; i < n / 2; i++)
            terms[i] = LLVMBuildFAdd(make->builder, terms[2 * i], terms[2 * i + 1], "");
    return terms[0];
}

LLVMValueRef lane_wise_dot(const struct maker *make)
{
    LLVMTypeRef type = LLVMTypeOf(make->call);
    unsigned n = LLVMGetVectorSize(type), width = is_double(type) ? 2 : LANES_OF_128_BITS;
    unsigned chosen = (unsigned)LLVMConstIntGetZExtValue(operand(make, 2)), which = chosen >> 4;
    LLVMValueRef result = LLVMConstNull(type);
    for (unsigned from = 0; from < n; from += width) {
        LLVMValueRef sum = dot_of(make, from, width, which);
        for (unsigned i = 0; i < width; i++)
            if (chosen >> i & 1) result = with_lane(make, result, sum, from + i);
    }
    return result;
}

/* Even lanes of one vector, odd ones of the other. */
static LLVMValueRef in_turn(const struct maker *make, LLVMValueRef even, LLVMValueRef odd)
{
    LLVMValueRef lanes[MOST_LANES];
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(even));
    for (unsigned i = 0; i < n; i++) lanes[i] = index_of(make, i & 1 ? n + i : i);
    return LLVMBuildShuffleVector(make->builder, even, odd, LLVMConstVector(lanes, n), "");
}

LLVMValueRef lane_wise_turn(const struct maker *make)
{
    LLVMValueRef a = operand(make, 0), b = operand(make, 1);
    return in_turn(make, LLVMBuildFSub(make->builder, a, b, ""), LLVMBuildFAdd(make->builder, a, b, ""));
}

LLVMValueRef lane_wise_turn_product(const struct maker *make)
{
    LLVMTypeRef type = LLVMTypeOf(make->call);
    LLVMValueRef plus[3] = {operand(make, 0), operand(make, 1), operand(make, 2)};
    LLVMValueRef minus[3] = {plus[0], plus[1], LLVMBuildFNeg(make->builder, plus[2], "")};
    if (LLVMGetVectorSize(type) > MOST_LANES) return NULL;
    return in_turn(make, call(make, "llvm.fma", type, minus, 3), call(make, "llvm.fma", type, plus, 3));
}

LLVMValueRef lane_wise_round(const struct maker *make)
{
    enum { MODES = 4, AS_SET = 4 };
    static const char *const names[MODES] = {"llvm.roundeven", "llvm.floor", "llvm.ceil", "llvm.trunc"};
    unsigned how = (unsigned)LLVMConstIntGetZExtValue(operand(make, 1));
    LLVMValueRef x = operand(make, 0);
    return call(make, how & AS_SET ? "llvm.rint" : names[how % MODES], LLVMTypeOf(x), &x, 1);
}

static LLVMValueRef each(const struct maker *make, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(make->call);
    LLVMTypeRef single = LLVMVectorType(LLVMGetElementType(type), LANES_OF_128_BITS);
    LLVMValueRef result = LLVMConstNull(type);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef x = with_lane(make, LLVMConstNull(single), lane_of(make, operand(make, 0), i), 0);
        result = with_lane(make, result, lane_of(make, call(make, name, NULL, &x, 1), 0), i);
    }
    return result;
}

LLVMValueRef lane_wise_inverse(const struct maker *make)
{
    return each(make, "llvm.x86.sse.rcp.ss");
}

LLVMValueRef lane_wise_inverse_root(const struct maker *make)
{
    return each(make, "llvm.x86.sse.rsqrt.ss");
}

/* ---- instructions of one lane ---- */

/* The number in the first lane; NULL where that is not known. */
static LLVMValueRef first_lane(LLVMValueRef vector)
{
    while (LLVMIsAInsertElementInst(vector) && LLVMIsAConstantInt(LLVMGetOperand(vector, 2))) {
        if (!LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2))) return LLVMGetOperand(vector, 1);
        vector = LLVMGetOperand(vector, 0);
    }
    return NULL;
}

/* The other lanes are those of the operand. */
static bool is_only_first_used(LLVMValueRef vector)
{
    for (LLVMUseRef use = LLVMGetFirstUse(vector); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), index = NULL;
        if (LLVMIsAExtractElementInst(user)) index = LLVMGetOperand(user, 1);
        if (!index || !LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index)) return false;
    }
    return true;
}

static LLVMValueRef of_first_lane(const struct maker *make)
{
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(make->call), &length);
    LLVMValueRef x = first_lane(operand(make, 0));
    if (!x || !is_only_first_used(make->call)) return NULL;
    x = with_lane(make, LLVMConstNull(LLVMTypeOf(make->call)), x, 0);
    return call(make, name, NULL, &x, 1);
}

static make_function *make_of_first(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.x86.sse.rcp.ss", "llvm.x86.sse.rsqrt.ss"};
    return calls_one_of(call, names, sizeof names / sizeof *names) ? of_first_lane : NULL;
}

void lane_wise_narrow(LLVMModuleRef module)
{
    calls_replace(module, make_of_first);
}
