/* The instrumenter: one unit of bitcode in, the same with the calls of the run time out. */
#ifndef PARCAST_INSTRUMENT_H
#define PARCAST_INSTRUMENT_H

#include "compiler/instrument/function/function.h"

/** Instrument every function of a unit. `regions` are the names of functions that are the region. */
void instrument_unit(LLVMModuleRef module, const char *const *regions, int n_regions);
void instrument_function(struct module_state *m, LLVMValueRef function);

/* unit.c: calls that enter and leave the region at the ends of a function; that an exception is caught or a
 * longjmp has come here, which may have left the region; that main has begun. */
void unit_mark_region(struct module_state *m, LLVMValueRef function);
void unit_mark_catches(struct module_state *m, LLVMValueRef function);
void unit_mark_main(struct module_state *m, LLVMValueRef function);

/* words.c, calls.c */
void emit_store(struct function *f, int store);
void emit_range(struct function *f, int call, const char *intrinsic);
/** Says what variable arguments carry where it is lost. */
void emit_variable(struct function *f, LLVMValueRef start);
void emit_unsupported(struct function *f, LLVMValueRef at, const char *what);
void emit_refused(struct function *f, LLVMValueRef at, const char *what);
void emit_place(struct function *f, int call);
void emit_real_call(struct function *f, int call);
void emit_return(struct function *f, int ret);

#endif
