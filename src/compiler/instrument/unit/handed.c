#include "compiler/instrument/unit/handed.h"

#include <string.h>

#include "compiler/instrument/unit/descriptors.h"
#include "compiler/instrument/unit/moved.h"
#include "compiler/instrument/unit/source_name.h"

enum { MOST_DEPTH = 8 };

/* The slot itself, or that of the table in which a row is noted: of `rows` in `rows[i] = ..`. */
static LLVMValueRef slot_behind(LLVMValueRef place)
{
    if (!LLVMIsAGetElementPtrInst(place) ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(place)) != LLVMPointerTypeKind)
        return LLVMIsAAllocaInst(place) ? place : NULL;
    LLVMValueRef table = LLVMGetOperand(place, 0);
    return LLVMIsALoadInst(table) ? LLVMGetOperand(table, 0) : NULL;
}

static int number_of(LLVMValueRef parameter)
{
    LLVMValueRef function = LLVMGetParamParent(parameter);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == parameter) return (int)i;
    return HANDED_NOWHERE;
}

/* The number of the parameter that a function passes on as it was given it, or HANDED_NOWHERE. Parameters are
 * stored into slots of the frame where a function begins. */
static int passed_through(LLVMValueRef argument)
{
    if (LLVMIsAArgument(argument)) return number_of(argument);
    LLVMValueRef slot = LLVMIsALoadInst(argument) ? LLVMGetOperand(argument, 0) : NULL;
    if (!slot || !LLVMIsAAllocaInst(slot)) return HANDED_NOWHERE;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot &&
            LLVMIsAArgument(LLVMGetOperand(user, 0)))
            return number_of(LLVMGetOperand(user, 0));
    }
    return HANDED_NOWHERE;
}

/* `*a = ..`, and `(*a)[i] = ..` for the rows of a table. */
static int parameter_behind(LLVMValueRef place)
{
    LLVMValueRef slot = slot_behind(place);
    return passed_through(slot && !LLVMIsAAllocaInst(slot) ? slot : place);
}

/* An address that a pointer, which has been loaded, is the beginning of. */
static bool is_row_of(LLVMValueRef user, LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(user) && LLVMIsALoadInst(value) && LLVMGetOperand(user, 0) == value &&
           LLVMGetTypeKind(LLVMGetGEPSourceElementType(user)) != LLVMStructTypeKind;
}

/* Does what an address says lead on to what has to be looked at? Rows go no further than where they are
 * stored. */
static bool is_looked_at(LLVMValueRef user, LLVMValueRef value)
{
    bool is_chosen = LLVMIsAPHINode(user) && !LLVMIsAPHINode(value); /* `n ? malloc(n) : NULL` */
    return !LLVMIsAGetElementPtrInst(value) && (LLVMIsALoadInst(user) || is_chosen || is_row_of(user, value));
}

/* Does it get into a slot, through others perhaps? */
static bool goes_to(LLVMValueRef value, LLVMValueRef slot, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_looked_at(user, value) && goes_to(user, slot, depth + 1)) return true;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value) continue;
        LLVMValueRef to = slot_behind(LLVMGetOperand(user, 1));
        if (!to || !LLVMIsAAllocaInst(to)) continue;
        if (to == slot || goes_to(to, slot, depth + 1)) return true;
    }
    return false;
}

/* Is it `made`, or one of those that it is chosen among? */
static bool is_among(LLVMValueRef value, LLVMValueRef made)
{
    bool found = value == made;
    for (unsigned i = 0; LLVMIsAPHINode(value) && !found && i < LLVMCountIncoming(value); i++)
        found = LLVMGetIncomingValue(value, i) == made;
    return found;
}

/* Is it what a function returns, at whatever offset behind a header, or does it get into the variable that is
 * returned? */
static bool is_returned(LLVMValueRef function, LLVMValueRef made)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef result =
            end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
        if (result && LLVMIsAGetElementPtrInst(result)) result = LLVMGetOperand(result, 0);
        if (!result) continue;
        if (is_among(result, made)) return true;
        LLVMValueRef slot = LLVMIsALoadInst(result) ? LLVMGetOperand(result, 0) : NULL;
        if (slot && (slot == made || goes_to(made, slot, 0))) return true;
    }
    return false;
}

/* The structure that a place is a member of, or an element of a member; NULL where it is none. */
static LLVMValueRef structure_around(LLVMValueRef place)
{
    bool is_member = false;
    while (LLVMIsAGetElementPtrInst(place)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetGEPSourceElementType(place));
        if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) break;
        is_member |= kind == LLVMStructTypeKind;
        place = LLVMGetOperand(place, 0);
    }
    return is_member ? place : NULL;
}

