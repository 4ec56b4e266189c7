/*
 * `_mm256_maskload_pd(p, mask)` and `_mm256_i32gather_pd(p, index, 8)` are calls of the machine's intrinsics,
 * of which LLVM knows nothing that is not about this machine; of its own ones it makes numbers one by one,
 * and sums of lanes are sums:
 *
 *     llvm.x86.avx.maskload(p, mask)                  llvm.masked.load(p, 1, mask < 0, 0)
 *     llvm.x86.avx.maskstore(p, mask, x)              llvm.masked.store(x, p, 1, mask < 0)
 *     llvm.x86.avx2.gather(x, p, i, mask, bytes)      llvm.masked.gather(p + bytes i, 1, mask < 0, x)
 *     llvm.x86.sse3.hadd(a, b)                        { a[0] + a[1], b[0] + b[1] }
 *     llvm.x86.avx.max(a, b)                          a > b ? a : b
 *     llvm.x86.sse2.max.sd(a, b)                      { a[0] > b[0] ? a[0] : b[0], a[1] }
 *     llvm.x86.sse2.movmsk.pd(a)                      the bits a[0] < 0 and a[1] < 0
 *     llvm.x86.avx.vtestz.pd(a, b)                    neither a[0] & b[0] < 0 nor a[1] & b[1] < 0
 *     asm("maxpd a, b" : "+x"(b) : "x"(a))            b > a ? b : a
 *
 * A lane is meant where the highest bit of its mask is set. Assembly of one such instruction is what
 * libraries write where a compiler was not to be trusted (Eigen). What is computed lane by lane: lane_wise.c.
 */
#include "compiler/instrument/prepare/lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/instrument/prepare/calls.h"
#include "compiler/instrument/prepare/lane_wise.h"

enum { MOST_LANES = 8 };

/* The highest bits of all lanes as one number. */
static LLVMValueRef highest_bits(const struct maker *make)
{
    LLVMValueRef is_meant = lane_wise_meant(make, operand(make, 0));
    LLVMTypeRef bits = LLVMIntTypeInContext(make->context, LLVMGetVectorSize(LLVMTypeOf(is_meant)));
    is_meant = LLVMBuildBitCast(make->builder, is_meant, bits, "");
    return LLVMBuildZExt(make->builder, is_meant, LLVMTypeOf(make->call), "");
}

/* Is there no bit that both have, or, of real numbers, no highest one? */
static LLVMValueRef none_of_both(const struct maker *make)
{
    LLVMTypeRef type = LLVMTypeOf(operand(make, 0)), lane = LLVMGetElementType(type);
    bool is_real = LLVMGetTypeKind(lane) != LLVMIntegerTypeKind;
    unsigned n = LLVMGetVectorSize(type);
    if (is_real) {
        bool is_double = LLVMGetTypeKind(lane) == LLVMDoubleTypeKind;
        type = LLVMVectorType(
            is_double ? LLVMInt64TypeInContext(make->context) : LLVMInt32TypeInContext(make->context), n);
    }
    LLVMValueRef a = LLVMBuildBitCast(make->builder, operand(make, 0), type, ""),
                 b = LLVMBuildBitCast(make->builder, operand(make, 1), type, ""),
                 both = LLVMBuildAnd(make->builder, a, b, ""),
                 any = LLVMBuildICmp(make->builder, is_real ? LLVMIntSLT : LLVMIntNE, both,
                                     LLVMConstNull(type), "");
    LLVMTypeRef bits = LLVMIntTypeInContext(make->context, n);
    any = LLVMBuildBitCast(make->builder, any, bits, "");
    LLVMValueRef none = LLVMBuildICmp(make->builder, LLVMIntEQ, any, LLVMConstNull(bits), "");
    return LLVMBuildZExt(make->builder, none, LLVMTypeOf(make->call), "");
}

static LLVMValueRef call(const struct maker *make, const char *name, LLVMValueRef x, LLVMValueRef p,
                         LLVMValueRef *arguments)
{
    LLVMTypeRef types[2] = {LLVMTypeOf(x), LLVMTypeOf(p)};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(make->module, id, types, 2);
    return LLVMBuildCall2(make->builder, LLVMGlobalGetValueType(function), function, arguments, 4, "");
}

static LLVMValueRef one(const struct maker *make)
{
    return LLVMConstInt(LLVMInt32TypeInContext(make->context), 1, 0);
}

static LLVMValueRef load(const struct maker *make)
{
    LLVMValueRef p = operand(make, 0), none = LLVMConstNull(LLVMTypeOf(make->call));
    LLVMValueRef arguments[4] = {p, one(make), lane_wise_meant(make, operand(make, 1)), none};
    return call(make, "llvm.masked.load", none, p, arguments);
}

