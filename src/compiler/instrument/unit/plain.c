#include "compiler/instrument/unit/plain.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/hooks.h"
#include "compiler/instrument/emit/count.h"
#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/emit/loops.h"
#include "compiler/instrument/unit/named_region.h"
#include "compiler/instrument/unit/own.h"
#include "compiler/instrument/unit/reached.h"

/* What is common to the modules is found by name. Static functions and variables of the plain one stay its
 * own: a run is plain from its first constructor to its end, or not at all. So are those of the counted one,
 * but for variables that begin as zeros, which can be large: these are the plain one's. */
static const char *const prefixes[] = {
    [VF_RUNS_PLAIN] = "parcast.plain.", [VF_RUNS_COUNTED] = "parcast.counted."};
static const char shared_prefix[] = "parcast.shared.";

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

/* ---- what is run before main ---- */

/* Constructors are static functions that are called from outside. */
static bool is_constructor(LLVMModuleRef module, LLVMValueRef function)
{
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global_ctors");
    LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
    unsigned n = entries ? (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(list)) : 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(entries, i);
        if (entry && LLVMGetAggregateElement(entry, 1) == function) return true;
    }
    return false;
}

static bool is_entrance(LLVMModuleRef module, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function) || own_is_value(function)) return false;
    if (LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage) return false;
    return !is_local(function) || is_constructor(module, function);
}

/* ---- the plain module and the counted one ---- */

static bool can_stand_again(LLVMModuleRef plain)
{
    if (LLVMGetFirstGlobalIFunc(plain)) return false;
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(plain); a; a = LLVMGetNextGlobalAlias(a))
        if (!LLVMIsAFunction(LLVMAliasGetAliasee(a))) return false;
    return true;
}

/* Second names of functions (constructors of C++) are the functions. */
static void resolve_aliases(LLVMModuleRef plain)
{
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(plain); a; a = LLVMGetNextGlobalAlias(a)) {
        char name[64];
        static unsigned n;
        LLVMReplaceAllUsesWith(a, LLVMAliasGetAliasee(a));
        snprintf(name, sizeof name, "parcast.alias.%u", n++);
        LLVMSetValueName2(a, name, strlen(name));
        LLVMSetLinkage(a, LLVMInternalLinkage);
    }
}

/* Variables are those of the followed unit; constants may still be folded. */
static void share_variables(LLVMModuleRef plain)
{
    LLVMValueRef next;
    for (LLVMValueRef g = LLVMGetFirstGlobal(plain); g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (strncmp(name_of(g), "llvm.", 5) == 0) {
            LLVMDeleteGlobal(g);
        } else if (!LLVMIsDeclaration(g) && !is_local(g)) {
            LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
            LLVMSetComdat(g, NULL);
        }
    }
}

/* Before the counted module is made: one name for both. */
static void name_shared(LLVMModuleRef plain)
{
    unsigned n = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(plain); g; g = LLVMGetNextGlobal(g)) {
        char name[64];
        bool begins_zero = !LLVMIsDeclaration(g) && LLVMIsNull(LLVMGetInitializer(g));
        if (!begins_zero || !is_local(g) || LLVMIsGlobalConstant(g) || own_is_value(g)) continue;
        snprintf(name, sizeof name, "%s%u", shared_prefix, n++);
        LLVMSetValueName2(g, name, strlen(name));
    }
}

static void link_shared(LLVMModuleRef module, LLVMLinkage linkage)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(name_of(g), shared_prefix, sizeof shared_prefix - 1) == 0) LLVMSetLinkage(g, linkage);
}

static bool is_callee(LLVMValueRef user, LLVMValueRef value)
{
    if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) return false;
    return LLVMGetCalledValue(user) == value;
}

/* Calls go straight to the same version; a pointer to the function is what it is everywhere. */
static void rename_function(LLVMModuleRef plain, LLVMValueRef function, bool was_local, const char *prefix)
{
    char *name = strdup(name_of(function)), *renamed = NULL;
    if (!name || asprintf(&renamed, "%s%s", prefix, name) < 0) {
        fputs("parcast-instrument: error: out of memory\n", stderr);
        exit(1);
    }
    LLVMSetValueName2(function, renamed, strlen(renamed));
    LLVMSetComdat(function, NULL);
    LLVMSetLinkage(function, LLVMExternalLinkage);
    LLVMSetVisibility(function, LLVMDefaultVisibility);
    if (!was_local) {
        LLVMValueRef outside = LLVMAddFunction(plain, name, LLVMGlobalGetValueType(function));
        LLVMSetFunctionCallConv(outside, LLVMGetFunctionCallConv(function));
        LLVMReplaceAllUsesWith(function, outside);
        for (LLVMUseRef use = LLVMGetFirstUse(outside); use;) {
            LLVMValueRef user = LLVMGetUser(use);
            use = LLVMGetNextUse(use);
            if (is_callee(user, outside))
                LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, function);
        }
    }
    free(name);
    free(renamed);
}

