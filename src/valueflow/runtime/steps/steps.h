/*
 * Iterations of a long program: the plain run counts and times them, the followed run stops when they repeat.
 *
 *   PARCAST_PLAIN=FILE           run plain; leave what was counted in FILE (plain_format in plain_run.c)
 *   PARCAST_VALUES_LATE=1        the region is marked by a library that is loaded later: main is none
 *
 *   PARCAST_VALUES_STEPS=N:TOTAL:count     follow nothing, but count the operations of the iterations of loop
 * N (or "entries": entries of the region), of which there are TOTAL, until a tenth of them are over, 256 at
 * least.
 *
 *   PARCAST_VALUES_STEPS=N:TOTAL[:PERIOD]  stop when they repeat. With a PERIOD: after so many iterations,
 * where a multiple of it is left.
 *
 *   PARCAST_VALUES_STEPS=N:TOTAL:EVEN:ODD:I=USES,I=USES  when they repeat, go on with the iterations I, which
 * do other work and stand for USES such each, and leave out those between; ";" where the one before it does
 * other work, too. EVEN and ODD iterations from the third on are as others.
 *
 * The count leaves VALUES.steps, a line for every iteration that ended: its operations and stores. A followed
 * run that stops leaves VALUES with the counts of the whole run, and VALUES.steps, a line "K1 K2 TOTAL SPREAD
 * SITE": iterations K1 + 1 to K2 stand for others. With iterations I it may be "again": it is not to be done
 * so.
 */
#ifndef PARCAST_VALUEFLOW_STEPS_H
#define PARCAST_VALUEFLOW_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VF_MARKED_LATER "PARCAST_VALUES_LATE"

extern int parcast_vf_plain; /* VF_RUNS_..., read by every function of the program */

/** Before anything of the program runs: in which version it does, and which iterations are asked for. */
void vf_steps_open(void);
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
