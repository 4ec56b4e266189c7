/** The trace of a run that was just stored. */
#ifndef PARCAST_CLI_RECORD_TRACE_H
#define PARCAST_CLI_RECORD_TRACE_H

#include "cli.h"
#include "parcast/record.h"

/**
 * Write the trace beside the study, tell of it, and keep in the study which one it is.
 *
 * @param[in] study_path  as the user gave it; the trace is NAME.runN.trace for NAME.parcast
 */
parcast_status cli_record_trace(const struct cli_common *common, const parcast_record_session *recording,
                                parcast_study *study, const char *study_path, const parcast_run *run,
                                parcast_error *error);

#endif
