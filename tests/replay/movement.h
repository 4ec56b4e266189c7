/*
 * What collectives move: all ranks' schedules are run against each other, and every byte is followed. A byte
 * is the set of ranks whose contribution it has.
 */
#ifndef PARCAST_TESTS_REPLAY_MOVEMENT_H
#define PARCAST_TESTS_REPLAY_MOVEMENT_H

#include "replay/schedules.h"

enum { MOVEMENT_RANKS = 17, MOVEMENT_BYTES = 512 };

struct movement {
    parcast_collective collective;
    struct schedule_plan plan;
    uint32_t n, root;
    int64_t bytes, element_bytes;
    const int64_t *counts; /* [n] */
    const struct schedule_nodes *nodes;
};

/* Run it; on a mistake the test fails and says what it was. */
void movement_check(const struct movement *movement);

#endif
