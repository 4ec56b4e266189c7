/* The best of what several sums have chosen, each with the place where it was found. */
#ifndef PARCAST_INSTRUMENT_BESTS_H
#define PARCAST_INSTRUMENT_BESTS_H

#include "compiler/instrument/function/function.h"

/** Where a choice behind loops takes one of what several sums have chosen, by a comparison of these, take it
 * and the choices of their places into one of the sums: the terms of the others are terms of that. */
bool bests_take(struct function *f, int choice);
/** Where a loop, for what another one has left over, goes on with what a sum has chosen, or is not run at
 * all, take what there is then into the sum of that loop. */
bool bests_go_on(struct function *f, int phi);
/** Where one more number, behind the loop, is compared with what a sum has chosen, take the choices of it and
 * of its place into the sum. */
bool bests_take_last(struct function *f, int phi);
/** Is it what such a loop would have gone on with? */
bool bests_are_before(const struct function *f, int member, LLVMValueRef operand);
/** The sum, other than its own, that a member of a sum joins by one of its operands; -1. */
int bests_joined(const struct function *f, int member, LLVMValueRef operand);

#endif
