/* When an alternative of a choice is taken. */
#ifndef PARCAST_INSTRUMENT_TAKEN_H
#define PARCAST_INSTRUMENT_TAKEN_H

#include "compiler/instrument/function/flow.h"

enum { MOST_TAKEN = 4 };

/** Conditions, and what each of them has to be; without any it always is. */
struct taken {
    int n;
    LLVMValueRef condition[MOST_TAKEN];
    bool when[MOST_TAKEN];
};

/** Of a select: by its own condition, the first, and by those of choices that it is an alternative of. Sets
 * the last of these, behind which all of them are known, or the select. */
struct taken taken_select(const struct function *f, int i, unsigned alternative, int *last);
/** Of a phi: as far as one condition tells when a block goes on to this one. */
struct taken taken_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/** At the builder's place: all of them are so. NULL without conditions. */
LLVMValueRef taken_emit(struct module_state *m, const struct taken *taken);

#endif
