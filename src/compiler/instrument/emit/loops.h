/*
 * Outermost loops of functions, whose iterations may be steps of time. Those that hold another loop or a call
 * are numbered in the order of the unit, alike in the followed and the plain version:
 *
 *     parcast.loop.N: struct parcast_vf_loop (src/compiler/loop.h), in the section parcast_loops
 *
 * Both versions tell the run time where a loop begins and where it is left; the followed one where an
 * iteration ends, too, while the plain one counts iterations in place.
 */
#ifndef PARCAST_INSTRUMENT_LOOPS_H
#define PARCAST_INSTRUMENT_LOOPS_H

#include "compiler/instrument/function/function.h"

/** A function of the followed version, after it was instrumented. `number` goes on from function to function.
 */
void loops_follow(struct module_state *m, LLVMValueRef function, unsigned *number);
/** The same function of the plain version. */
void loops_count(struct module_state *m, LLVMValueRef function, unsigned *number);
/** After linking: the loops are the unit's own. */
void loops_close(LLVMModuleRef module);

#endif
