#include "compiler/instrument/unit/descriptors.h"

#include <string.h>

#include "compiler/instrument/function/address.h"

enum { MOST_OPERANDS = 4, MEMBERS = 8, MOST_MEMBERS = 9 }; /* the last is an addendum */

static bool is_named(LLVMValueRef type, const char *name)
{
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned length, n = LLVMIsAMDNode(type) ? LLVMGetMDNodeNumOperands(type) : 0;
    if (n == 0 || n > MOST_OPERANDS) return false;
    LLVMGetMDNodeOperands(type, operands);
    const char *text =
        operands[0] && LLVMIsAMDString(operands[0]) ? LLVMGetMDString(operands[0], &length) : NULL;
    return text && length == strlen(name) && memcmp(text, name, length) == 0;
}

static bool is_integer(LLVMTypeRef type, unsigned bits)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

/* Base, length of an element, version, rank, type, attribute, extra, and three numbers of each dimension. */
bool is_descriptor(LLVMTypeRef type)
{
    static const unsigned bits[] = {64, 32, 8, 8, 8, 8};
    LLVMTypeRef members[MOST_MEMBERS];
    unsigned n = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
    if (n < MEMBERS || n > MOST_MEMBERS) return false;
    LLVMGetStructElementTypes(type, members);
    if (LLVMGetTypeKind(members[0]) != LLVMPointerTypeKind) return false;
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        if (!is_integer(members[i + 1], bits[i])) return false;
    if (LLVMGetTypeKind(members[MEMBERS - 1]) != LLVMArrayTypeKind) return false;
    LLVMTypeRef dimension = LLVMGetElementType(members[MEMBERS - 1]);
    return LLVMGetTypeKind(dimension) == LLVMArrayTypeKind && LLVMGetArrayLength2(dimension) == 3 &&
           is_integer(LLVMGetElementType(dimension), 64);
}

/* Of a variable, where optimisation has lost the type of the access. */
static bool is_in_descriptor(LLVMValueRef access)
{
    LLVMValueRef base = address_base(LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0));
    if (LLVMIsAGlobalVariable(base)) return is_descriptor(LLVMGlobalGetValueType(base));
    return LLVMIsAAllocaInst(base) && is_descriptor(LLVMGetAllocatedType(base));
}

/* An access has a base type, its own type and an offset. */
static bool is_called_member(LLVMValueRef access)
{
    LLVMValueRef operands[MOST_OPERANDS];
    LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindID("tbaa", 4));
    unsigned n = tag ? LLVMGetMDNodeNumOperands(tag) : 0;
    if (n < 2 || n > MOST_OPERANDS) return false;
    LLVMGetMDNodeOperands(tag, operands);
    return operands[1] && is_named(operands[1], "descriptor member");
}

bool is_descriptor_member(LLVMValueRef access)
{
    return is_called_member(access) || is_in_descriptor(access);
}
