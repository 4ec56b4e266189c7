#include "compiler/instrument/unit/lengths.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "compiler/instrument/unit/source_line.h"
#include "compiler/instrument/unit/source_name.h"

static bool is_of_any_length(LLVMValueRef array)
{
    size_t length;
    return LLVMIsAAllocaInst(array) && LLVMInstructionGetDebugLoc(array) &&
           name_begins(LLVMGetValueName2(array, &length), "vla");
}

static bool are_declared_together(LLVMValueRef a, LLVMValueRef b)
{
    LLVMMetadataRef x = LLVMInstructionGetDebugLoc(a), y = LLVMInstructionGetDebugLoc(b);
    return LLVMDILocationGetLine(x) == LLVMDILocationGetLine(y) &&
           LLVMDILocationGetColumn(x) == LLVMDILocationGetColumn(y) &&
           LLVMDILocationGetScope(x) == LLVMDILocationGetScope(y);
}

/* Those of constant length are called so from the beginning. */
static bool has_array(LLVMValueRef function, const char *name)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
    size_t length;
    for (LLVMValueRef i = LLVMGetFirstInstruction(first); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && strcmp(LLVMGetValueName2(i, &length), name) == 0) return true;
    return false;
}

/* The arrays of one declaration are in the order of the source. */
static void name_behind(LLVMValueRef before, LLVMValueRef array, unsigned *declared)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(array);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(array));
    char name[64];
    if (!before || !are_declared_together(before, array)) *declared = 0;
    while (source_line_array(LLVMDILocationGetScope(place), LLVMDILocationGetLine(place),
                             LLVMDILocationGetColumn(place), (*declared)++, name, sizeof name))
        if (!has_array(function, name)) {
            LLVMSetValueName2(array, name, strlen(name));
            return;
        }
}

void lengths_name(LLVMModuleRef unit)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(unit); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef before = NULL;
        unsigned declared = 0;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (!is_of_any_length(i)) continue;
                name_behind(before, i, &declared);
                before = i;
            }
    }
}
