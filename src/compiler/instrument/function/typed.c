/*
 * Type-based alias analysis, as far as it is plain: a tag names the type of an access, and types are nodes of
 * a tree, in which each may go to the same word as those above it, characters as all. Numbers and pointers
 * have no types below them.
 */
#include "compiler/instrument/function/typed.h"

#include <string.h>

enum { MOST_OPERANDS = 8, DEEPEST = 16 };

static LLVMValueRef operand(LLVMValueRef node, unsigned which)
{
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned n = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    if (n > MOST_OPERANDS || which >= n) return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[which];
}

/* Of a tag of base, access and offset. */
static LLVMValueRef access_type(LLVMValueRef access)
{
    LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindID("tbaa", 4));
    return operand(tag, 1);
}

/* A name, the type above and a 0; a structure has members. */
static LLVMValueRef above(LLVMValueRef type)
{
    unsigned n = type && LLVMIsAMDNode(type) ? LLVMGetMDNodeNumOperands(type) : 0;
    return n == 3 ? operand(type, 1) : NULL;
}

static LLVMValueRef root_of(LLVMValueRef type)
{
    for (int depth = 0; depth < DEEPEST && above(type); depth++) type = above(type);
    return type;
}

static bool is_or_above(LLVMValueRef type, LLVMValueRef other)
{
    for (int depth = 0; other && depth < DEEPEST; depth++, other = above(other))
        if (other == type) return true;
    return false;
}

bool typed_apart(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef x = access_type(a), y = access_type(b);
    if (!above(x) || !above(y) || root_of(x) != root_of(y)) return false;
    return !is_or_above(x, y) && !is_or_above(y, x);
}
