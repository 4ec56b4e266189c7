/* Where the followed run of a long program may stop: which iterations stand for the others. */
#ifndef PARCAST_VALUEFLOW_WINDOW_H
#define PARCAST_VALUEFLOW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** `how` is what comes behind the number of iterations in PARCAST_VALUES_STEPS: "", ":PERIOD" or
 * ":EVEN:ODD:..." (steps.h). */
void vf_window_open(uint64_t total, const char *how);
/** The loop begins; what was computed before is no iteration of it. */
void vf_window_begin(void);
/** An iteration of what is watched has ended: `site` says which loop. May end the process. */
void vf_window_step(const char *site);
/** All is followed that is worth it, or none is to be looked at. */
bool vf_window_is_done(void);
/** The program ends: values of which some were left out already are of no use. May end the process. */
void vf_window_ended(void);
/** The next iterations are left out. */
bool vf_window_skips(void);
#pragma GCC visibility pop

#endif
