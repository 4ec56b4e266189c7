/*
 * Iterations of a long program: the plain run counts and times them, the followed run stops when they repeat.
 *
 *   PARCAST_PLAIN=FILE           run plain; leave what was counted in FILE (plain_format in steps.c)
 *   PARCAST_VALUES_LATE=1        the region is marked by a library that is loaded later: main is none
 *
 *   PARCAST_VALUES_STEPS=N:TOTAL:count     follow nothing, but count the operations of the iterations of loop
 * N (or "entries": entries of the region), of which there are TOTAL, until a tenth of them are over, 48 at
 * least.
 *
 *   PARCAST_VALUES_STEPS=N:TOTAL[:PERIOD]  stop when they repeat. With a PERIOD: after so many iterations,
 * where a multiple of it is left.
 *
 * The count leaves VALUES.steps, a line for every iteration that ended: its operations. A followed run that
 * stops leaves VALUES.before and VALUES, what was followed until two iterations K1 and K2, and VALUES.steps,
 * a line "K1 K2 TOTAL SPREAD SITE".
 */
#ifndef PARCAST_VALUEFLOW_STEPS_H
#define PARCAST_VALUEFLOW_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VF_MARKED_LATER "PARCAST_VALUES_LATE"

extern int parcast_vf_plain; /* VF_RUNS_..., read by every function of the program */

/** Of the region, in the plain run. */
void vf_plain_enter(void);
void vf_plain_leave(void);
/** What was counted until now was not of the region. */
void vf_plain_forget(void);
/** The region was left in the followed run: an iteration, perhaps, and the end of its loops. */
void vf_steps_region_left(void);
extern bool vf_counting; /* nothing is followed, iterations are counted */
/** Is that what was asked for? To be called at any time. */
bool vf_steps_only_counted(void);
/** No more iterations will come: leave what was counted. Nothing otherwise. */
void vf_steps_counted(void);
/** "iteration 37 of heat.c:12 (cool)" of the followed run; empty outside of loops. */
void vf_steps_where(char *text, size_t size);

#endif
