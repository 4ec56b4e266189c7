/* What calls do, by name. */
#include "compiler/instrument/function/known.h"

#include <ctype.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"

static const struct known list[] = {
#define PURE(name)          {name, KNOWN_PURE, NULL},
#define READS(name)         {name, KNOWN_READS, NULL},
#define INPUT(name)         {name, KNOWN_INPUT, NULL},
#define WRITES(name)        {name, KNOWN_WRITES, NULL},
#define NAMED(name, what)   {name, KNOWN_NAMED, what},
#define REFUSED(name, what) {name, KNOWN_REFUSED, what},
#include "compiler/instrument/function/known.def"
};

static bool fits(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    if (length && pattern[length - 1] == '*') return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

static const struct known *find(const char *name)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (fits(list[i].name, name)) return &list[i];
    return NULL;
}

/* With -D_FILE_OFFSET_BITS=64 the C library's functions on files have names of their own. */
struct known known_of(const char *name)
{
    char shorter[32];
    size_t length = strlen(name);
    const struct known *known = find(name);
    if (!known && length > 2 && length < sizeof shorter && strcmp(name + length - 2, "64") == 0) {
        memcpy(shorter, name, length - 2);
        shorter[length - 2] = '\0';
        known = find(shorter);
    }
    return known ? *known : (struct known){name, KNOWN_NOT, NULL};
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
        "llvm.vector.",  "llvm.x86.",       "llvm.lround", "llvm.llround",  "llvm.lrint",  "llvm.llrint",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

/* A function of the program's own is followed, whatever its name. */
struct known known_callee(LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (!name || !LLVMIsDeclaration(LLVMGetCalledValue(call))) return (struct known){NULL, KNOWN_NOT, NULL};
    return known_of(name);
}

/* Nothing but comments, as some libraries mark their loops with. */
static bool has_no_instruction(const char *text, size_t length)
{
    bool is_comment = false;
    for (size_t i = 0; i < length; i++) {
        is_comment = (is_comment || text[i] == '#') && text[i] != '\n';
        if (!is_comment && !isspace((unsigned char)text[i]) && text[i] != ';') return false;
    }
    return true;
}

/* An empty one only hides from the optimiser what happens to a value: nothing. */
static bool is_empty_assembly(LLVMValueRef value)
{
    size_t length = 0;
    LLVMValueRef callee = is_call(value) ? LLVMGetCalledValue(value) : NULL;
    if (!callee || !LLVMIsAInlineAsm(callee)) return false;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    return has_no_instruction(text, length);
}

bool is_assembly(LLVMValueRef value)
{
    return is_call(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value)) && !is_empty_assembly(value);
}

bool is_pure_call(LLVMValueRef value)
{
    const char *name = callee_name(value);
    if (is_empty_assembly(value)) return true;
    if (!name) return false;
    return strncmp(name, "llvm.", 5) == 0 ? intrinsic_computes(name) : known_callee(value).kind == KNOWN_PURE;
}

bool is_reading_call(LLVMValueRef value)
{
    return known_callee(value).kind == KNOWN_READS;
}

bool is_real_call(LLVMValueRef value)
{
    return is_call(value) && !intrinsic_name(value) && !is_pure_call(value) && !is_reading_call(value);
}
