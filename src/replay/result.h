/** Making results. */
#ifndef PARCAST_REPLAY_RESULT_H
#define PARCAST_REPLAY_RESULT_H

#include "network/loggops.h"
#include "parcast/replay.h"

/** A result for so many ranks, all zero; NULL when memory is short. */
parcast_replay_result *replay_result_create(int n_ranks);
/** One rank's line; time_s of the result follows. */
void replay_result_set(parcast_replay_result *result, int rank, int64_t end_ps, int64_t compute_ps,
                       int64_t waiting_ps);
/** The clock's and the process's figures; begin_s is what replay_wall said before the run. */
void replay_result_close(parcast_replay_result *result, double begin_s);
double replay_wall(void);

/** Public parameters to picoseconds; PARCAST_INVALID names the one that cannot be. */
parcast_status replay_loggops(const parcast_loggops *given, struct loggops_parameters *parameters,
                              parcast_error *error);

#endif
