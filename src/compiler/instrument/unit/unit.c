/* One unit: which functions, which of them are the region, what its globals are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/hooks.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/function/known.h"
#include "compiler/instrument/unit/members.h"
#include "compiler/instrument/unit/named_region.h"
#include "compiler/instrument/unit/own.h"
#include "compiler/instrument/unit/pieces.h"
#include "compiler/instrument/unit/source_name.h"

struct named_regions {
    const char *const *names;
    int n;
    bool has_markers;
};

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

void unit_mark_region(struct module_state *m, LLVMValueRef function)
{
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    emit_before(m, first);
    emit_call(m, HOOK_region_enter, NULL, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || !LLVMIsAReturnInst(end)) continue;
        emit_before(m, end);
        emit_call(m, HOOK_region_leave, NULL, 0);
    }
}

static bool calls_one_of(LLVMValueRef instruction, const char *const *names)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    for (; callee && LLVMIsAFunction(callee) && *names; names++)
        if (strcmp(name_of(callee), *names) == 0) return true;
    return false;
}

void unit_mark_catches(struct module_state *m, LLVMValueRef function)
{
    static const char *const catches[] = {"__cxa_begin_catch", NULL};
    static const char *const returns_twice[] = {
        "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "llvm.eh.sjlj.setjmp", NULL};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool is_catch = calls_one_of(i, catches);
            if (!is_catch && !calls_one_of(i, returns_twice)) continue;
            emit_before(m, is_catch ? i : next);
            emit_call(m, HOOK_region_caught, NULL, 0);
        }
}

void unit_mark_main(struct module_state *m, LLVMValueRef function)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    emit_before(m, first);
    emit_call(m, HOOK_main_enter, NULL, 0);
}

static bool has_function(LLVMModuleRef module, const char *region)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && region_matches(name_of(f), region)) return true;
    return false;
}

/* Functions are looked for in every unit: only the run time knows which are nowhere. */
static void name_regions(struct module_state *m, const struct named_regions *named)
{
    for (int i = 0; i < named->n; i++) {
        LLVMValueRef arguments[2] = {emit_text(m, named->names[i]),
                                     emit_i32(m, has_function(m->module, named->names[i]))};
        emit_call(m, HOOK_region_named, arguments, 2);
    }
    LLVMValueRef markers[2] = {emit_text(m, "marked regions"), emit_i32(m, 1)};
    if (named->has_markers) emit_call(m, HOOK_region_named, markers, 2);
}

static bool is_pointed_to(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function) return true;
    }
    return false;
}

/* Known functions are known behind pointers, too: in tables of functions, say. */
static void tell_known(struct module_state *m)
{
    _Static_assert((int)KNOWN_PURE == VF_KNOWN_PURE && (int)KNOWN_WRITES == VF_KNOWN_WRITES, "one list");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || own_is_value(f) || !is_pointed_to(f)) continue;
        enum known_kind kind = known_of(name_of(f)).kind;
        if (kind < KNOWN_PURE || kind > KNOWN_WRITES) continue;
        LLVMValueRef arguments[2] = {f, emit_i32(m, kind)};
        emit_call(m, HOOK_known, arguments, 2);
    }
}

/* There is one thread where values are followed. */
static LLVMValueRef address_of(struct module_state *m, LLVMValueRef global)
{
    static const char name[] = "llvm.threadlocal.address";
    if (!LLVMIsThreadLocal(global)) return global;
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef own = LLVMGetIntrinsicDeclaration(m->module, id, &m->pointer, 1);
    return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(own), own, &global, 1, "");
}

/* A variable that holds several arrays is several. */
static void tell_global(struct module_state *m, LLVMValueRef tell, LLVMValueRef global)
{
    size_t n;
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->context);
    const struct member *members = members_of(global, m->layout, &n);
    LLVMValueRef base = address_of(m, global);
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef offset = emit_i64(m, members[i].offset);
        LLVMValueRef at = members[i].offset ? LLVMBuildGEP2(m->builder, byte, base, &offset, 1, "") : base;
        LLVMValueRef arguments[3] = {at, emit_i64(m, members[i].bytes), emit_text(m, members[i].name)};
        LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(tell), tell, arguments, 3, "");
    }
}

