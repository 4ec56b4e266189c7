/* Addresses as sums: a base, multiples of values, and a constant. */
#ifndef PARCAST_INSTRUMENT_ADDRESS_H
#define PARCAST_INSTRUMENT_ADDRESS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** What a pointer is computed from, through all steps into arrays and structures. */
LLVMValueRef address_base(LLVMValueRef pointer);
/** What a phi chooses from where all of it is the same conversion of the same value; other values as they
 * are. */
LLVMValueRef address_behind(LLVMValueRef value);
/** Are two addresses the same sum? `a + (i * n + j)` is, of `(a + i * n) + j`. */
bool address_is_same(LLVMValueRef a, LLVMValueRef b);
/** Are they the same sum but for a constant, members of one structure say? Then how far b is behind a. */
bool address_is_apart(LLVMValueRef a, LLVMValueRef b, long long *bytes);
/** The same sum, where pointers to rows, and extents that stand, may have been loaded once more: as far as
 * labels go. */
bool address_is_reloaded(LLVMValueRef a, LLVMValueRef b);
/** Does an instruction load a global variable that its function leaves alone? A number of rows, say, of which
 * the optimiser does not know that it is none of the words which are stored. */
bool address_stands(LLVMValueRef load);
/** A number without what narrows, widens or masks it. */
LLVMValueRef address_behind_bits(LLVMValueRef value);
/** Does a number that was loaded, the key, say where a word is? */
bool address_is_of_key(LLVMValueRef pointer);

#endif
