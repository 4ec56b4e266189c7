/*
 * A variable or a parameter that is given an address in the midst of something is where an array may begin.
 * Whoever goes through an array is given another address of it in each turn of a loop, and is not meant: the
 * rows of a matrix, say; nor are functions of the library. What else there is to tell is for the run time to
 * see (runtime/blocks/piece.h).
 *
 * Notes are calls of llvm.ptr.annotation, which costs nothing where functions are put into others and leaves
 * memory alone, so that the unit is optimised as it would be without them.
 */
#include "compiler/instrument/unit/pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/function.h"
#include "compiler/instrument/unit/own.h"
#include "compiler/instrument/unit/site.h"
#include "compiler/instrument/unit/source_name.h"
#include "compiler/instrument/unit/variables.h"

enum { MOST_HOLDERS = 4096, MOST_NAME = 64, LEAST_IN_FRAME = 4096, MOST_DEPTH = 16 };

static const char intrinsic[] = "llvm.ptr.annotation", prefix[] = "parcast.piece";

/* A variable, a store into members of structures, or a parameter of a function. */
struct holder {
    LLVMValueRef of;
    int parameter; /* -1: none */
    LLVMValueRef text;
    bool is_asked; /* it is given an address within something, */
    bool is_many;  /* again and again */
};

struct notes {
    LLVMModuleRef unit;
    LLVMTargetDataRef layout;
    LLVMTypeRef pointer, i32;
    LLVMBuilderRef builder;
    struct holder *holders;
    int n;
    struct function function; /* whose loops are known; ref NULL: of none yet */
};

static struct holder *holder_of(struct notes *notes, LLVMValueRef of, int parameter)
{
    for (int i = notes->n; i-- > 0;)
        if (notes->holders[i].of == of && notes->holders[i].parameter == parameter) return &notes->holders[i];
    if (notes->n == MOST_HOLDERS) return NULL;
    struct holder *holder = &notes->holders[notes->n++];
    *holder = (struct holder){.of = of, .parameter = parameter};
    return holder;
}

/* The loop around all others that an instruction is in; -1. */
static int loop_around(struct notes *notes, LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    struct function *f = &notes->function;
    if (f->ref != function) {
        if (f->ref) function_free(f);
        *f = (struct function){.ref = function};
        function_number(f);
        function_blocks(f);
    }
    return loop_outermost(f, block_at(f, block));
}

static bool is_in(const struct notes *notes, int loop, LLVMValueRef instruction)
{
    const struct function *f = &notes->function;
    return loop_holds(f, loop, block_at(f, LLVMGetInstructionParent(instruction)));
}

static bool is_stored_in(const struct notes *notes, int loop, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable && is_in(notes, loop, user))
            return true;
    }
    return false;
}

/* Is a value another one in each turn of a loop? Of what is loaded through pointers nobody knows. */
static bool varies_in(const struct notes *notes, int loop, LLVMValueRef value, int depth)
{
    if (!LLVMIsAInstruction(value) || !is_in(notes, loop, value)) return false;
    if (LLVMIsALoadInst(value) && LLVMIsAAllocaInst(LLVMGetOperand(value, 0)))
        return is_stored_in(notes, loop, LLVMGetOperand(value, 0));
    if (LLVMIsAPHINode(value) || LLVMIsACallInst(value) || LLVMIsAInvokeInst(value) || depth == MOST_DEPTH)
        return true;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (varies_in(notes, loop, LLVMGetOperand(value, (unsigned)i), depth + 1)) return true;
    return false;
}

/* ---- addresses ---- */

static bool is_place(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static bool is_zero(LLVMValueRef index)
{
    return LLVMIsAConstantInt(index) && !LLVMConstIntGetZExtValue(index);
}

/* Is it that of some element behind others, and not of a member of a structure? */
static bool is_behind(LLVMValueRef place)
{
    int n = LLVMGetNumOperands(place) - 1;
    if (n == 1) return !is_zero(LLVMGetOperand(place, 1));
    return n == 2 && LLVMGetTypeKind(LLVMGetGEPSourceElementType(place)) == LLVMArrayTypeKind &&
           !is_zero(LLVMGetOperand(place, 2));
}

/* Nothing may have been added last, `u + n + PAD`. */
static bool is_element(LLVMValueRef value)
{
    while (is_place(value) && LLVMGetNumOperands(value) == 2 && is_zero(LLVMGetOperand(value, 1)))
        value = LLVMGetOperand(value, 0);
    return is_place(value) && is_behind(value);
}

static LLVMValueRef base_of(LLVMValueRef value)
{
    while (is_place(value)) value = LLVMGetOperand(value, 0);
    return value;
}

/* An array of few words in a frame may become registers. */
static bool is_little(const struct notes *notes, LLVMValueRef base)
{
    return LLVMIsAAllocaInst(base) && LLVMIsAConstantInt(LLVMGetOperand(base, 0)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(base, 0)) *
                   LLVMABISizeOfType(notes->layout, LLVMGetAllocatedType(base)) <
               LEAST_IN_FRAME;
}

static bool is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* A function may return an address within what it has: of an arena, or a vector. */
static bool is_returned(LLVMValueRef value)
{
    return is_call(value) && !intrinsic_name(value) && !own_is_value(LLVMGetCalledValue(value));
}

static bool is_within(const struct notes *notes, LLVMValueRef value)
{
    return is_element(value) && !is_little(notes, base_of(value));
}

static bool is_loaded_from(LLVMValueRef value, LLVMValueRef variable)
{
    return LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == variable;
}

/* Of a variable that goes on from array to array through a block, `at += n`, it is others that keep where
 * each of them begins: `u = at`. */
static bool is_of_walk(LLVMValueRef value)
{
    if (!LLVMIsALoadInst(value)) return false;
    LLVMValueRef variable = LLVMGetOperand(value, 0);
    if (!LLVMIsAAllocaInst(variable)) return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable) continue;
        LLVMValueRef next = LLVMGetOperand(user, 0);
        if (is_element(next) && is_loaded_from(base_of(next), variable)) return true;
    }
    return false;
}

