/* What calls do, by name. */
#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"

#define PURE(name) name,
#define READS(name)
static const char *const pure[] = {
#include "known.def"
};
#undef PURE
#undef READS
#define PURE(name)
#define READS(name) name,
static const char *const readers[] = {
#include "known.def"
};

static bool among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

bool known_pure(const char *name)
{
    return among(name, pure, sizeof pure / sizeof *pure);
}

bool known_to_read_only(const char *name)
{
    return among(name, readers, sizeof readers / sizeof *readers);
}

static bool is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

static const char *callee_name(LLVMValueRef value)
{
    if (!is_call(value)) return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(value);
    size_t length;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : NULL;
}

const char *intrinsic_name(LLVMValueRef value)
{
    const char *name = callee_name(value);
    return name && strncmp(name, "llvm.", 5) == 0 ? name : NULL;
}

/* Intrinsics that compute: those on numbers. The others manage memory, debug information and hints. */
static bool intrinsic_computes(const char *name)
{
    static const char *const starts[] = {
        "llvm.fabs.",    "llvm.sqrt.",      "llvm.fma.",   "llvm.fmuladd.", "llvm.exp",    "llvm.log",
        "llvm.pow",      "llvm.sin.",       "llvm.cos.",   "llvm.floor.",   "llvm.ceil.",  "llvm.trunc.",
        "llvm.rint.",    "llvm.nearbyint.", "llvm.round",  "llvm.minnum",   "llvm.maxnum", "llvm.minimum",
        "llvm.maximum",  "llvm.smin.",      "llvm.smax.",  "llvm.umin.",    "llvm.umax.",  "llvm.abs.",
        "llvm.copysign", "llvm.fptosi",     "llvm.fptoui", "llvm.ctpop",    "llvm.ctlz",   "llvm.cttz",
        "llvm.bswap",    "llvm.bitreverse", "llvm.fshl",   "llvm.fshr",     "llvm.sadd",   "llvm.uadd",
        "llvm.ssub",     "llvm.usub",       "llvm.smul",   "llvm.umul",     "llvm.tan.",   "llvm.ldexp",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

bool is_pure_call(LLVMValueRef value)
{
    const char *name = callee_name(value);
    if (!name) return false;
    return strncmp(name, "llvm.", 5) == 0 ? intrinsic_computes(name) : known_pure(name);
}

bool is_reading_call(LLVMValueRef value)
{
    const char *name = callee_name(value);
    return name && known_to_read_only(name);
}

bool is_real_call(LLVMValueRef value)
{
    return is_call(value) && !intrinsic_name(value) && !is_pure_call(value) && !is_reading_call(value) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(value));
}
