/** One replay as `parcast replay` was asked for it. */
#ifndef PARCAST_CLI_REPLAY_JOB_H
#define PARCAST_CLI_REPLAY_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "cli.h"
#include "parcast/replay.h"
#include "replay_drawing.h"

/** The options as the user has written them; NULL: not. */
struct replay_request {
    struct cli_common common;
    char *run, *on, *place, *network, *loggops, *collectives, *speed, *latency, *bandwidth;
    char **algorithms;
    struct drawing_options drawing;
    int cut, oversubscribe, ideal, what_if, phases, matrix;
};

/** Begins with `given` and `again`; what else is in it comes from the functions below. */
struct replay_job {
    const struct replay_request *given;
    parcast_replay_options how;
    parcast_loggops loggops;
    bool with_loggops;
    int64_t run; /**< of a study; 0: not said */
    parcast_platform *platform;
    parcast_placement *placement;
    int *rank_node;
    int n_nodes;                      /**< in use; 0: not known */
    char *names[PARCAST_COLLECTIVES]; /**< of algorithms, owned */
    struct drawing drawing;
    parcast_replay_loop *loops;
    parcast_replay_observer observer;
    double begin_s, shown_s; /**< of the replay; when progress was shown last, 0: never */
    bool goal;
    bool again; /**< a what-if: warned and drawn was before */
};

/** What can be read without trace and platform (replay_options.c). PARCAST_INVALID. */
parcast_status replay_job_read(struct replay_job *job, parcast_error *error);
/** The platform, if there is one, and the parameters of LogGOPS, with the what-ifs on them. */
parcast_status replay_job_platform(struct replay_job *job, parcast_error *error);

/** Replay the trace at `path` (replay_job.c). */
parcast_status replay_job_run(struct replay_job *job, const char *path, parcast_replay_result **result,
                              parcast_error *error);
void replay_job_release(struct replay_job *job);

#endif
