/* parcast record --trace: the events of the ranks become a file beside the study. */
#include "record_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trace_path(const char *study_path, int64_t run_id)
{
    static const char suffix[] = ".parcast";
    size_t length = strlen(study_path), cut = sizeof suffix - 1;
    char *path = NULL;
    if (length > cut && strcmp(study_path + length - cut, suffix) == 0 && study_path[length - cut - 1] != '/')
        length -= cut;
    return asprintf(&path, "%.*s.run%lld.trace", (int)length, study_path, (long long)run_id) < 0 ? NULL
                                                                                                 : path;
}

static char *base_name(char *path)
{
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void tell(const struct cli_common *common, const char *path, const parcast_trace_info *info,
                 const char *gaps)
{
    if (!common->quiet)
        fprintf(stderr, "parcast record: %llu events in %s: %.1f bytes each\n",
                (unsigned long long)info->n_events, path, (double)info->file_bytes / (double)info->n_events);
    for (const char *line = gaps; line && *line;) {
        size_t length = strcspn(line, "\n");
        cli_note(common, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

parcast_status cli_record_trace(const struct cli_common *common, const parcast_record_session *recording,
                                parcast_study *study, const char *study_path, const parcast_run *run,
                                parcast_error *error)
{
    parcast_trace_info info;
    char *gaps = NULL, *path = trace_path(study_path, run->id);
    if (!path) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_status status = parcast_record_collect_trace(recording, run, path, &info, &gaps, error);
    if (!status) {
        const parcast_study_trace_file file = {.file = base_name(path),
                                               .bytes = info.file_bytes,
                                               .checksum = info.checksum,
                                               .n_events = info.n_events,
                                               .gaps = gaps};
        status = parcast_study_add_trace(study, run->id, &file, error);
    }
    if (!status) tell(common, path, &info, gaps);
    free(gaps);
    free(path);
    return status;
}
