/*
 * Independent tasks on as many threads as there are processors for the process. What they find must not
 * depend on the order in which they run, nor on how many run at a time; tasks that a task asks for run one
 * after the other in its thread.
 */
#ifndef PARCAST_CORE_CREW_H
#define PARCAST_CORE_CREW_H

#include <stddef.h>

#include "parcast/error.h"

/** How many threads would share tasks that were asked for here; 1 in a task. */
size_t crew_size(void);

/** `error` is the task's own: what it describes there and then returns PARCAST_OK is forgotten. */
typedef parcast_status crew_task(void *context, size_t i, parcast_error *error);

/**
 * Tasks 0 to n - 1, in this order where there is one thread only. They are taken by whoever is free; where a
 * thread does not come about the others do its work.
 *
 * @return that of the first task, by its number, that failed, with its error; once one has failed no
 *         other is begun
 *
 * Cost: some 20 microseconds a thread. Signals come to none of the threads that are made.
 */
parcast_status crew_run(size_t n, crew_task *task, void *context, parcast_error *error);

#endif
