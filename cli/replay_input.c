#include "replay_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/forecast.h"
#include "parcast/study.h"
#include "parcast/ti.h"
#include "parcast/trace_operations.h"
#include "parcast/trace_text.h"

struct replay_input {
    const struct cli_common *common;
    bool again;
    parcast_trace_mode mode;
    parcast_ti *ti;
    parcast_study *study;
    parcast_run *run;
    parcast_study_trace_file file;
    char *path; /* of the trace of a study */
    double *node_speed;
    parcast_trace *trace;
    parcast_trace_operations *operations;
};

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}

static bool is_study(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "";
    FILE *file = fopen(path, "re");
    bool is = file && fread(start, sizeof start, 1, file) == 1 && memcmp(start, magic, sizeof magic) == 0;
    if (file) fclose(file);
    return is;
}

parcast_status replay_detect(const char *path, enum replay_format *format, parcast_error *error)
{
    parcast_trace_format held;
    parcast_status status = parcast_trace_detect(path, &held, error);
    if (status) return status;
    *format = held == PARCAST_TRACE_OWN    ? REPLAY_OWN
              : held == PARCAST_TRACE_GOAL ? REPLAY_GOAL
              : is_study(path)             ? REPLAY_STUDY
                                           : REPLAY_TI;
    return PARCAST_OK;
}

/* ---- a trace of parcast ---- */

static parcast_status open_operations(struct replay_input *in, const char *path, parcast_error *error)
{
    size_t n_nodes = in->run ? in->run->n_nodes : 0;
    parcast_status status = PARCAST_OK;
    if (!in->trace) status = parcast_trace_open(path, in->mode, &in->trace, error);
    if (status) return status;
    return parcast_trace_operations_create(in->trace, in->node_speed, n_nodes, &in->operations, error);
}

/* Scores are of use only beside the score of the nodes that the trace was recorded on, which a study keeps.
 */
static void warn_of_speeds(const struct replay_input *in, const parcast_platform *platform)
{
    if (parcast_trace_about(in->trace)->unit == PARCAST_TRACE_FLOP) return;
    for (size_t t = 0; platform && t < platform->n_types; t++) {
        const parcast_node_type *type = &platform->types[t];
        if (type->speed_given || !(type->calibration > 0)) continue;
        cli_warn(in->common,
                 "a trace alone does not say how fast the nodes were that it was recorded on: node type '%s' "
                 "is taken to be as fast; replay the study to compare them",
                 type->name);
        return;
    }
}

/* ---- of a study ---- */

static parcast_status latest_traced(struct replay_input *in, const char *path, int64_t *id,
                                    parcast_error *error)
{
    parcast_run_list list;
    parcast_error none = {0};
    parcast_status status = parcast_study_list(in->study, 0, &list, error);
    if (status) return status;
    status = PARCAST_NOT_FOUND;
    for (size_t i = list.n_runs; i > 0 && status == PARCAST_NOT_FOUND; i--) {
        *id = list.runs[i - 1].id;
        status = parcast_study_trace(in->study, *id, &in->file, &none);
    }
    parcast_run_list_clear(&list);
    if (status && status != PARCAST_NOT_FOUND) {
        if (error) *error = none;
    } else if (status) {
        parcast_error_set(error, status, path, 0, "no run of the study has a trace");
        parcast_error_hint(error, "'parcast record --trace' keeps one");
    }
    return status;
}

static char *path_beside(const char *study, const char *file)
{
    const char *slash = strrchr(study, '/');
    char *path = NULL;
    return asprintf(&path, "%.*s%s", slash ? (int)(slash - study) + 1 : 0, study, file) < 0 ? NULL : path;
}

/* A file that was replaced since would tell of another run. */
static parcast_status check_file(const struct replay_input *in, parcast_error *error)
{
    parcast_trace_info info;
    parcast_trace_get_info(in->trace, &info);
    if (info.cut || (info.file_bytes == in->file.bytes && info.checksum == in->file.checksum))
        return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, in->path, 0, "this is not the trace that was recorded as run %lld",
                      (long long)in->run->id);
    parcast_error_hint(error, "to replay it all the same, name the trace instead of the study");
    return PARCAST_DATA;
}

