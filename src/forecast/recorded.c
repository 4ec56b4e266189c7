/* The trace of a recorded run, ready to be replayed on a platform. */
#include "parcast/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/forecast.h"
#include "parcast/trace_operations.h"

struct parcast_recording {
    const char *mpi; /* of the run, lent; NULL: not known */
    double *node_speed;
    size_t n_nodes;
    parcast_trace *trace;
    parcast_trace_operations *operations;
};

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a recorded trace");
}

/* ---- of a study ---- */

static char *path_beside(const char *study, const char *file)
{
    const char *slash = strrchr(study, '/');
    char *path = NULL;
    return asprintf(&path, "%.*s%s", slash ? (int)(slash - study) + 1 : 0, study, file) < 0 ? NULL : path;
}

void parcast_recorded_trace_clear(parcast_recorded_trace *trace)
{
    parcast_run_destroy(&trace->run);
    parcast_study_trace_clear(&trace->file);
    free(trace->path);
    *trace = (parcast_recorded_trace){0};
}

parcast_status parcast_recorded_trace_load(parcast_study *study, const char *path, int64_t run_id,
                                           parcast_recorded_trace *trace, parcast_error *error)
{
    parcast_recorded_trace found = {0};
    parcast_status status = parcast_study_trace(study, run_id, &found.file, error);
    if (!status) status = parcast_study_run_parts(study, run_id, 0, &found.run, error);
    if (!status && !(found.path = path_beside(path, found.file.file))) status = no_memory(error);
    if (status)
        parcast_recorded_trace_clear(&found);
    else
        *trace = found;
    return status;
}

void parcast_recorded_traces_free(parcast_recorded_trace **traces, size_t n)
{
    for (size_t i = 0; *traces && i < n; i++) parcast_recorded_trace_clear(&(*traces)[i]);
    free(*traces);
    *traces = NULL;
}

parcast_status parcast_recorded_traces_load(parcast_study *study, const char *path, const parcast_run *runs,
                                            size_t n_runs, parcast_recorded_trace **traces, size_t *n,
                                            parcast_error *error)
{
    size_t found = 0;
    parcast_recorded_trace *list = calloc(n_runs + 1, sizeof *list);
    if (!list) return no_memory(error);
    for (size_t i = 0; i < n_runs; i++) {
        parcast_error own = {.code = PARCAST_OK};
        parcast_status status = parcast_recorded_trace_load(study, path, runs[i].id, &list[found], &own);
        if (status == PARCAST_NOT_FOUND) continue;
        if (status) {
            parcast_recorded_traces_free(&list, found);
            if (error) *error = own;
            return status;
        }
        found++;
    }
    *traces = list;
    *n = found;
    return PARCAST_OK;
}

/* ---- open ---- */

/* A file that was replaced since would tell of another run. */
static parcast_status check_file(const parcast_recorded_trace *recorded, parcast_trace *trace,
                                 parcast_error *error)
{
    parcast_trace_info info;
    parcast_trace_get_info(trace, &info);
    if (info.cut || (info.file_bytes == recorded->file.bytes && info.checksum == recorded->file.checksum))
        return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, recorded->path, 0,
                      "this is not the trace that was recorded as run %lld", (long long)recorded->run->id);
    parcast_error_hint(error, "to replay it all the same, name the trace instead of the study");
    return PARCAST_DATA;
}

static parcast_status compare_speeds(parcast_recording *r, const parcast_run *run, parcast_platform *platform,
                                     parcast_error *error)
{
    r->n_nodes = run->n_nodes;
    if (!platform) return PARCAST_OK;
    r->node_speed = calloc(run->n_nodes + 1, sizeof *r->node_speed);
    if (!r->node_speed) return no_memory(error);
    parcast_forecast_node_speeds(run, platform, r->node_speed);
    return PARCAST_OK;
}

/* recorded NULL: a trace alone. */
static parcast_status open_recording(const char *path, const parcast_recorded_trace *recorded,
                                     parcast_trace_mode mode, parcast_platform *platform,
                                     parcast_recording **recording, parcast_error *error)
{
    parcast_recording *r = calloc(1, sizeof *r);
    if (!r) return no_memory(error);
    parcast_status status = parcast_trace_open(path, mode, &r->trace, error);
    if (!status && recorded) {
        r->mpi = recorded->run->mpi;
        status = check_file(recorded, r->trace, error);
        if (!status) status = compare_speeds(r, recorded->run, platform, error);
    }
    if (!status)
        status = parcast_trace_operations_create(r->trace, r->node_speed, r->n_nodes, &r->operations, error);
    if (status)
        parcast_recording_close(&r);
    else
        *recording = r;
    return status;
}

parcast_status parcast_recording_open(const parcast_recorded_trace *trace, parcast_trace_mode mode,
                                      parcast_platform *platform, parcast_recording **recording,
                                      parcast_error *error)
{
    return open_recording(trace->path, trace, mode, platform, recording, error);
}

parcast_status parcast_recording_open_file(const char *path, parcast_trace_mode mode,
                                           parcast_recording **recording, parcast_error *error)
{
    return open_recording(path, NULL, mode, NULL, recording, error);
}

parcast_operation_source parcast_recording_source(parcast_recording *recording)
{
    parcast_operation_source source = parcast_trace_operations_source(recording->operations);
    if (!source.mpi) source.mpi = recording->mpi; /* a trace of before it was kept there */
    return source;
}

const parcast_trace *parcast_recording_trace(const parcast_recording *recording)
{
    return recording->trace;
}

void parcast_recording_close(parcast_recording **recording)
{
    parcast_recording *r = *recording;
    if (!r) return;
    parcast_trace_operations_destroy(&r->operations);
    parcast_trace_close(&r->trace);
    free(r->node_speed);
    free(r);
    *recording = NULL;
}
