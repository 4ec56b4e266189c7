/* Calls of functions outside the program that the instrumenter has in words of its own. */
#ifndef PARCAST_INSTRUMENT_CALLS_H
#define PARCAST_INSTRUMENT_CALLS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

struct maker {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder; /* before the call */
    LLVMValueRef call;
};

/** Makes what stands for the call and returns the last of it, which is its value where it has one; NULL: the
 * call stays. */
typedef LLVMValueRef make_function(const struct maker *make);

static inline LLVMValueRef operand(const struct maker *make, unsigned i)
{
    return LLVMGetOperand(make->call, i);
}

/** The function that is called by its name; NULL. */
LLVMValueRef calls_function(LLVMValueRef call);
/** Is one of `n` functions called? */
bool calls_one_of(LLVMValueRef call, const char *const *names, size_t n);

/** Put what is made in place of all calls for which `make_of` knows how; it returns NULL for others, and for
 * what is no call. */
void calls_replace(LLVMModuleRef module, make_function *(*make_of)(LLVMValueRef call));

#endif
