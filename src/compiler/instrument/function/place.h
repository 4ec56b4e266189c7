/* Places in memory as operands: what the address of a word comes of. */
#ifndef PARCAST_INSTRUMENT_PLACE_H
#define PARCAST_INSTRUMENT_PLACE_H

#include "compiler/instrument/function/flow.h"

/** The operands that an address which a node uses is computed from; room for MOST_USES. */
int place_uses(const struct function *f, int node, LLVMValueRef pointer, struct use *uses);
/** Those of a load at a place that was found, and of the places that it was chosen from. */
int place_found_uses(const struct node *node, struct use *uses);

/** Is the value a parameter that leads to a place of the caller's choice? It is only stored and loaded at, or
 * handed on. */
bool place_is_parameter(LLVMValueRef value);
/** What chooses the place that a call hands over as operand j, if the callee may ask; 0 where nothing does.
 * Room for MOST_USES. */
int place_passed_uses(const struct function *f, int call, unsigned j, struct use *uses);
/** Is a place in an array chosen, `&t[found]`, or by a number that the function was given? */
bool place_has_choice(LLVMValueRef pointer);
/** What has chosen such a place that a function returns; 0 where it is none. */
int place_returned_uses(const struct function *f, int ret, struct use *uses);

#endif