/* An invoke's callee is its last operand too. Returns the functions that the unit is entered by. */
static LLVMValueRef *rename_entrances(LLVMModuleRef module, LLVMModuleRef plain, const char *prefix,
                                      unsigned *n)
{
    unsigned most = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(plain); f; f = LLVMGetNextFunction(f)) most++;
    LLVMValueRef *entrances = take(most + 1, sizeof *entrances);
    bool *local = take(most + 1, sizeof *local);
    *n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(plain); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef followed = LLVMGetNamedFunction(module, name_of(f));
        if (!is_entrance(plain, f) || !followed || LLVMIsDeclaration(followed)) continue;
        local[*n] = is_local(f);
        entrances[(*n)++] = f;
    }
    for (unsigned i = 0; i < *n; i++) rename_function(plain, entrances[i], local[i], prefix);
    free(local);
    return entrances;
}

static void mark_functions(struct module_state *m, int version, const char *const *regions, int n_regions)
{
    unsigned number = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || own_is_value(f)) continue;
        if (version == VF_RUNS_COUNTED)
            loops_follow(m, f, &number);
        else
            loops_count(m, f, &number);
        unit_mark_catches(m, f);
        if (strcmp(name_of(f), "main") == 0) unit_mark_main(m, f);
        for (int i = 0; i < n_regions; i++)
            if (region_matches(name_of(f), regions[i])) unit_mark_region(m, f);
        if (version == VF_RUNS_COUNTED) count_operations(m, f);
    }
}

/* Names of the entrances, since linking destroys the module. */
static char **names_of(LLVMValueRef *functions, unsigned n)
{
    char **names = take(n + 1, sizeof *names);
    for (unsigned i = 0; i < n; i++)
        if (!(names[i] = strdup(name_of(functions[i])))) exit(1);
    return names;
}

/* Make a module ready to be linked with the followed one; the names of its entrances. */
static char **prepare(LLVMModuleRef module, LLVMModuleRef added, int version, const char *const *regions,
                      int n_regions, unsigned *n)
{
    struct module_state m;
    emit_open(&m, added);
    mark_functions(&m, version, regions, n_regions);
    emit_close(&m);
    LLVMValueRef *entrances = rename_entrances(module, added, prefixes[version], n);
    share_variables(added);
    link_shared(added, version == VF_RUNS_COUNTED ? LLVMAvailableExternallyLinkage : LLVMExternalLinkage);
    LLVMSetModuleInlineAsm2(added, "", 0); /* what assembly outside of functions defines is there once */
    char **names = names_of(entrances, *n);
    free(entrances);
    return names;
}

/* ---- the followed module ---- */

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMValueRef call)
{
    unsigned n = to ? LLVMCountParams(to) : LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i <= n; i++) { /* 0 is the result */
        unsigned n_attributes = LLVMGetAttributeCountAtIndex(from, i);
        LLVMAttributeRef *attributes = take(n_attributes + 1, sizeof(LLVMAttributeRef));
        LLVMGetAttributesAtIndex(from, i, attributes);
        for (unsigned k = 0; k < n_attributes; k++) {
            if (to) LLVMAddAttributeAtIndex(to, i, attributes[k]);
            if (call) LLVMAddCallSiteAttribute(call, i, attributes[k]);
        }
        free(attributes);
    }
}

/* Code for the same processor. */
static void copy_target(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const kinds[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
            from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kinds[i], (unsigned)strlen(kinds[i]));
        if (attribute) LLVMAddAttributeAtIndex(to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    }
}

/* A structure that is passed by value lies in the caller's frame. To jump with one, the code generator makes
 * a copy at the end of the gate's frame, which has no room for it: the copy is over the return address. */
static bool has_structure(LLVMValueRef function)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i, byval)) return true;
    return false;
}

/* A function of any number of arguments cannot be called with those that it was given. Where there is a
 * structure among the others, it is part of what nobody names, too, and stays where it is with the rest. */
static bool names_nothing(LLVMValueRef function)
{
    return has_structure(function) && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static LLVMTypeRef type_of_gate(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return names_nothing(function) ? LLVMFunctionType(LLVMGetReturnType(type), NULL, 0, true) : type;
}

/* Whatever else is passed on the stack, as by a function of any number of arguments, stays where it is. */
static void jump_to(struct module_state *m, LLVMValueRef gate, LLVMValueRef target, const char *block)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(gate);
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, gate, block));
    unsigned n = LLVMCountParams(gate);
    LLVMValueRef *arguments = take(n + 1, sizeof *arguments);
    LLVMGetParams(gate, arguments);
    LLVMValueRef call = LLVMBuildCall2(m->builder, type, target, arguments, n, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(target));
    LLVMSetTailCallKind(call, has_structure(gate) ? LLVMTailCallKindNone : LLVMTailCallKindMustTail);
    copy_attributes(target, NULL, call);
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(m->builder);
    else
        LLVMBuildRet(m->builder, call);
    free(arguments);
}