static struct handed goes_out(LLVMValueRef value, int depth);

/* A structure has been made whole before it is handed on. */
static struct handed part_goes_out(LLVMValueRef structure, int depth)
{
    struct handed found = {passed_through(structure), true};
    LLVMValueRef variable = LLVMIsALoadInst(structure) ? LLVMGetOperand(structure, 0) : structure;
    if (found.to != HANDED_NOWHERE || depth >= MOST_DEPTH) return found;
    if (LLVMIsAAllocaInst(variable)) {
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable));
        if (is_returned(function, variable)) return (struct handed){HANDED_AS_RESULT, true};
        found.to = goes_out(variable, depth + 1).to;
    } else {
        LLVMValueRef outer = structure_around(variable);
        if (outer) found = part_goes_out(outer, depth + 1);
    }
    return found;
}

/* Where it gets by one store. */
static struct handed stored_out(LLVMValueRef place, int depth)
{
    struct handed found = {parameter_behind(place), false};
    if (found.to != HANDED_NOWHERE) return found;
    LLVMValueRef to = slot_behind(place), structure = structure_around(place);
    LLVMValueRef other = to && depth < MOST_DEPTH ? moved_from_temporary(to) : NULL;
    if (other) return stored_out(other, depth + 1);
    if (to && LLVMIsAAllocaInst(to)) return goes_out(to, depth + 1);
    if (!structure && to) structure = structure_around(to);
    return structure ? part_goes_out(structure, depth + 1) : found;
}

/* Where it gets, through variables of the function perhaps. */
static struct handed goes_out(LLVMValueRef value, int depth)
{
    struct handed found = {HANDED_NOWHERE, false};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH && found.to == HANDED_NOWHERE;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_looked_at(user, value)) found = goes_out(user, depth + 1);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value)
            found = stored_out(LLVMGetOperand(user, 1), depth);
        LLVMValueRef holder = moved_into_pointer(use);
        if (holder) found = stored_out(holder, depth);
    }
    return found;
}

struct handed handed_into(LLVMValueRef place)
{
    return stored_out(place, 0);
}

struct handed handed_on(LLVMValueRef argument)
{
    struct handed found = {passed_through(argument), false};
    LLVMValueRef structure = structure_around(argument);
    return found.to == HANDED_NOWHERE && structure ? part_goes_out(structure, 0) : found;
}

/* What a call allocates, or puts into its first argument. */
struct handed handed_from(LLVMValueRef call)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    LLVMValueRef made = is_pointer ? call : LLVMGetOperand(call, 0);
    if (is_returned(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), made))
        return (struct handed){HANDED_AS_RESULT, false};
    if (is_pointer) return goes_out(call, 0);
    if (LLVMIsACallInst(made) || LLVMIsAInvokeInst(made)) return handed_from(made); /* `new T(n)` */
    LLVMValueRef structure = structure_around(made);
    return structure ? part_goes_out(structure, 0) : (struct handed){passed_through(made), false};
}

/* Begins with a pointer to what it holds. */
static bool leads_on(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return true;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
    const char *name = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
    if (!name) return is_descriptor(type);
    return name_begins(name, "class.std::vector") || name_begins(name, "class.std::unique_ptr") ||
           name_begins(name, "class.std::shared_ptr");
}

/* What an address that is computed from another one is the address of. */
static LLVMTypeRef type_at(LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
        else
            type = LLVMGetElementType(type);
    }
    return type;
}

static LLVMTypeRef type_behind(LLVMValueRef address)
{
    if (LLVMIsAAllocaInst(address)) return LLVMGetAllocatedType(address);
    if (LLVMIsAGlobalVariable(address)) return LLVMGlobalGetValueType(address);
    bool is_computed = LLVMIsAGetElementPtrInst(address) ||
                       (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
    return is_computed ? type_at(address) : NULL;
}

bool handed_is_slot(LLVMValueRef argument)
{
    LLVMTypeRef type = type_behind(argument);
    return type && leads_on(type);
}

static bool has_pointers(LLVMTypeRef type, int depth)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return true;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || depth >= MOST_DEPTH) return false;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_pointers(LLVMStructGetTypeAtIndex(type, i), depth + 1)) return true;
    return false;
}

LLVMTypeRef handed_structure(LLVMValueRef argument)
{
    LLVMTypeRef type = type_behind(argument);
    bool is_structure =
        type && LLVMGetTypeKind(type) == LLVMStructTypeKind && !LLVMIsOpaqueStruct(type) && !leads_on(type);
    return is_structure && has_pointers(type, 0) ? type : NULL;
}
