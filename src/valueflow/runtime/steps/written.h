/*
 * Whether a window of iterations writes what was computed before it: iterations in space write other words
 * each time, and do not stand for each other. What only the first iterations made, when temporaries had other
 * names, does not count.
 */
#ifndef PARCAST_VALUEFLOW_WRITTEN_H
#define PARCAST_VALUEFLOW_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { VF_WRITTEN_BEFORE = 2 }; /* iterations before the window, for arrays that change places */

/** An iteration has ended, or the loop begins, and no window has begun: costs a pass over all vertices. */
void vf_written_note(void);
bool vf_written_is_noted(void);
/** Of the words that the last `before` iterations (at most VF_WRITTEN_BEFORE) before the last note computed,
 * the share that has been computed since; 0 where there are none. */
double vf_written_share(uint32_t before);

#pragma GCC visibility pop

#endif