static void tell_gaps(const struct replay_input *in)
{
    for (const char *line = in->file.gaps; line && *line;) {
        size_t length = strcspn(line, "\n");
        cli_warn(in->common, "%s: %.*s", in->path, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static parcast_status find_trace(struct replay_input *in, const char *path, int64_t id, parcast_error *error)
{
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &in->study, error);
    if (!status && id) status = parcast_study_trace(in->study, id, &in->file, error);
    if (!status && !id) status = latest_traced(in, path, &id, error);
    if (!status) status = parcast_study_run_parts(in->study, id, 0, &in->run, error);
    if (status) return status;
    in->path = path_beside(path, in->file.file);
    return in->path ? PARCAST_OK : no_memory(error);
}

static parcast_status compare_speeds(struct replay_input *in, parcast_platform *platform,
                                     parcast_error *error)
{
    if (!platform) return PARCAST_OK;
    in->node_speed = calloc(in->run->n_nodes + 1, sizeof *in->node_speed);
    if (!in->node_speed) return no_memory(error);
    parcast_forecast_node_speeds(in->run, platform, in->node_speed);
    return PARCAST_OK;
}

static parcast_status open_study(struct replay_input *in, const char *path, int64_t run,
                                 parcast_platform *platform, parcast_error *error)
{
    parcast_status status = find_trace(in, path, run, error);
    if (!status) status = parcast_trace_open(in->path, in->mode, &in->trace, error);
    if (!status) status = check_file(in, error);
    if (!status) status = compare_speeds(in, platform, error);
    if (!status) status = open_operations(in, in->path, error);
    if (status || in->again) return status;
    tell_gaps(in);
    cli_note(in->common, "run %lld of %s: %d ranks, recorded in %.6g s", (long long)in->run->id,
             in->run->program, in->run->n_ranks, in->run->time_s);
    return PARCAST_OK;
}

/* ---- */

static parcast_status open_ti(struct replay_input *in, const char *path, parcast_error *error)
{
    parcast_status status = parcast_ti_load(path, &in->ti, error);
    if (!status && !in->again && parcast_ti_warning(in->ti))
        cli_warn(in->common, "%s: %s", path, parcast_ti_warning(in->ti));
    return status;
}

static parcast_status open_trace(struct replay_input *in, const char *path, const parcast_platform *platform,
                                 parcast_error *error)
{
    parcast_status status = open_operations(in, path, error);
    if (!status && !in->again) warn_of_speeds(in, platform);
    return status;
}

parcast_status replay_open(const struct replay_choice *choice, const char *path, enum replay_format format,
                           parcast_platform *platform, struct replay_input **input, parcast_error *error)
{
    int64_t run = choice->run;
    if (run && format != REPLAY_STUDY)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--run belongs to a study, and '%s' is none", path);
    struct replay_input *in = calloc(1, sizeof *in);
    if (!in) return no_memory(error);
    in->common = choice->common;
    in->again = choice->again;
    in->mode = choice->cut ? PARCAST_TRACE_UP_TO_CUT : PARCAST_TRACE_WHOLE;
    parcast_status status = format == REPLAY_STUDY ? open_study(in, path, run, platform, error)
                            : format == REPLAY_TI  ? open_ti(in, path, error)
                                                   : open_trace(in, path, platform, error);
    if (status)
        replay_close(&in);
    else
        *input = in;
    return status;
}

parcast_operation_source replay_source(struct replay_input *in)
{
    if (in->ti) return parcast_ti_source(in->ti);
    parcast_operation_source source = parcast_trace_operations_source(in->operations);
    if (!source.mpi && in->run) source.mpi = in->run->mpi; /* a trace of before it was kept there */
    return source;
}

void replay_close(struct replay_input **input)
{
    struct replay_input *in = *input;
    if (!in) return;
    parcast_trace_operations_destroy(&in->operations);
    parcast_trace_close(&in->trace);
    parcast_study_trace_clear(&in->file);
    parcast_run_destroy(&in->run);
    parcast_study_close(&in->study);
    parcast_ti_destroy(&in->ti);
    free(in->node_speed);
    free(in->path);
    free(in);
    *input = NULL;
}