/* A function run before main that tells the run time about the unit's globals, and of its regions. */
static LLVMValueRef make_start(struct module_state *m, const struct named_regions *named, bool has_region)
{
    LLVMTypeRef none = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMTypeRef types[3] = {m->pointer, m->i64, m->pointer};
    LLVMTypeRef global_type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), types, 3, 0);
    LLVMValueRef start = LLVMAddFunction(m->module, "parcast.start", none);
    LLVMSetLinkage(start, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, start, ""));
    LLVMValueRef tell = LLVMAddFunction(m->module, "parcast_vf_global", global_type);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || LLVMIsGlobalConstant(g) || own_is_value(g)) continue;
        tell_global(m, tell, g);
    }
    tell_known(m);
    name_regions(m, named);
    if (has_region) {
        LLVMValueRef flag = LLVMAddGlobal(m->module, m->i32, "parcast_vf_has_region");
        LLVMBuildStore(m->builder, emit_i32(m, 1), flag);
    }
    LLVMBuildRetVoid(m->builder);
    return start;
}

/* llvm.global_ctors with one more entry: a global cannot be changed in size, so it is made anew. */
static void run_at_start(struct module_state *m, LLVMValueRef start)
{
    LLVMTypeRef fields[3] = {m->i32, m->pointer, m->pointer};
    LLVMTypeRef entry_type = LLVMStructTypeInContext(m->context, fields, 3, 0);
    LLVMValueRef old = LLVMGetNamedGlobal(m->module, "llvm.global_ctors");
    unsigned n = old ? (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(old)) : 0;
    LLVMValueRef *entries = take(n + 1, sizeof *entries);
    for (unsigned i = 0; i < n; i++) entries[i] = LLVMGetAggregateElement(LLVMGetInitializer(old), i);
    LLVMValueRef values[3] = {emit_i32(m, 102), start, LLVMConstNull(m->pointer)};
    entries[n] = LLVMConstStructInContext(m->context, values, 3, 0);
    LLVMValueRef array = LLVMConstArray2(entry_type, entries, n + 1);
    LLVMValueRef made = LLVMAddGlobal(m->module, LLVMTypeOf(array), "parcast.ctors");
    LLVMSetInitializer(made, array);
    LLVMSetLinkage(made, LLVMAppendingLinkage);
    if (old) LLVMDeleteGlobal(old);
    LLVMSetValueName2(made, "llvm.global_ctors", strlen("llvm.global_ctors"));
    free(entries);
}

static bool calls_marker(LLVMModuleRef module)
{
    LLVMValueRef marker = LLVMGetNamedFunction(module, "parcast_region_begin");
    return marker && LLVMGetFirstUse(marker);
}

/* Allocations are told apart by their callers, which the run time finds by frame pointers. The front end has
 * decided against them where it optimises, and the code generator keeps to that. */
static void keep_frame_pointer(LLVMContextRef context, LLVMValueRef function)
{
    static const char name[] = "frame-pointer", value[] = "all";
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, sizeof name - 1, value, sizeof value - 1));
}

void instrument_unit(LLVMModuleRef module, const char *const *regions, int n_regions)
{
    struct module_state m;
    emit_open(&m, module);
    struct named_regions named = {regions, n_regions, calls_marker(module)};
    bool has_region = named.has_markers;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || own_is_value(f)) continue;
        instrument_function(&m, f);
        keep_frame_pointer(m.context, f);
        unit_mark_catches(&m, f);
        if (strcmp(name_of(f), "main") == 0) unit_mark_main(&m, f);
        for (int i = 0; i < n_regions; i++) {
            if (!region_matches(name_of(f), regions[i])) continue;
            unit_mark_region(&m, f);
            has_region = true;
        }
    }
    pieces_forget(module);
    run_at_start(&m, make_start(&m, &named, has_region));
    emit_close(&m);
}
