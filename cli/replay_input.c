#include "replay_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/recorded.h"
#include "parcast/ti.h"
#include "parcast/trace_text.h"

struct replay_input {
    const struct cli_common *common;
    bool again;
    parcast_trace_mode mode;
    parcast_ti *ti;
    parcast_recorded_trace recorded; /* of a study */
    parcast_recording *recording;
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

/* Scores are of use only beside the score of the nodes that the trace was recorded on, which a study keeps.
 */
static void warn_of_speeds(const struct replay_input *in, const parcast_platform *platform)
{
    if (parcast_trace_about(parcast_recording_trace(in->recording))->unit == PARCAST_TRACE_FLOP) return;
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

static parcast_status latest_traced(struct replay_input *in, parcast_study *study, const char *path,
                                    parcast_error *error)
{
    parcast_run_list list;
    parcast_error none = {0};
    parcast_status status = parcast_study_list(study, 0, &list, error);
    if (status) return status;
    status = PARCAST_NOT_FOUND;
    for (size_t i = list.n_runs; i > 0 && status == PARCAST_NOT_FOUND; i--)
        status = parcast_recorded_trace_load(study, path, list.runs[i - 1].id, &in->recorded, &none);
    parcast_run_list_clear(&list);
    if (status && status != PARCAST_NOT_FOUND) {
        if (error) *error = none;
    } else if (status) {
        parcast_error_set(error, status, path, 0, "no run of the study has a trace");
        parcast_error_hint(error, "'parcast record --trace' keeps one");
    }
    return status;
}

static void tell_gaps(const struct replay_input *in)
{
    for (const char *line = in->recorded.file.gaps; line && *line;) {
        size_t length = strcspn(line, "\n");
        cli_warn(in->common, "%s: %.*s", in->recorded.path, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static parcast_status find_trace(struct replay_input *in, const char *path, int64_t id, parcast_error *error)
{
    parcast_study *study;
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = id ? parcast_recorded_trace_load(study, path, id, &in->recorded, error)
                : latest_traced(in, study, path, error);
    parcast_study_close(&study);
    return status;
}

static parcast_status open_study(struct replay_input *in, const char *path, int64_t id,
                                 parcast_platform *platform, parcast_error *error)
{
    parcast_status status = find_trace(in, path, id, error);
    if (!status) status = parcast_recording_open(&in->recorded, in->mode, platform, &in->recording, error);
    if (status || in->again) return status;
    const parcast_run *run = in->recorded.run;
    tell_gaps(in);
    cli_note(in->common, "run %lld of %s: %d ranks, recorded in %.6g s", (long long)run->id, run->program,
             run->n_ranks, run->time_s);
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
    parcast_status status = parcast_recording_open_file(path, in->mode, &in->recording, error);
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
    return in->ti ? parcast_ti_source(in->ti) : parcast_recording_source(in->recording);
}

void replay_close(struct replay_input **input)
{
    struct replay_input *in = *input;
    if (!in) return;
    parcast_recording_close(&in->recording);
    parcast_recorded_trace_clear(&in->recorded);
    parcast_ti_destroy(&in->ti);
    free(in);
    *input = NULL;
}
