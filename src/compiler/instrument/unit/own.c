#include "compiler/instrument/unit/own.h"

#include <stddef.h>

#include "compiler/instrument/unit/source_name.h"

static const char hooks[] = "parcast_vf_";

bool own_is_name(const char *name)
{
    return name_begins(name, "llvm.") || name_begins(name, hooks) || name_begins(name, "parcast.") ||
           name_begins(name, "parcast_region_");
}

bool own_is_value(LLVMValueRef value)
{
    size_t length;
    return own_is_name(LLVMGetValueName2(value, &length));
}

bool own_is_hook(LLVMValueRef instruction)
{
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    return callee && name_begins(LLVMGetValueName2(callee, &length), hooks);
}
