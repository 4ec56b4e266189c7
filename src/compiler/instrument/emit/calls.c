/* Calls and returns: labels go along. */
#include <stdio.h>
#include <string.h>

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/emit/labels.h"
#include "compiler/instrument/function/place.h"
#include "compiler/instrument/rewrite/copies.h"
#include "compiler/instrument/unit/handed.h"
#include "compiler/instrument/unit/own.h"
#include "compiler/instrument/unit/signals.h"
#include "compiler/instrument/unit/site.h"
#include "compiler/instrument/unit/source_name.h"
#include "compiler/instrument/unit/variables.h"

/* Does the call perhaps leave the code that is followed? */
static bool leads_outside(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee);
}

LLVMValueRef call_identity(struct function *f, int i)
{
    struct node *node = &f->nodes[i];
    if (!is_assembly(node->value)) return LLVMGetCalledValue(node->value);
    if (!node->stored) node->stored = emit_site(f->module, node->value);
    return node->stored;
}

/* Behind what begins the call: which place each pointer leads to may come of data. */
static void emit_places(struct function *f, int i)
{
    LLVMValueRef call = f->nodes[i].value;
    struct use uses[MOST_USES];
    for (unsigned j = 0; j < LLVMGetNumArgOperands(call); j++) {
        int n = place_passed_uses(f, i, j, uses);
        if (!n) continue;
        LLVMValueRef arguments[2] = {labels_together(f, uses, n, call), emit_i32(f->module, j)};
        emit_before(f->module, call);
        emit_call(f->module, HOOK_place_pass, arguments, 2);
    }
}

static void emit_begin(struct function *f, int i)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    unsigned n = LLVMGetNumArgOperands(node->value);
    struct labels labels = {.sum = -1};
    int last = 0;
    for (unsigned j = 0; j < n && j < MOST_LABELS; j++) {
        struct use use = {LLVMGetOperand(node->value, j), node->block, node->position};
        bool carries = use_carries(f, &use) && !place_is_parameter(use.value);
        if (carries && labels_may_be_late(f, i, use.value))
            labels.ids[j] = labels_late(f, i, use.value);
        else
            labels.ids[j] = carries ? labels_single(f, &use, node->value) : emit_i32(m, 0);
        if (carries) last = (int)j + 1;
    }
    labels.n = last;
    emit_before(m, node->value);
    LLVMValueRef arguments[3] = {call_identity(f, i), emit_i32(m, (unsigned)last), NULL};
    arguments[2] = emit_buffer(f, &labels);
    emit_call(m, HOOK_call_begin, arguments, 3);
    copies_pass(f, node->value);
    emit_places(f, i);
}

enum { MOST_POINTERS = 16 };

/* The run time of flang is known by what its functions are given (fortran.c). */
static bool is_fortran(LLVMValueRef callee)
{
    size_t length;
    return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "_FortranA", 9) == 0;
}

/* The pointers that a call is given, in a buffer of the frame; NULL where there are none. Integers are among
 * them where the run time needs all arguments in order. */
static LLVMValueRef emit_pointers(struct function *f, LLVMValueRef call, unsigned *n)
{
    struct module_state *m = f->module;
    LLVMTypeRef type = LLVMArrayType2(m->pointer, MOST_POINTERS);
    LLVMValueRef slot = NULL;
    bool all = is_fortran(LLVMGetCalledValue(call));
    *n = 0;
    for (unsigned j = 0; j < LLVMGetNumArgOperands(call) && *n < MOST_POINTERS; j++) {
        LLVMValueRef argument = LLVMGetOperand(call, j);
        bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        if (!is_pointer && !(all && LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMIntegerTypeKind)) continue;
        if (!slot) {
            slot = emit_slot(f, type);
            emit_before(m, call);
        }
        if (!is_pointer)
            argument = LLVMBuildIntToPtr(m->builder, LLVMBuildSExt(m->builder, argument, m->i64, ""),
                                         m->pointer, "");
        LLVMValueRef index = emit_i64(m, (*n)++);
        LLVMBuildStore(m->builder, argument,
                       LLVMBuildInBoundsGEP2(m->builder, m->pointer, slot, &index, 1, ""));
    }
    return slot ? slot : LLVMConstNull(m->pointer);
}

