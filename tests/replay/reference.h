/**
 * LogGOPS by the rules alone, as slow as they read: all pending events in a list, the first by (date,
 * sequence) taken each time, and what finds its CPU or interface busy put back with the date at which that is
 * free.
 */
#ifndef PARCAST_TESTS_REPLAY_REFERENCE_H
#define PARCAST_TESTS_REPLAY_REFERENCE_H

#include <stdint.h>

#include "parcast/goal.h"

enum { REFERENCE_MOST = 4096 };

struct reference_operation {
    parcast_goal_operation is;
    int rank;
};

struct reference_dependence {
    int later, earlier; /* operations of one rank */
    int started;
};

struct reference_program {
    int n_ranks, n_operations, n_dependences;
    struct reference_operation operations[REFERENCE_MOST]; /* rank by rank, ascending */
    struct reference_dependence dependences[REFERENCE_MOST];
};

/** Parameters in ns and ns per byte. */
struct reference_parameters {
    int64_t L, o, g, G, O, S;
};

/** End of every rank [ns]. Returns the number of operations that are not done: 0 unless it is a deadlock. */
int reference_run(const struct reference_program *program, const struct reference_parameters *parameters,
                  int64_t *end_ns);

#endif
