/* Sums in registers of what an array of the function is multiplied by. */
#ifndef PARCAST_INSTRUMENT_OWN_FACTORS_H
#define PARCAST_INSTRUMENT_OWN_FACTORS_H

#include "compiler/instrument/function/function.h"

/** Is a term of the sum a product of a word of an array in the frame and of one elsewhere? The matrix of an
 * element, times what its nodes have: one number may be sent in the place of both. */
bool own_factors_any(const struct function *f, int sum);

#endif