/* "dgemm_ at solve.c:12 (step)"; null for functions that need no name. */
static LLVMValueRef emit_name(struct module_state *m, LLVMValueRef call)
{
    char site[512], text[768], name[256] = "a function that a pointer leads to";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (known_callee(call).kind != KNOWN_NOT || is_assembly(call)) return LLVMConstNull(m->pointer);
    site_write(call, site, sizeof site);
    if (LLVMIsAFunction(callee)) source_name(LLVMGetValueName2(callee, &length), name, sizeof name);
    snprintf(text, sizeof text, "%.200s at %s", name, site);
    return emit_text(m, text);
}

/* What is said of a call before it happens. */
static void emit_remarks(struct function *f, LLVMValueRef call)
{
    struct known known = known_callee(call);
    emit_before(f->module, call);
    if (is_assembly(call)) emit_unsupported(f, call, "inline assembly");
    if (known.kind == KNOWN_NAMED && !signals_no_handler(f, call)) emit_unsupported(f, call, known.what);
    if (known.kind == KNOWN_REFUSED) emit_refused(f, call, known.what);
}

/* A callee that may not be instrumented may write where its pointers go: the run time looks before and after.
 */
void emit_real_call(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef call = f->nodes[i].value;
    LLVMValueRef arguments[4] = {NULL};
    bool outside = leads_outside(call) && known_callee(call).kind != KNOWN_INPUT;
    unsigned n = 0;
    emit_remarks(f, call);
    emit_begin(f, i);
    if (outside) {
        emit_before(m, call);
        LLVMValueRef pointers = emit_pointers(f, call, &n);
        LLVMValueRef before[3] = {call_identity(f, i), emit_i32(m, n), pointers};
        emit_call(m, HOOK_outside_begin, before, 3);
        arguments[3] = pointers;
    }
    if (f->nodes[i].needed) {
        struct keys keys = {.n = 1};
        struct labels labels;
        keys.key[0] = (struct key){.kind = KEY_VALUE, .node = i};
        labels_of(f, &keys, &labels);
    }
    if (!outside) return;
    emit_after(f, i);
    arguments[0] = call_identity(f, i);
    arguments[1] = emit_name(m, call);
    arguments[2] = emit_i32(m, n);
    emit_call(m, HOOK_call_outside, arguments, 4);
}

/* A list of arguments that goes to the C library as it is, to be printed, loses nothing that is followed. */
static bool is_printed(LLVMValueRef list)
{
    for (LLVMUseRef use = LLVMGetFirstUse(list); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *name = intrinsic_name(user);
        bool is_managed = name && strncmp(name, "llvm.va_copy", 12) != 0;
        if (LLVMIsAGetElementPtrInst(user) ? !is_printed(user)
                                           : !is_managed && !own_is_hook(user) && !is_reading_call(user))
            return false;
    }
    return true;
}

/* A list of arguments that is only handed on, to be printed or to functions that may be without
 * instrumentation: what these write comes of it. */
static bool is_handed_on(LLVMValueRef list)
{
    for (LLVMUseRef use = LLVMGetFirstUse(list); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *name = intrinsic_name(user);
        bool is_managed = name && strncmp(name, "llvm.va_copy", 12) != 0;
        bool is_handed = is_real_call(user) && !is_assembly(user) && leads_outside(user);
        if (!is_managed && !own_is_hook(user) && !is_reading_call(user) && !is_handed) return false;
    }
    return true;
}

/* Asked where the function begins, before calls of its own have arguments. */
void emit_variable(struct function *f, LLVMValueRef start)
{
    char site[512], text[640];
    LLVMValueRef list = LLVMGetOperand(start, 0);
    if (is_printed(list)) return;
    bool is_handed = LLVMIsAAllocaInst(list) && is_handed_on(list);
    site_write(start, site, sizeof site);
    snprintf(text, sizeof text, "variable arguments at %s", site);
    emit_at_top(f, 0);
    LLVMValueRef arguments[4] = {list, f->ref, emit_i32(f->module, LLVMCountParams(f->ref)),
                                 emit_text(f->module, text)};
    if (is_handed)
        emit_call(f->module, HOOK_variable_list, arguments, 4);
    else
        emit_call(f->module, HOOK_variable, arguments + 1, 3);
}

