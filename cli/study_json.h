/** Runs of a study as JSON, parcast.study/1: what `show` and `record` print with --json. */
#ifndef PARCAST_CLI_STUDY_JSON_H
#define PARCAST_CLI_STUDY_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "parcast/study.h"

/** What cli_study_add_run needs of the profiles: PARCAST_PART_X. */
unsigned cli_study_parts(bool details);

/** The object with the program and no runs. `program` may be NULL: none. */
json_t *cli_study_json(const char *program);

/**
 * Append a run; with details also message sizes, matrix, collectives, call sites and phases.
 * @return PARCAST_OK or PARCAST_MEMORY
 */
parcast_status cli_study_add_run(json_t *study, const parcast_run *run, bool details, parcast_error *error);

/** Say of the run that was appended last which trace it has, if it has one. */
parcast_status cli_study_add_trace(json_t *json, parcast_study *study, int64_t run_id, parcast_error *error);

#endif