static LLVMValueRef plain_flag(struct module_state *m)
{
    LLVMValueRef flag = LLVMGetNamedGlobal(m->module, "parcast_vf_plain");
    return flag ? flag : LLVMAddGlobal(m->module, m->i32, "parcast_vf_plain");
}

static LLVMValueRef version_of(struct module_state *m, LLVMValueRef function, const char *own, int version)
{
    char *name = NULL;
    if (asprintf(&name, "%s%s", prefixes[version], own) < 0) exit(1);
    LLVMValueRef other = LLVMAddFunction(m->module, name, LLVMGlobalGetValueType(function));
    LLVMSetFunctionCallConv(other, LLVMGetFunctionCallConv(function));
    copy_attributes(function, other, NULL);
    free(name);
    return other;
}

/* The gate takes the function's name, linkage and place; everybody's pointer to the function is to it. */
static LLVMValueRef make_gate(struct module_state *m, LLVMValueRef function, const char *own)
{
    char name[32];
    static unsigned number;
    snprintf(name, sizeof name, "parcast.followed.%u", number++);
    LLVMSetValueName2(function, name, strlen(name));
    LLVMValueRef gate = LLVMAddFunction(m->module, own, type_of_gate(function));
    LLVMSetFunctionCallConv(gate, LLVMGetFunctionCallConv(function));
    LLVMSetLinkage(gate, LLVMGetLinkage(function));
    LLVMSetVisibility(gate, LLVMGetVisibility(function));
    LLVMSetUnnamedAddress(gate, LLVMGetUnnamedAddress(function));
    LLVMSetComdat(gate, LLVMGetComdat(function));
    copy_attributes(function, gate, NULL);
    copy_target(function, gate);
    if (names_nothing(function)) /* calls with arguments are right, whatever its type */
        LLVMAddAttributeAtIndex(gate, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(m->context, "thunk", 5, "", 0));
    LLVMReplaceAllUsesWith(function, gate);
    LLVMSetComdat(function, NULL);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    return gate;
}

static void add_gate(struct module_state *m, LLVMValueRef function)
{
    char *own = strdup(name_of(function));
    if (!own) exit(1);
    LLVMValueRef plain = version_of(m, function, own, VF_RUNS_PLAIN),
                 counted = version_of(m, function, own, VF_RUNS_COUNTED), gate = make_gate(m, function, own);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, gate, "");
    jump_to(m, gate, function, "followed");
    LLVMBasicBlockRef followed = LLVMGetLastBasicBlock(gate);
    jump_to(m, gate, plain, "plain");
    LLVMPositionBuilderAtEnd(m->builder, entry);
    LLVMValueRef flag = LLVMBuildLoad2(m->builder, m->i32, plain_flag(m), "");
    LLVMValueRef choice = LLVMBuildSwitch(m->builder, flag, LLVMGetLastBasicBlock(gate), 2);
    LLVMAddCase(choice, emit_i32(m, VF_RUNS_FOLLOWED), followed);
    jump_to(m, gate, counted, "counted");
    LLVMAddCase(choice, emit_i32(m, VF_RUNS_COUNTED), LLVMGetLastBasicBlock(gate));
    free(own);
}

static void add_gates(LLVMModuleRef module, char **plain_names, unsigned n)
{
    struct module_state m;
    unsigned number = 0;
    emit_open(&m, module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !own_is_value(f)) loops_follow(&m, f, &number);
    for (unsigned i = 0; i < n; i++)
        add_gate(&m, LLVMGetNamedFunction(module, plain_names[i] + strlen(prefixes[VF_RUNS_PLAIN])));
    emit_close(&m);
}

/* Who is not called is gone again. */
static void hide(LLVMModuleRef module, char **names, unsigned n, bool linked)
{
    for (unsigned i = 0; i < n; i++) {
        if (linked) LLVMSetLinkage(LLVMGetNamedFunction(module, names[i]), LLVMInternalLinkage);
        free(names[i]);
    }
    free(names);
}

bool plain_add(LLVMModuleRef module, LLVMModuleRef plain, const char *const *regions, int n_regions)
{
    unsigned n, n_counted;
    struct reached reached;
    if (!can_stand_again(plain)) {
        LLVMDisposeModule(plain);
        return true;
    }
    resolve_aliases(plain);
    reached_open(&reached, module, plain);
    name_shared(plain);
    LLVMModuleRef counted = LLVMCloneModule(plain);
    char **names = prepare(module, plain, VF_RUNS_PLAIN, regions, n_regions, &n),
         **counted_names = prepare(module, counted, VF_RUNS_COUNTED, regions, n_regions, &n_counted);
    add_gates(module, names, n);
    bool linked = !LLVMLinkModules2(module, plain);
    if (linked) linked = !LLVMLinkModules2(module, counted);
    reached_close(&reached);
    hide(module, names, n, linked);
    hide(module, counted_names, n_counted, linked);
    if (!linked) return false;
    link_shared(module, LLVMInternalLinkage);
    loops_close(module);
    return true;
}
