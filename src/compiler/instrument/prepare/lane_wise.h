/* What the machine's intrinsics compute lane by lane. */
#ifndef PARCAST_INSTRUMENT_LANE_WISE_H
#define PARCAST_INSTRUMENT_LANE_WISE_H

#include "compiler/instrument/prepare/calls.h"

/** Of a mask: whether the highest bit of each lane is set. */
LLVMValueRef lane_wise_meant(const struct maker *make, LLVMValueRef mask);

/** Blends by the mask that is the third operand. */
make_function lane_wise_blend;
/** Products of the lanes that the third operand, a number, names, added up in those that it names. */
make_function lane_wise_dot;
/** Subtracts in even lanes and adds in odd ones; so with the third operand, what a product comes to. */
make_function lane_wise_turn, lane_wise_turn_product;
/** Rounds as the second operand, a number, says. */
make_function lane_wise_round;
/** Approximations of the inverse and of that of the root. */
make_function lane_wise_inverse, lane_wise_inverse_root;

/** Where numbers are one by one again: gives instructions of the first lane alone, of which the optimiser
 * knows that they ask for no other, nothing but that. */
void lane_wise_narrow(LLVMModuleRef module);

#endif
