/*
 * The limit of memory of a followed run, program and tables together.
 *
 *   PARCAST_VALUES_MEMORY=4GiB    limit; default: nine tenths of what is free when the program starts, here
 * and in the group of processes that it belongs to
 */
#ifndef PARCAST_VALUEFLOW_MEMORY_H
#define PARCAST_VALUEFLOW_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

void vf_memory_open(void);
/** About `bytes` more will be touched. Where that exceeds the limit the run is asked to end. */
void vf_memory_expect(size_t bytes);
/** Whether some megabytes that nobody touches do not matter. */
bool vf_memory_is_ample(void);
#pragma GCC visibility pop

#endif
