/* From values to the labels that instrumented code carries beside them. */
#ifndef PARCAST_INSTRUMENT_LABELS_H
#define PARCAST_INSTRUMENT_LABELS_H

#include "compiler/instrument/function/leaves.h"

/** The labels themselves; emits what they need where their values are computed. */
void labels_of(struct function *f, const struct keys *keys, struct labels *labels);
/** One label at the builder's place: a result of its own when there are several. `at` names the place. */
LLVMValueRef labels_single(struct function *f, const struct use *use, LLVMValueRef at);
/** Is a pointer that a call is given what a search ends with, which may be needed there alone? Where such a
 * call is emitted last, nobody else will ask for it if nobody has: then it is made where the call is. */
bool labels_may_be_late(const struct function *f, int call, LLVMValueRef pointer);
LLVMValueRef labels_late(struct function *f, int call, LLVMValueRef pointer);

/** The same of several values. */
LLVMValueRef labels_together(struct function *f, const struct use *uses, int n, LLVMValueRef at);

/** The label of the word after a store; emits the store's call on the first occasion (words.c). */
LLVMValueRef labels_stored(struct function *f, int store);
/** What a call is known by: its callee; assembly has no address, its place stands for it (calls.c). */
LLVMValueRef call_identity(struct function *f, int call);
/** What one member adds to its sum; nothing on later occasions (sum_calls.c). */
void sums_emit_term(struct function *f, int member);
/** Operations of a term of it, as far as terms have been emitted, and of adding it: the mean of all, one at
 * least. */
unsigned sums_work_of_term(const struct sum *sum);
/** Its operation, with the flag of what has been emitted so far. */
unsigned sums_op(const struct sum *sum);
/** Slots, beginnings and terms of all sums. */
void sums_emit(struct function *f);

#endif