static LLVMValueRef store(const struct maker *make)
{
    LLVMValueRef p = operand(make, 0), x = operand(make, 2);
    LLVMValueRef arguments[4] = {x, p, one(make), lane_wise_meant(make, operand(make, 1))};
    return call(make, "llvm.masked.store", x, p, arguments);
}

static LLVMValueRef all(LLVMValueRef number, unsigned n)
{
    LLVMValueRef numbers[MOST_LANES];
    for (unsigned i = 0; i < n; i++) numbers[i] = number;
    return LLVMConstVector(numbers, n);
}

/* The first lanes of an index that has more. */
static LLVMValueRef first(const struct maker *make, LLVMValueRef index, unsigned n)
{
    LLVMValueRef lanes[MOST_LANES];
    for (unsigned i = 0; i < n; i++) lanes[i] = LLVMConstInt(LLVMInt32TypeInContext(make->context), i, 0);
    return LLVMBuildShuffleVector(make->builder, index, LLVMGetUndef(LLVMTypeOf(index)),
                                  LLVMConstVector(lanes, n), "");
}

static LLVMValueRef gather(const struct maker *make)
{
    LLVMValueRef x = operand(make, 0), index = operand(make, 2), scale = operand(make, 4);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMTypeRef number = LLVMInt64TypeInContext(make->context);
    if (n > MOST_LANES || LLVMGetVectorSize(LLVMTypeOf(index)) < n) return NULL;
    index = LLVMBuildSExtOrBitCast(make->builder, first(make, index, n), LLVMVectorType(number, n), "");
    LLVMValueRef factor = LLVMConstInt(number, LLVMConstIntGetZExtValue(scale), 0);
    LLVMValueRef bytes = LLVMBuildMul(make->builder, index, all(factor, n), "");
    LLVMValueRef places =
        LLVMBuildGEP2(make->builder, LLVMInt8TypeInContext(make->context), operand(make, 1), &bytes, 1, "");
    LLVMValueRef arguments[4] = {places, one(make), lane_wise_meant(make, operand(make, 3)), x};
    return call(make, "llvm.masked.gather", x, places, arguments);
}

/* Every other lane of two vectors, by halves of 128 bits: of the first one and then of the second one. */
static LLVMValueRef every_other(const struct maker *make, unsigned from)
{
    LLVMTypeRef type = LLVMTypeOf(make->call);
    unsigned n = LLVMGetVectorSize(type), n_lanes = 0;
    unsigned width = LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMDoubleTypeKind ? 2 : 4;
    LLVMValueRef lanes[MOST_LANES];
    for (unsigned half = 0; half < n; half += width)
        for (unsigned i = 0; i < width; i++) {
            unsigned lane = half + 2 * (i % (width / 2)) + from + (i < width / 2 ? 0 : n);
            lanes[n_lanes++] = LLVMConstInt(LLVMInt32TypeInContext(make->context), lane, 0);
        }
    return LLVMBuildShuffleVector(make->builder, operand(make, 0), operand(make, 1),
                                  LLVMConstVector(lanes, n_lanes), "");
}

static LLVMValueRef add_across(const struct maker *make)
{
    return LLVMBuildFAdd(make->builder, every_other(make, 0), every_other(make, 1), "");
}

static LLVMValueRef subtract_across(const struct maker *make)
{
    return LLVMBuildFSub(make->builder, every_other(make, 0), every_other(make, 1), "");
}

static LLVMValueRef choose(const struct maker *make, LLVMRealPredicate which, unsigned a, unsigned b)
{
    LLVMValueRef first = operand(make, a), second = operand(make, b);
    LLVMValueRef is_first = LLVMBuildFCmp(make->builder, which, first, second, "");
    return LLVMBuildSelect(make->builder, is_first, first, second, "");
}

static LLVMValueRef larger(const struct maker *make)
{
    return choose(make, LLVMRealOGT, 0, 1);
}

static LLVMValueRef smaller(const struct maker *make)
{
    return choose(make, LLVMRealOLT, 0, 1);
}

/* The first lane of what was made, the others of the first operand. */
static LLVMValueRef in_first_lane(const struct maker *make, LLVMValueRef made)
{
    LLVMValueRef lanes[MOST_LANES];
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(made));
    for (unsigned i = 0; i < n; i++)
        lanes[i] = LLVMConstInt(LLVMInt32TypeInContext(make->context), i ? n + i : 0, 0);
    return LLVMBuildShuffleVector(make->builder, made, operand(make, 0), LLVMConstVector(lanes, n), "");
}

static LLVMValueRef larger_first(const struct maker *make)
{
    return in_first_lane(make, larger(make));
}

