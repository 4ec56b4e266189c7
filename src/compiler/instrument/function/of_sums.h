#ifndef PARCAST_INSTRUMENT_OF_SUMS_H
#define PARCAST_INSTRUMENT_OF_SUMS_H

#include "compiler/instrument/function/function.h"

/** Is a value the quotient of two sums, say, or of one and a word that may hold one? Who has it needs neither
 * of them. What is computed of that alone is not another one. */
bool of_sums(struct function *f, int node);

#endif
