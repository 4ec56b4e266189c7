/*
 * Ends before the end: the limit of memory, what cannot be followed, a program that dies. What was followed
 * until then is written as a partial result that says why and where it stopped.
 *
 *   PARCAST_VALUES_MESSAGES=FD    where the one message goes, for `parcast estimate`; standard error without
 * it
 */
#ifndef PARCAST_VALUEFLOW_ENDING_H
#define PARCAST_VALUEFLOW_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { VF_EXIT_ENDED = 1 }; /* exit status of a run that ended here */

extern bool vf_asked_to_end;

/** From the start of the run on: fatal signals, exit. */
void vf_endings_open(void);
/** The tables are in the middle of a change: nothing is followed any more, and the next call of instrumented
 * code ends the run. The first reason counts. */
void vf_end_soon(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void vf_end_now(void);
/** The file is being written: what happens from now on leaves no other one. */
void vf_ending_writes(void);
static inline void vf_end_if_asked(void)
{
    if (__builtin_expect(vf_asked_to_end, 0)) vf_end_now();
}
/** End the process without a word. */
_Noreturn void vf_leave(int status);
/** End the run here and now with status 1 and this message. */
_Noreturn void vf_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A signal that ends the program. */
void vf_ending_signal(int number);

/** Where the run is: "entry 2 of the region, iteration 37 of heat.c:12 (cool)". */
void vf_where(char *text, size_t size);
#pragma GCC visibility pop

#endif
