/** Which algorithm a collective takes in a replay. */
#ifndef PARCAST_REPLAY_CHOOSE_H
#define PARCAST_REPLAY_CHOOSE_H

#include "parcast/replay.h"
#include "replay/schedules.h"

enum choose_table { CHOOSE_NAIVE, CHOOSE_MPICH, CHOOSE_OPENMPI };

struct choice {
    enum choose_table table;
    enum schedule_algorithm forced[PARCAST_COLLECTIVES]; /**< SCHEDULE_ALGORITHMS: by the table */
    char substituted[160]; /**< the first algorithm that another one stands for; empty if none */
};

/** PARCAST_INVALID: no such table or algorithm; the hint lists those that there are. */
parcast_status choose_create(struct choice *choice, const parcast_replay_options *options,
                             const parcast_platform *platform, parcast_error *error);

/** The algorithm for an operation on n ranks. */
enum schedule_algorithm choose_algorithm(struct choice *choice, const parcast_operation *operation,
                                         uint32_t n_ranks);

#endif
