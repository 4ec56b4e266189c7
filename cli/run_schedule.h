/** Sizes that the user forces: --schedule 0:2,10:4,20:2. */
#ifndef PARCAST_CLI_RUN_SCHEDULE_H
#define PARCAST_CLI_RUN_SCHEDULE_H

#include "parcast/supervisor.h"

struct schedule_step {
    int64_t iteration;
    int nodes;
};
struct schedule {
    struct schedule_step *steps; /* [n], iterations ascend from 0 */
    size_t n;
};

/** Read a list; PARCAST_INVALID says what is wrong with it. free() the steps. */
parcast_status schedule_read(const char *text, struct schedule *schedule, parcast_error *error);

/** Refuses sizes that are not within --nodes. */
parcast_status schedule_check(const struct schedule *schedule, int min_nodes, int max_nodes,
                              parcast_error *error);

/** The size that a state should have, or the next one and when it is due. */
void schedule_wish(const struct schedule *schedule, const parcast_supervised *state, parcast_wish *wish);

#endif
