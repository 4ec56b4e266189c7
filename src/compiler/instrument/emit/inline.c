#include "compiler/instrument/emit/inline.h"

#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

#include "compiler/hooks.h"

/* load() of src/valueflow/runtime/hooks/hook_word.c for a word that has a value and is whole, which is nearly
 * always: the label is at the word's address with one constant added without carry. Then record of record.c
 * for a site that has told often enough, which is nearly always, too. */
static const char text[] =
    "@vf_tracing = external global i8\n"
    "declare i32 @parcast_vf_load8(ptr) nounwind\n"
    "define linkonce_odr hidden i32 @" INLINE_LOAD8 "(ptr %%p) alwaysinline nounwind {\n"
    "entry:\n"
    "  %%flag = load i8, ptr @vf_tracing\n"
    "  %%off = icmp eq i8 %%flag, 0\n"
    "  br i1 %%off, label %%done, label %%on\n"
    "on:\n"
    "  %%address = ptrtoint ptr %%p to i64\n"
    "  %%word = and i64 %%address, -8\n"
    "  %%shadow = xor i64 %%word, %llu\n"
    "  %%cell = inttoptr i64 %%shadow to ptr\n"
    "  %%value = load i32, ptr %%cell\n"
    "  %%shifted = add i32 %%value, 1\n"
    "  %%plain = icmp ugt i32 %%shifted, 1\n" /* neither 0, untouched, nor 0xffffffff, split */
    "  br i1 %%plain, label %%done, label %%slow, !prof !0\n"
    "slow:\n"
    "  %%found = call i32 @parcast_vf_load8(ptr %%p)\n"
    "  br label %%done\n"
    "done:\n"
    "  %%label = phi i32 [ 0, %%entry ], [ %%value, %%on ], [ %%found, %%slow ]\n"
    "  ret i32 %%label\n"
    "}\n"
    "declare void @parcast_vf_record(ptr, i32, ptr) nounwind\n"
    "define linkonce_odr hidden void @" INLINE_RECORD
    "(ptr %%p, i32 %%bytes, ptr %%told) alwaysinline nounwind {\n"
    "entry:\n"
    "  %%times = load i8, ptr %%told\n"
    "  %%often = icmp eq i8 %%times, -1\n"
    "  br i1 %%often, label %%done, label %%tell, !prof !0\n"
    "tell:\n"
    "  call void @parcast_vf_record(ptr %%p, i32 %%bytes, ptr %%told)\n"
    "  br label %%done\n"
    "done:\n"
    "  ret void\n"
    "}\n"
    "!0 = !{!\"branch_weights\", i32 2000, i32 1}\n";

_Static_assert(VF_UNTOUCHED == 0 && VF_SPLIT == UINT32_MAX, "the text above compares with these");

bool inline_add(LLVMModuleRef module)
{
    if (!LLVMGetNamedFunction(module, INLINE_LOAD8) && !LLVMGetNamedFunction(module, INLINE_RECORD))
        return false;
    char written[sizeof text + 32], *message = NULL;
    int n = snprintf(written, sizeof written, text, (unsigned long long)VF_SHADOW_XOR); // NOLINT
    if (n < 0 || (size_t)n >= sizeof written) return true;
    LLVMModuleRef added;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(written, (size_t)n, "parcast.inline");
    if (LLVMParseIRInContext(LLVMGetModuleContext(module), buffer, &added, &message)) {
        fprintf(stderr, "parcast-instrument: error: %s\n", message);
        LLVMDisposeMessage(message);
        return true;
    }
    LLVMSetDataLayout(added, LLVMGetDataLayoutStr(module));
    LLVMSetTarget(added, LLVMGetTarget(module));
    return LLVMLinkModules2(module, added);
}
