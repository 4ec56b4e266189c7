/*
 * A function that reads and writes no memory does so when it is instrumented: it takes labels, hands one back
 * and counts. The optimiser has made use of what it found, or was told by __attribute__((const)); the code
 * generator must not, or calls and counts would be missing.
 */
#include "compiler/instrument/unit/effects.h"

#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/known.h"

static const char *const claims[] = {"memory", "willreturn", "speculatable"};

/* Functions outside the program that are known by name are as they are said to be. */
static bool may_be_instrumented(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (strncmp(name, "llvm.", 5) == 0) return false;
    return !LLVMIsDeclaration(function) || known_of(name).kind == KNOWN_NOT;
}

static void forget_of_function(LLVMValueRef function, unsigned claim)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, claim);
}

static void forget_of_call(LLVMValueRef call, unsigned claim)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && !may_be_instrumented(callee))) return;
    LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, claim);
}

static void forget(LLVMModuleRef module, unsigned claim)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (may_be_instrumented(f)) forget_of_function(f, claim);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) forget_of_call(i, claim);
    }
}

/* ---- what functions outside the program leave alone ---- */

/* LLVM's numbers for memory(argmem: readwrite) and memory(inaccessiblemem: readwrite). */
enum { ARGUMENT_MEMORY = 3, INACCESSIBLE_MEMORY = 3 << 2 };

/* What is behind the pointers that they are given is all that they write. */
static bool writes_given(LLVMValueRef function)
{
    static const char *const names[] = {"rand_r",  "erand48", "nrand48", "jrand48", "sincos",
                                        "sincosf", "modf",    "modff",   "frexp",   "frexpf"};
    size_t length;
    for (size_t i = 0; LLVMIsAFunction(function) && i < sizeof names / sizeof *names; i++)
        if (strcmp(LLVMGetValueName2(function, &length), names[i]) == 0) return LLVMIsDeclaration(function);
    return false;
}

static bool has_pointers(LLVMValueRef function)
{
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function))) return true;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind) return true;
    return false;
}

/* All that a function of numbers writes is errno. */
static bool is_hidden(LLVMValueRef function, bool hides_errno)
{
    size_t length;
    enum known_kind kind = known_of(LLVMGetValueName2(function, &length)).kind;
    return LLVMIsDeclaration(function) && !has_pointers(function) &&
           (kind == KNOWN_INPUT || (kind == KNOWN_PURE && hides_errno));
}

/* A number of rows and an array, in variables of the unit, would be loaded again behind each call, and so be
 * another place as far as anybody knows. */
void effects_tell(LLVMModuleRef module)
{
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMAttributeRef hidden = LLVMCreateEnumAttribute(context, memory, INACCESSIBLE_MEMORY),
                     behind = LLVMCreateEnumAttribute(context, memory, ARGUMENT_MEMORY | INACCESSIBLE_MEMORY);
    bool hides_errno = !LLVMGetNamedFunction(module, "__errno_location");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_hidden(f, hides_errno) || writes_given(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    writes_given(f) ? behind : hidden);
}

/* ---- what functions of the program store ---- */

/* Functions that store into variables of their own only, or behind their arguments, too. */
static const char spares[] = "parcast-spares", own[] = "own", given[] = "given";
enum { MOST_ROUNDS = 4 }; /* calls within calls */

static const char *spared_by(LLVMValueRef function)
{
    unsigned length;
    if (!LLVMIsAFunction(function)) return NULL;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, spares, sizeof spares - 1);
    return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}

static bool is_own(LLVMValueRef base)
{
    return LLVMIsAAllocaInst(base) != NULL;
}

static bool writes_only(LLVMValueRef call, bool (*may)(LLVMValueRef base, LLVMValueRef data),
                        LLVMValueRef data)
{
    enum known_kind kind = known_callee(call).kind;
    const char *intrinsic = intrinsic_name(call), *spared = spared_by(LLVMGetCalledValue(call));
    bool is_copy = intrinsic && strncmp(intrinsic, "llvm.mem", 8) == 0;
    if (is_pure_call(call) || kind == KNOWN_INPUT) return true;
    if (intrinsic && !is_copy) return strncmp(intrinsic, "llvm.lifetime", 13) == 0;
    if (is_copy) return may(address_base(LLVMGetOperand(call, 0)), data);
    if (!spared && writes_given(LLVMGetCalledValue(call))) spared = given;
    if (!spared) return false;
    for (unsigned i = 0; strcmp(spared, given) == 0 && i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        if (is_pointer && !may(address_base(argument), data)) return false;
    }
    return true;
}

static bool is_own_or_given(LLVMValueRef base, LLVMValueRef none)
{
    (void)none;
    return is_own(base) || LLVMIsAArgument(base);
}

static bool is_only_own(LLVMValueRef base, LLVMValueRef none)
{
    (void)none;
    return is_own(base);
}

static bool stores_only(LLVMValueRef function, bool (*may)(LLVMValueRef base, LLVMValueRef none))
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op == LLVMStore && !may(address_base(LLVMGetOperand(i, 1)), NULL)) return false;
            if ((op == LLVMCall || op == LLVMInvoke) && !writes_only(i, may, NULL)) return false;
            if (op == LLVMCallBr || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence)
                return false;
        }
    return true;
}

static bool note_spared(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (LLVMIsDeclaration(function) || spared_by(function)) return false;
    const char *what = stores_only(function, is_only_own)       ? own
                       : stores_only(function, is_own_or_given) ? given
                                                                : NULL;
    if (!what) return false;
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(context, spares, sizeof spares - 1, what, (unsigned)strlen(what));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    return true;
}

static void find_spared(LLVMModuleRef module)
{
    bool found = true;
    for (int round = 0; found && round < MOST_ROUNDS; round++) {
        found = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
            found = note_spared(f) || found;
    }
}

static bool is_another(LLVMValueRef base, LLVMValueRef other)
{
    return base != other;
}

bool effects_spare(LLVMValueRef call, LLVMValueRef base)
{
    return (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) && writes_only(call, is_another, base);
}

void effects_forget(LLVMModuleRef module)
{
    find_spared(module);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        forget(module, LLVMGetEnumAttributeKindForName(claims[i], strlen(claims[i])));
}
