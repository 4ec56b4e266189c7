#include "compiler/instrument/function/mark.h"

#include <stdbool.h>
#include <string.h>

static unsigned kind_of(LLVMValueRef instruction, const char *mark)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), mark, (unsigned)strlen(mark));
}

void mark_put(LLVMContextRef context, LLVMValueRef instruction, const char *mark, unsigned number)
{
    LLVMValueRef constant = LLVMConstInt(LLVMInt32TypeInContext(context), number, false);
    LLVMMetadataRef content = LLVMValueAsMetadata(constant),
                    node = LLVMMDNodeInContext2(context, &content, 1);
    LLVMSetMetadata(instruction, kind_of(instruction, mark), LLVMMetadataAsValue(context, node));
}

int mark_of(LLVMValueRef instruction, const char *mark)
{
    if (!LLVMHasMetadata(instruction)) return -1;
    LLVMValueRef number, node = LLVMGetMetadata(instruction, kind_of(instruction, mark));
    if (!node) return -1;
    LLVMGetMDNodeOperands(node, &number);
    return (int)LLVMConstIntGetZExtValue(number);
}

void mark_remove(LLVMValueRef instruction, const char *mark)
{
    LLVMSetMetadata(instruction, kind_of(instruction, mark), NULL);
}