static LLVMValueRef smaller_first(const struct maker *make)
{
    return in_first_lane(make, smaller(make));
}

static LLVMValueRef larger_in_second(const struct maker *make)
{
    return choose(make, LLVMRealOGT, 1, 0);
}

static LLVMValueRef smaller_in_second(const struct maker *make)
{
    return choose(make, LLVMRealOLT, 1, 0);
}

static const struct {
    const char *start;
    unsigned n_operands;
    make_function *make;
} calls[] = {{"llvm.x86.avx.maskload.", 2, load},
             {"llvm.x86.avx2.maskload.", 2, load},
             {"llvm.x86.avx.maskstore.", 3, store},
             {"llvm.x86.avx2.maskstore.", 3, store},
             {"llvm.x86.avx2.gather.", 5, gather},
             {"llvm.x86.sse3.hadd.", 2, add_across},
             {"llvm.x86.avx.hadd.", 2, add_across},
             {"llvm.x86.sse3.hsub.", 2, subtract_across},
             {"llvm.x86.avx.hsub.", 2, subtract_across},
             {"llvm.x86.sse.max.p", 2, larger},
             {"llvm.x86.sse2.max.p", 2, larger},
             {"llvm.x86.avx.max.p", 2, larger},
             {"llvm.x86.sse.min.p", 2, smaller},
             {"llvm.x86.sse2.min.p", 2, smaller},
             {"llvm.x86.avx.min.p", 2, smaller},
             {"llvm.x86.sse.max.s", 2, larger_first},
             {"llvm.x86.sse2.max.s", 2, larger_first},
             {"llvm.x86.sse.min.s", 2, smaller_first},
             {"llvm.x86.sse2.min.s", 2, smaller_first},
             {"llvm.x86.sse.movmsk.", 1, highest_bits},
             {"llvm.x86.sse41.ptestz", 2, none_of_both},
             {"llvm.x86.avx.ptestz.", 2, none_of_both},
             {"llvm.x86.avx.vtestz.", 2, none_of_both},
             {"llvm.x86.sse2.movmsk.", 1, highest_bits},
             {"llvm.x86.avx.movmsk.", 1, highest_bits},
             {"llvm.x86.sse41.blendvp", 3, lane_wise_blend},
             {"llvm.x86.avx.blendv.p", 3, lane_wise_blend},
             {"llvm.x86.sse41.dpp", 3, lane_wise_dot},
             {"llvm.x86.avx.dp.p", 3, lane_wise_dot},
             {"llvm.x86.sse3.addsub.p", 2, lane_wise_turn},
             {"llvm.x86.avx.addsub.p", 2, lane_wise_turn},
             {"llvm.x86.fma.vfmaddsub.p", 3, lane_wise_turn_product},
             {"llvm.x86.sse41.round.p", 2, lane_wise_round},
             {"llvm.x86.avx.round.p", 2, lane_wise_round},
             {"llvm.x86.sse.rcp.p", 1, lane_wise_inverse},
             {"llvm.x86.avx.rcp.p", 1, lane_wise_inverse},
             {"llvm.x86.sse.rsqrt.p", 1, lane_wise_inverse_root},
             {"llvm.x86.avx.rsqrt.p", 1, lane_wise_inverse_root}};

/* One instruction whose first operand is the second input, too. */
static const struct {
    const char *text;
    make_function *make;
} assembly[] = {{"maxpd $1, $0", larger_in_second},
                {"maxps $1, $0", larger_in_second},
                {"minpd $1, $0", smaller_in_second},
                {"minps $1, $0", smaller_in_second}};

static make_function *make_of_assembly(LLVMValueRef call)
{
    static const char operands[] = "=x,x,0";
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    if (!callee || !LLVMIsAInlineAsm(callee) || LLVMGetNumArgOperands(call) != 2) return NULL;
    size_t n_text, n_operands;
    const char *text = LLVMGetInlineAsmAsmString(callee, &n_text),
               *given = LLVMGetInlineAsmConstraintString(callee, &n_operands);
    if (n_operands < strlen(operands) || strncmp(given, operands, strlen(operands)) != 0) return NULL;
    for (size_t i = 0; i < sizeof assembly / sizeof *assembly; i++)
        if (n_text == strlen(assembly[i].text) && strncmp(text, assembly[i].text, n_text) == 0)
            return assembly[i].make;
    return NULL;
}

static make_function *make_of(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = calls_function(call);
    if (!callee) return make_of_assembly(call);
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(calls[i].start, name, strlen(calls[i].start)) == 0 &&
            LLVMGetNumArgOperands(call) == calls[i].n_operands)
            return calls[i].make;
    return NULL;
}

void lanes_make_plain(LLVMModuleRef module)
{
    calls_replace(module, make_of);
}
