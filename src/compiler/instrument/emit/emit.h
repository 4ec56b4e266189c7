/* Calls of the run time, built by name from the same list that declares them. */
#ifndef PARCAST_INSTRUMENT_EMIT_H
#define PARCAST_INSTRUMENT_EMIT_H

#include "compiler/instrument/function/function.h"

enum hook {
#define HOOK(result, name, arguments) HOOK_##name,
#include "compiler/hooks.def"
#undef HOOK
    N_HOOKS
};

void emit_open(struct module_state *m, LLVMModuleRef module);
void emit_close(struct module_state *m);
LLVMValueRef emit_call(struct module_state *m, enum hook hook, LLVMValueRef *arguments, unsigned n);
LLVMValueRef emit_i32(const struct module_state *m, unsigned long long value);
LLVMValueRef emit_i64(const struct module_state *m, unsigned long long value);
/** A text of the unit: where in the source an instruction is, or a name. */
LLVMValueRef emit_text(struct module_state *m, const char *text);
LLVMValueRef emit_site(struct module_state *m, LLVMValueRef instruction);

/** Bytes of the word that holds a value: 8, 4, 2 or 1. */
unsigned emit_word_size(const struct module_state *m, LLVMTypeRef type);
/** The label of the word at an address that holds what is loaded there. */
LLVMValueRef emit_load(struct module_state *m, LLVMValueRef p, LLVMTypeRef type);

/** Where the builder goes on: before the instruction that followed a node (or its phis) originally, so that
 * what is emitted later comes later; before an instruction; at the top of a block behind its phis. */
void emit_after(struct function *f, int node);
void emit_before(struct module_state *m, LLVMValueRef instruction);
void emit_at_top(struct function *f, int block);

/** The address of an access. One that the program does not have may lead nowhere, `if (n > 1) p[0] = 0;`
 * where p is NULL: then it is that of a word that nobody reads. */
LLVMValueRef emit_address(struct function *f, int access);
/** The same of any address, which may not be there. */
LLVMValueRef emit_there(struct function *f, LLVMValueRef p);

/** Put labels into the function's buffer; returns its address. */
LLVMValueRef emit_buffer(struct function *f, const struct labels *labels);
/** A slot in the frame, zero at entry. */
LLVMValueRef emit_slot(struct function *f, LLVMTypeRef type);

#endif