/* May a value that is stored be where an array begins? */
static bool may_begin(const struct notes *notes, LLVMValueRef value)
{
    return is_pointer(value) && (is_within(notes, value) || is_returned(value) || is_of_walk(value));
}

/* ---- holders ---- */

static bool is_variable(LLVMValueRef place)
{
    return LLVMIsAAllocaInst(place) || LLVMIsAGlobalVariable(place);
}

/* Where a range of C++ begins and ends in a loop over it: "__begin1", "__end1". */
static bool is_made_up(LLVMValueRef variable)
{
    size_t length;
    return LLVMIsAAllocaInst(variable) && name_begins(LLVMGetValueName2(variable, &length), "__");
}

/* A store of a pointer: what holds it from then on. */
static struct holder *stored_into(struct notes *notes, LLVMValueRef store)
{
    LLVMValueRef place = LLVMGetOperand(store, 1);
    if (is_made_up(place)) return NULL;
    return holder_of(notes, is_variable(place) ? place : store, -1);
}

/* A function of the program that a call goes to; NULL. */
static LLVMValueRef callee_of(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) || own_is_value(callee)) return NULL;
    if (!LLVMIsDeclaration(callee) && site_is_foreign(callee)) return NULL;
    return known_callee(call).kind == KNOWN_NOT ? callee : NULL;
}

/* Are there loops within the innermost one that an instruction is in? */
static bool has_inner_loops(const struct notes *notes, LLVMValueRef instruction)
{
    const struct function *f = &notes->function;
    int own = f->blocks[block_at(f, LLVMGetInstructionParent(instruction))].loop;
    for (int i = 0; i < f->n_loops; i++)
        if (own >= 0 && i != own && loop_holds(f, own, f->loops[i].header)) return true;
    return false;
}

/* An arena that is filled anew in each turn gives a variable the same address again; whether it does is for
 * the run time to see. Where nothing is gone through in the turn it is an element that is looked at, and
 * notes would be in the way. */
static bool may_be_same(const struct notes *notes, const struct holder *holder, LLVMValueRef instruction,
                        LLVMValueRef address)
{
    return holder->parameter < 0 && LLVMIsAAllocaInst(holder->of) && is_returned(address) &&
           callee_of(address) && has_inner_loops(notes, instruction);
}

static void ask(struct notes *notes, struct holder *holder, LLVMValueRef instruction, LLVMValueRef address)
{
    if (!holder) return;
    int loop = loop_around(notes, instruction);
    holder->is_asked = true;
    if (loop >= 0 && !may_be_same(notes, holder, instruction, address))
        holder->is_many = holder->is_many || varies_in(notes, loop, address, 0);
}

static void look_at(struct notes *notes, LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef value = LLVMGetOperand(i, 0);
        if (may_begin(notes, value)) ask(notes, stored_into(notes, i), i, value);
    } else if (is_call(i)) {
        LLVMValueRef callee = callee_of(i);
        for (unsigned k = 0; callee && k < LLVMGetNumArgOperands(i); k++) {
            LLVMValueRef value = LLVMGetOperand(i, k);
            if (is_pointer(value) && is_within(notes, value))
                ask(notes, holder_of(notes, callee, (int)k), i, value);
        }
    }
}

/* ---- notes ---- */

/* What the source calls the holder; empty where nobody knows. */
static void write_name(const struct holder *holder, LLVMValueRef instruction, char *name)
{
    *name = '\0';
    if (holder->parameter < 0) {
        variable_of_place(LLVMGetOperand(instruction, 1), instruction, name, MOST_NAME);
    } else if ((unsigned)holder->parameter < LLVMCountParams(holder->of)) {
        size_t length;
        const char *text = LLVMGetValueName2(LLVMGetParam(holder->of, (unsigned)holder->parameter), &length);
        snprintf(name, MOST_NAME, "%s", text);
    }
}

/* A byte that counts how often it has told, and the name behind it. A parameter is the same one in all units.
 */
