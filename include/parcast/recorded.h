/**
 * Recorded runs that can be replayed: a run of a study with the trace that `record --trace` has kept beside
 * it.
 *
 *   study ──parcast_recorded_traces_load──► runs with traces ──parcast_recording_open──► operations of a
 * replay └─parcast_replay_basis──► predictor of engine `replay`
 *
 * docs/models/replay.md, "Forecasts from replays".
 */
#ifndef PARCAST_RECORDED_H
#define PARCAST_RECORDED_H

#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/operation.h"
#include "parcast/platform.h"
#include "parcast/study.h"
#include "parcast/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A run and where its trace lies. */
typedef struct parcast_recorded_trace {
    parcast_run *run; /**< nodes and scalars of the ranks; without the arrays of their profiles */
    char *path;       /**< of the trace */
    parcast_study_trace_file file;
} parcast_recorded_trace;

/**
 * The trace of one run of a study.
 *
 * @param[in]  path   of the study, whose folder has the trace
 * @param[out] trace  release with parcast_recorded_trace_clear
 * @return PARCAST_OK; PARCAST_NOT_FOUND if there is no such run or it has no trace; PARCAST_IO,
 * PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_recorded_trace_load(parcast_study *study, const char *path, int64_t run_id,
                                                       parcast_recorded_trace *trace, parcast_error *error);
PARCAST_API void parcast_recorded_trace_clear(parcast_recorded_trace *trace);

/**
 * The traces of several runs, in their order. Runs without one are passed over: none at all is no error.
 *
 * @param[out] traces  [n] release with parcast_recorded_traces_free; untouched on failure
 */
PARCAST_API parcast_status parcast_recorded_traces_load(parcast_study *study, const char *path,
                                                        const parcast_run *runs, size_t n_runs,
                                                        parcast_recorded_trace **traces, size_t *n,
                                                        parcast_error *error);
PARCAST_API void parcast_recorded_traces_free(parcast_recorded_trace **traces, size_t n);

/** An open trace. */
typedef struct parcast_recording parcast_recording;

/**
 * Open the trace of a run to replay it.
 *
 * @param[in]     trace     lent, must outlive the recording
 * @param[in,out] platform  that it is to be replayed on, as for parcast_forecast_node_speeds; NULL: none
 * @param[out]    recording release with parcast_recording_close
 * @return PARCAST_OK; PARCAST_DATA (the file is not the one that was recorded; it ends early, or ranks were
 * lost, and mode is PARCAST_TRACE_WHOLE); what parcast_trace_open and parcast_trace_operations_create return
 */
PARCAST_API parcast_status parcast_recording_open(const parcast_recorded_trace *trace,
                                                  parcast_trace_mode mode, parcast_platform *platform,
                                                  parcast_recording **recording, parcast_error *error);

/** The same of a trace that belongs to no study: every node it was recorded on counts as speed 1. */
PARCAST_API parcast_status parcast_recording_open_file(const char *path, parcast_trace_mode mode,
                                                       parcast_recording **recording, parcast_error *error);

/** What parcast_replay_run takes; valid until the recording is closed. */
PARCAST_API parcast_operation_source parcast_recording_source(parcast_recording *recording);
/** The trace, lent. */
PARCAST_API const parcast_trace *parcast_recording_trace(const parcast_recording *recording);
PARCAST_API void parcast_recording_close(parcast_recording **recording);

/** What engine `replay` is made from, beside the runs. */
typedef struct parcast_replay_basis {
    const parcast_recorded_trace *traces; /**< [n_traces] in any order; must outlive the predictor */
    size_t n_traces;
} parcast_replay_basis;

#ifdef __cplusplus
}
#endif
#endif