/* "u at heat.c:12 (main)" where what is allocated has a name; in a second line what it is called from the
 * variable that leads to it, "mesh.u at main.c:3 (main)". */
static LLVMValueRef emit_name_of(struct module_state *m, LLVMValueRef call, const struct variable_name *name)
{
    char site[512], around[512], text[1400];
    bool has_outer = *name->outer;
    if (name->place)
        site_write_at(call, name->place, site, sizeof site);
    else
        site_write(call, site, sizeof site);
    if (has_outer) site_write_at(call, name->outer_place, around, sizeof around);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", name->own ? name->own : "", name->own ? " at " : "", site,
             has_outer ? "\n" : "", has_outer ? name->outer : "", has_outer ? " at " : "",
             has_outer ? around : "");
    return emit_text(m, text);
}

/* Blocks are known by the places of the calls that allocate them: the back end leaves these as they are, and
 * does not make two of the first turn of a loop and the others. */
static void keep_single(struct function *f, LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noduplicate", 11);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(f->module->context, kind, 0));
}

/* `u = vector(n)` and `make(&u, n)`, where a function of the program's own allocates: before the call, and
 * what is emitted then goes behind it. */
static void emit_maker(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef call = f->nodes[i].value, before = NULL;
    if (!site_is_own(call)) return; /* nobody knows the variables of a library */
    for (int j = HANDED_AS_RESULT; j < (int)LLVMGetNumArgOperands(call); j++) {
        struct variable_name name;
        if (!variable_is_made(call, j) || !variable_of(call, j, &name)) continue;
        if (!before) {
            emit_before(m, call);
            before = emit_call(m, HOOK_blocks, NULL, 0);
            emit_after(f, i);
        }
        bool is_result = j == HANDED_AS_RESULT;
        LLVMValueRef arguments[4] = {is_result ? call : LLVMGetOperand(call, (unsigned)j), before,
                                     emit_name_of(m, call, &name), emit_i32(m, !name.goes_on)};
        if (name.bytes) {
            arguments[3] = emit_i64(m, name.bytes);
            if (!name.goes_on) emit_call(m, HOOK_named_in, arguments, 4);
        } else {
            emit_call(m, is_result ? HOOK_named : HOOK_named_there, arguments, 4);
        }
    }
}

/* Where the program's own code allocates, starts threads or enters a library: for messages and names.
 * Volatile: to the optimiser an allocation reads nothing. */
void emit_place(struct function *f, int i)
{
    struct module_state *m = f->module;
    LLVMValueRef call = f->nodes[i].value, callee = LLVMGetCalledValue(call);
    if (!intrinsic_name(call)) keep_single(f, call);
    emit_maker(f, i);
    if (!site_is_own(call) || is_assembly(call)) return;
    if (LLVMIsAFunction(callee) && own_is_value(callee)) return;
    if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) && !site_is_foreign(callee)) return;
    LLVMValueRef place = LLVMGetNamedGlobal(m->module, "parcast_vf_site");
    if (!place) place = LLVMAddGlobal(m->module, m->pointer, "parcast_vf_site");
    struct variable_name name;
    variable_of(call, HANDED_AS_RESULT, &name);
    emit_before(m, call);
    LLVMSetVolatile(LLVMBuildStore(m->builder, emit_name_of(m, call, &name), place), 1);
}

void emit_return(struct function *f, int i)
{
    struct module_state *m = f->module;
    const struct node *node = &f->nodes[i];
    LLVMValueRef label = emit_i32(m, 0);
    if (LLVMGetNumOperands(node->value)) {
        struct use use = {LLVMGetOperand(node->value, 0), node->block, node->position};
        struct use places[MOST_USES];
        int n = place_returned_uses(f, i, places);
        if (use_carries(f, &use)) label = labels_single(f, &use, node->value);
        if (n) label = labels_together(f, places, n, node->value);
    }
    emit_before(m, node->value);
    LLVMValueRef arguments[2] = {f->ref, label};
    emit_call(m, HOOK_returns, arguments, 2);
}
