/** Events by chance, for tests that write and read them. */
#ifndef TEST_RANDOM_TRACE_H
#define TEST_RANDOM_TRACE_H

#include "parcast/trace.h"

/** A random number below n; the same sequence on every machine. */
uint64_t random_below(uint64_t *state, uint64_t n);

/** Numbers that an event points to. */
struct event_room {
    int64_t numbers[6][16];
};

/** Any event that a trace of n_comms communicators, n_functions functions and n_sites sites may hold. */
void random_event(uint64_t *state, size_t n_comms, size_t n_functions, size_t n_sites,
                  parcast_trace_event *event, struct event_room *room);

/** Are the events alike but for their times? */
bool same_event(const parcast_trace_event *a, const parcast_trace_event *b);

#endif
