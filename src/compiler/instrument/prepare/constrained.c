/*
 * With -frounding-math, -ftrapping-math, -ffp-model=strict or FENV_ACCESS the front end makes calls of
 * additions and comparisons, llvm.experimental.constrained.fadd, so that none is moved over a change of the
 * rounding mode. What is computed from what does not depend on that; sums and choices are to be seen as such.
 */
#include "compiler/instrument/prepare/constrained.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"

static const char prefix[] = "llvm.experimental.constrained.";

static const struct {
    const char *name;
    LLVMOpcode opcode;
} operations[] = {{"fadd", LLVMFAdd},       {"fsub", LLVMFSub},     {"fmul", LLVMFMul},
                  {"fdiv", LLVMFDiv},       {"frem", LLVMFRem},     {"fptosi", LLVMFPToSI},
                  {"fptoui", LLVMFPToUI},   {"sitofp", LLVMSIToFP}, {"uitofp", LLVMUIToFP},
                  {"fptrunc", LLVMFPTrunc}, {"fpext", LLVMFPExt}};

static const struct {
    const char *name;
    LLVMRealPredicate predicate;
} predicates[] = {{"oeq", LLVMRealOEQ}, {"ogt", LLVMRealOGT}, {"oge", LLVMRealOGE}, {"olt", LLVMRealOLT},
                  {"ole", LLVMRealOLE}, {"one", LLVMRealONE}, {"ord", LLVMRealORD}, {"uno", LLVMRealUNO},
                  {"ueq", LLVMRealUEQ}, {"ugt", LLVMRealUGT}, {"uge", LLVMRealUGE}, {"ult", LLVMRealULT},
                  {"ule", LLVMRealULE}, {"une", LLVMRealUNE}};

static bool is_named(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

static LLVMValueRef comparison(LLVMBuilderRef builder, LLVMValueRef call)
{
    unsigned length = 0;
    const char *name = LLVMGetMDString(LLVMGetOperand(call, 2), &length);
    for (size_t i = 0; name && i < sizeof predicates / sizeof *predicates; i++)
        if (is_named(name, length, predicates[i].name))
            return LLVMBuildFCmp(builder, predicates[i].predicate, LLVMGetOperand(call, 0),
                                 LLVMGetOperand(call, 1), "");
    return NULL;
}

/* The intrinsic of the same name, whose types are that of the result and, where one differs, of an operand.
 */
static LLVMValueRef intrinsic(LLVMBuilderRef builder, LLVMValueRef call, const char *name, size_t length)
{
    enum { MOST_OPERANDS = 3 };
    char plain[64] = "llvm.";
    LLVMTypeRef types[2] = {LLVMTypeOf(call)};
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned n = 0;
    size_t n_types = 1;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && n < MOST_OPERANDS; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        if (LLVMGetTypeKind(type) == LLVMMetadataTypeKind) break;
        operands[n++] = LLVMGetOperand(call, i);
        if (type != types[0] && n_types == 1) types[n_types++] = type;
    }
    if (length >= sizeof plain - strlen(plain)) return NULL;
    strncat(plain, name, length);
    unsigned id = LLVMLookupIntrinsicID(plain, strlen(plain));
    if (!id) return NULL;
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, types, n_types);
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, operands, n, "");
}

static LLVMValueRef plain_of(LLVMBuilderRef builder, LLVMValueRef call, const char *name)
{
    size_t length = strcspn(name, ".");
    if (is_named(name, length, "fcmp") || is_named(name, length, "fcmps")) return comparison(builder, call);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!is_named(name, length, operations[i].name)) continue;
        LLVMOpcode opcode = operations[i].opcode;
        if (opcode <= LLVMFRem)
            return LLVMBuildBinOp(builder, opcode, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), "");
        return LLVMBuildCast(builder, opcode, LLVMGetOperand(call, 0), LLVMTypeOf(call), "");
    }
    return intrinsic(builder, call, name, length);
}

/* The call stays where there is no plain operation of its name. */
static void make_plain(LLVMBuilderRef builder, LLVMValueRef call, const char *name)
{
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef plain = plain_of(builder, call, name);
    if (!plain) return;
    if (LLVMIsAInstruction(plain) && LLVMCanValueUseFastMathFlags(plain) &&
        LLVMCanValueUseFastMathFlags(call))
        LLVMSetFastMathFlags(plain, LLVMGetFastMathFlags(call));
    LLVMReplaceAllUsesWith(call, plain);
    LLVMInstructionEraseFromParent(call);
}

void constrained_make_plain(LLVMModuleRef module)
{
    unsigned strict = LLVMGetEnumAttributeKindForName("strictfp", 8);
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMRemoveEnumAttributeAtIndex(f, at, strict);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                const char *name = intrinsic_name(i);
                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
                    LLVMRemoveCallSiteEnumAttribute(i, at, strict);
                if (name && strncmp(name, prefix, strlen(prefix)) == 0)
                    make_plain(builder, i, name + strlen(prefix));
            }
    }
    LLVMDisposeBuilder(builder);
}