static LLVMValueRef text_of(struct notes *notes, struct holder *holder, LLVMValueRef instruction)
{
    char text[1 + MOST_NAME] = {0}, symbol[512];
    size_t length;
    if (holder->text) return holder->text;
    write_name(holder, instruction, text + 1);
    LLVMContextRef context = LLVMGetModuleContext(notes->unit);
    LLVMValueRef content =
        LLVMConstStringInContext2(context, text, 1 + strlen(text + 1), 0); /* ends with a zero */
    snprintf(symbol, sizeof symbol, "%s", prefix);
    if (holder->parameter >= 0)
        snprintf(symbol, sizeof symbol, "%s.%s.%d", prefix, LLVMGetValueName2(holder->of, &length),
                 holder->parameter);
    LLVMValueRef global = LLVMAddGlobal(notes->unit, LLVMTypeOf(content), symbol);
    LLVMSetInitializer(global, content);
    LLVMSetLinkage(global, holder->parameter < 0 ? LLVMPrivateLinkage : LLVMLinkOnceAnyLinkage);
    return holder->text = global;
}

static void set_not_captured(struct notes *notes, LLVMValueRef call, unsigned argument)
{
    LLVMContextRef context = LLVMGetModuleContext(notes->unit);
    unsigned kind = LLVMGetEnumAttributeKindForName("nocapture", 9);
    LLVMAddCallSiteAttribute(call, argument + 1, LLVMCreateEnumAttribute(context, kind, 0));
}

/* Before the instruction that hands the address on. */
static void add_note(struct notes *notes, struct holder *holder, LLVMValueRef instruction, LLVMValueRef at)
{
    unsigned id = LLVMLookupIntrinsicID(intrinsic, sizeof intrinsic - 1);
    LLVMTypeRef types[2] = {notes->pointer, notes->pointer};
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(notes->unit, id, types, 2);
    bool is_member = holder->parameter < 0 && !is_variable(LLVMGetOperand(instruction, 1));
    LLVMValueRef text = text_of(notes, holder, instruction),
                 member = is_member ? text : LLVMConstNull(notes->pointer);
    LLVMValueRef arguments[5] = {at, text, member, LLVMConstNull(notes->i32), base_of(at)};
    LLVMPositionBuilderBefore(notes->builder, instruction);
    LLVMValueRef note =
        LLVMBuildCall2(notes->builder, LLVMGlobalGetValueType(function), function, arguments, 5, "");
    set_not_captured(notes, note, 0);
    set_not_captured(notes, note, 4);
}

static bool is_to_be_noted(const struct holder *holder)
{
    return holder && holder->is_asked && !holder->is_many;
}

/* A parameter that is given an address within something is also given others. */
static void note(struct notes *notes, LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef value = LLVMGetOperand(i, 0);
        if (!may_begin(notes, value)) return;
        struct holder *holder = stored_into(notes, i);
        if (is_to_be_noted(holder)) add_note(notes, holder, i, value);
    } else if (is_call(i)) {
        LLVMValueRef callee = callee_of(i);
        for (unsigned k = 0; callee && k < LLVMGetNumArgOperands(i); k++) {
            LLVMValueRef value = LLVMGetOperand(i, k);
            if (!is_pointer(value) || is_little(notes, base_of(value))) continue;
            struct holder *holder = holder_of(notes, callee, (int)k);
            if (is_to_be_noted(holder)) add_note(notes, holder, i, value);
        }
    }
}

static void for_all(struct notes *notes, void (*look)(struct notes *, LLVMValueRef))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(notes->unit); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || own_is_value(f) || site_is_foreign(f)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                look(notes, i);
            }
    }
    if (notes->function.ref) function_free(&notes->function);
    notes->function.ref = NULL;
}

void pieces_note(LLVMModuleRef unit)
{
    LLVMContextRef context = LLVMGetModuleContext(unit);
    struct notes notes = {.unit = unit,
                          .layout = LLVMGetModuleDataLayout(unit),
                          .pointer = LLVMPointerTypeInContext(context, 0),
                          .i32 = LLVMInt32TypeInContext(context),
                          .builder = LLVMCreateBuilderInContext(context),
                          .holders = take(MOST_HOLDERS, sizeof *notes.holders)};
    for_all(&notes, look_at);
    for_all(&notes, note);
    free(notes.holders);
    LLVMDisposeBuilder(notes.builder);
}

/* ---- afterwards ---- */

bool pieces_read(LLVMValueRef call, struct piece_note *read)
{
    const char *name = LLVMIsACallInst(call) ? intrinsic_name(call) : NULL;
    size_t length;
    if (!name || strncmp(name, intrinsic, sizeof intrinsic - 1) != 0) return false;
    LLVMValueRef holder = LLVMGetOperand(call, 1);
    if (!LLVMIsAGlobalVariable(holder) || !name_begins(LLVMGetValueName2(holder, &length), prefix))
        return false;
    *read = (struct piece_note){LLVMGetOperand(call, 0), LLVMGetOperand(call, 4), holder,
                                !LLVMIsNull(LLVMGetOperand(call, 2))};
    return true;
}

void pieces_forget(LLVMModuleRef unit)
{
    struct piece_note read;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!pieces_read(i, &read)) continue;
                LLVMReplaceAllUsesWith(i, read.at);
                LLVMInstructionEraseFromParent(i);
            }
}
