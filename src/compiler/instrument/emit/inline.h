/* Short ways of the run time that are put into the program itself. */
#ifndef PARCAST_INSTRUMENT_INLINE_H
#define PARCAST_INSTRUMENT_INLINE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#define INLINE_LOAD8  "parcast_vf_load8_inline"
#define INLINE_RECORD "parcast_vf_record_inline"

/** Add their definitions where they are called; true when that fails. */
bool inline_add(LLVMModuleRef module);

#endif
