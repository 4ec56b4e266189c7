/*
 * `found[k] = better(found[k], {x, i})` with a function that returns one of two references copies a structure
 * from a place that was chosen: all of its bytes at once. Member by member it is what it would be where the
 * members were stored (written_back.c); the bytes between them nobody reads.
 */
#include "compiler/instrument/rewrite/small_copies.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"

enum { MOST_MEMBERS = 8, DEEPEST = 4 };

struct members {
    LLVMTargetDataRef layout;
    LLVMTypeRef types[MOST_MEMBERS];
    unsigned long long offsets[MOST_MEMBERS];
    unsigned n;
};

static bool add_members(struct members *members, LLVMTypeRef type, unsigned long long at, int depth)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && depth < DEEPEST) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!add_members(members, LLVMStructGetTypeAtIndex(type, i),
                             at + LLVMOffsetOfElement(members->layout, type, i), depth + 1))
                return false;
        return true;
    }
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind ||
                     kind == LLVMPointerTypeKind;
    if (!is_number || members->n == MOST_MEMBERS) return false;
    members->types[members->n] = type;
    members->offsets[members->n++] = at;
    return true;
}

/* The variable of the frame that the pointer is, or may have been chosen from; NULL. */
static LLVMValueRef variable_of(LLVMValueRef pointer, int depth)
{
    LLVMValueRef found = LLVMIsAAllocaInst(pointer) ? pointer : NULL;
    unsigned first = LLVMIsASelectInst(pointer) ? 1 : 0, end = first ? 3 : 0;
    if (LLVMIsAPHINode(pointer)) end = LLVMCountIncoming(pointer);
    for (unsigned i = first; depth < DEEPEST && !found && i < end; i++)
        found = variable_of(LLVMIsAPHINode(pointer) ? LLVMGetIncomingValue(pointer, i)
                                                    : LLVMGetOperand(pointer, i),
                            depth + 1);
    return found;
}

/* All of a structure of numbers, from a place that was chosen. */
static bool find_members(LLVMValueRef copy, struct members *members)
{
    const char *name = LLVMIsACallInst(copy) ? intrinsic_name(copy) : NULL;
    if (!name || strncmp(name, "llvm.memcpy.", 12) != 0) return false;
    LLVMValueRef from = LLVMGetOperand(copy, 1), bytes = LLVMGetOperand(copy, 2);
    if (!LLVMIsAPHINode(from) && !LLVMIsASelectInst(from)) return false;
    if (!LLVMIsNull(LLVMGetOperand(copy, 3)) || !LLVMIsAConstantInt(bytes)) return false;
    LLVMValueRef variable = variable_of(from, 0);
    LLVMTypeRef type = variable ? LLVMGetAllocatedType(variable) : NULL;
    return type && LLVMGetTypeKind(type) == LLVMStructTypeKind &&
           LLVMABISizeOfType(members->layout, type) == LLVMConstIntGetZExtValue(bytes) &&
           add_members(members, type, 0, 0);
}

static LLVMValueRef member_at(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef base,
                              unsigned long long offset)
{
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);
    return offset ? LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), base, &index, 1, "")
                  : base;
}

static void copy_members(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef copy,
                         const struct members *members)
{
    LLVMValueRef to = LLVMGetOperand(copy, 0), from = LLVMGetOperand(copy, 1), values[MOST_MEMBERS];
    LLVMPositionBuilderBefore(builder, copy);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
    for (unsigned i = 0; i < members->n; i++) {
        LLVMValueRef at = member_at(context, builder, from, members->offsets[i]);
        values[i] = LLVMBuildLoad2(builder, members->types[i], at, "");
    }
    for (unsigned i = 0; i < members->n; i++)
        LLVMBuildStore(builder, values[i], member_at(context, builder, to, members->offsets[i]));
    LLVMInstructionEraseFromParent(copy);
}

void small_copies_part(LLVMContextRef context, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            struct members members = {.layout = layout};
            next = LLVMGetNextInstruction(i);
            if (find_members(i, &members)) copy_members(context, builder, i, &members);
        }
    LLVMDisposeBuilder(builder);
}
