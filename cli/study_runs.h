/**
 * The runs that a command works on: those named with --runs, or all complete ones of the latest problem.
 */
#ifndef PARCAST_CLI_STUDY_RUNS_H
#define PARCAST_CLI_STUDY_RUNS_H

#include <stdint.h>

#include "parcast/recorded.h"
#include "parcast/study.h"

struct cli_runs {
    parcast_run *runs; /**< [n_runs] with profiles */
    size_t n_runs;
    int64_t problem_id;
};

/** ids: list of run numbers, NULL for the latest problem. Runs of different problems are refused. */
parcast_status cli_runs_load(const char *study_path, const char *ids, struct cli_runs *runs,
                             parcast_error *error);
void cli_runs_clear(struct cli_runs *runs);

/** The traces of the runs, for engine `replay`; release them with parcast_recorded_traces_free. */
parcast_status cli_traces_load(const char *study_path, const struct cli_runs *runs,
                               parcast_recorded_trace **traces, size_t *n, parcast_error *error);

/** The latest elastic run of a problem that came to its end, as parcast.run/1; NULL: none. free() it. */
char *cli_latest_elastic_run(parcast_study *study, int64_t problem_id);

#endif
