#include "compiler/instrument/unit/handed.h"

#include <string.h>

#include "compiler/instrument/unit/descriptors.h"
#include "compiler/instrument/unit/source_name.h"

enum { MOST_DEPTH = 4 };

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

/* Parameters are stored into slots of the frame where a function begins. */
int handed_through(LLVMValueRef argument)
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
    return handed_through(slot && !LLVMIsAAllocaInst(slot) ? slot : place);
}

/* Does it get into a slot, through others perhaps? */
static bool goes_to(LLVMValueRef value, LLVMValueRef slot, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && goes_to(user, slot, depth + 1)) return true;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value) continue;
        LLVMValueRef to = slot_behind(LLVMGetOperand(user, 1));
        if (!to || !LLVMIsAAllocaInst(to)) continue;
        if (to == slot || goes_to(to, slot, depth + 1)) return true;
    }
    return false;
}

/* The parameter that leads to where it gets, through variables of the function perhaps. */
static int goes_out(LLVMValueRef value, int depth)
{
    int found = HANDED_NOWHERE;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH && found < 0;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) found = goes_out(user, depth + 1);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value) continue;
        found = parameter_behind(LLVMGetOperand(user, 1));
        LLVMValueRef to = slot_behind(LLVMGetOperand(user, 1));
        if (found < 0 && to && LLVMIsAAllocaInst(to)) found = goes_out(to, depth + 1);
    }
    return found;
}

/* What a call allocates, or puts into its first argument, is what the function around it returns. */
static bool is_returned(LLVMValueRef call, LLVMValueRef made)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    for (block = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(block)); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef result =
            end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
        if (!result) continue;
        if (result == call) return true;
        LLVMValueRef slot = LLVMIsALoadInst(result) ? LLVMGetOperand(result, 0) : NULL;
        if (slot && (slot == made || goes_to(made, slot, 0))) return true;
    }
    return false;
}

int handed_from(LLVMValueRef call)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    LLVMValueRef made = is_pointer ? call : LLVMGetOperand(call, 0);
    if (is_returned(call, made)) return HANDED_AS_RESULT;
    return is_pointer ? goes_out(call, 0) : handed_through(made);
}

/* Begins with a pointer to what it holds. */
static bool leads_on(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return true;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
    const char *name = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
    return name ? name_begins(name, "class.std::vector") : is_descriptor(type);
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

bool handed_is_slot(LLVMValueRef argument)
{
    if (LLVMIsAAllocaInst(argument)) return leads_on(LLVMGetAllocatedType(argument));
    if (LLVMIsAGlobalVariable(argument)) return leads_on(LLVMGlobalGetValueType(argument));
    bool is_computed = LLVMIsAGetElementPtrInst(argument) ||
                       (LLVMIsAConstantExpr(argument) && LLVMGetConstOpcode(argument) == LLVMGetElementPtr);
    return is_computed && leads_on(type_at(argument));
}
