#ifndef PARCAST_VALUEFLOW_PLAIN_RUN_H
#define PARCAST_VALUEFLOW_PLAIN_RUN_H

#include <stdint.h>

#include "compiler/loop.h"

extern uint64_t parcast_vf_inside; /* 1 inside the region of a plain run; read by its loops */

#pragma GCC visibility push(hidden)

/** The program runs plain: leave what is counted where the environment says (steps.h). */
void vf_plain_open(void);
/** Of the region. */
void vf_plain_enter(void);
void vf_plain_leave(void);
/** What was counted until now was not of the region. */
void vf_plain_forget(void);
/** Of a loop inside of it. */
void vf_plain_loop_enter(struct parcast_vf_loop *loop);
void vf_plain_loop_leave(struct parcast_vf_loop *loop);
#pragma GCC visibility pop

#endif
