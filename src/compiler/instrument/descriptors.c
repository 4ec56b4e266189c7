#include "descriptors.h"

#include <string.h>

enum { MOST_OPERANDS = 4 };

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

/* An access has a base type, its own type and an offset. */
bool is_descriptor_member(LLVMValueRef access)
{
    LLVMValueRef operands[MOST_OPERANDS];
    LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindID("tbaa", 4));
    unsigned n = tag ? LLVMGetMDNodeNumOperands(tag) : 0;
    if (n < 2 || n > MOST_OPERANDS) return false;
    LLVMGetMDNodeOperands(tag, operands);
    return operands[1] && is_named(operands[1], "descriptor member");
}
