/* Which trace belongs to a run: its file beside the study, with size and checksum. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/internal.h"

enum { FIRST_WITH_TRACES = 2 };

parcast_status parcast_study_add_trace(parcast_study *study, int64_t run_id,
                                       const parcast_study_trace_file *trace, parcast_error *error)
{
    static const char what[] = "cannot keep which trace belongs to the run";
    sqlite3_stmt *statement = NULL;
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, trace->checksum);
    parcast_status status =
        study_prepare(study,
                      "INSERT OR REPLACE INTO trace (run_id, file, bytes, checksum, n_events, gaps) "
                      "VALUES (?, ?, ?, ?, ?, ?)",
                      what, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, run_id);
        sqlite3_bind_text(statement, 2, trace->file, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 3, (sqlite3_int64)trace->bytes);
        sqlite3_bind_text(statement, 4, checksum, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 5, (sqlite3_int64)trace->n_events);
        sqlite3_bind_text(statement, 6, trace->gaps, -1, SQLITE_STATIC);
        status = study_run_statement(study, statement, what, error);
    }
    sqlite3_finalize(statement);
    return status;
}

/* A name leads to the folder of the study and nowhere else. */
static bool is_plain_name(const char *file)
{
    return file && file[0] && !strchr(file, '/') && strcmp(file, "..") != 0;
}

static parcast_status read_trace(const parcast_study *study, sqlite3_stmt *row,
                                 parcast_study_trace_file *trace, parcast_error *error)
{
    const char *file = (const char *)sqlite3_column_text(row, 0),
               *gaps = (const char *)sqlite3_column_text(row, 4);
    const char *checksum = (const char *)sqlite3_column_text(row, 2);
    char *end = NULL;
    if (!is_plain_name(file)) return study_damaged(study, "trace", "file", error);
    parcast_study_trace_file made = {.bytes = (uint64_t)sqlite3_column_int64(row, 1),
                                     .n_events = (uint64_t)sqlite3_column_int64(row, 3)};
    made.checksum = checksum ? strtoull(checksum, &end, 16) : 0;
    if (!end || *end || strlen(checksum) != 16) return study_damaged(study, "trace", "checksum", error);
    made.file = strdup(file);
    made.gaps = gaps ? strdup(gaps) : NULL;
    if (!made.file || (gaps && !made.gaps)) {
        parcast_study_trace_clear(&made);
        return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    }
    *trace = made;
    return PARCAST_OK;
}

parcast_status parcast_study_trace(parcast_study *study, int64_t run_id, parcast_study_trace_file *trace,
                                   parcast_error *error)
{
    static const char what[] = "cannot read which trace belongs to the run";
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status = PARCAST_OK;
    if (study->version >= FIRST_WITH_TRACES) {
        status =
            study_prepare(study, "SELECT file, bytes, checksum, n_events, gaps FROM trace WHERE run_id = ?",
                          what, &statement, error);
        if (!status) sqlite3_bind_int64(statement, 1, run_id);
        if (!status) status = study_next_row(study, statement, what, &row, error);
    }
    if (!status && row) status = read_trace(study, statement, trace, error);
    sqlite3_finalize(statement);
    if (!status && !row) {
        parcast_error_set(error, PARCAST_NOT_FOUND, study->path, 0, "run %lld has no trace",
                          (long long)run_id);
        parcast_error_hint(error, "'parcast record --trace' keeps one");
        return PARCAST_NOT_FOUND;
    }
    return status;
}

void parcast_study_trace_clear(parcast_study_trace_file *trace)
{
    free(trace->file);
    free(trace->gaps);
    *trace = (parcast_study_trace_file){.file = NULL};
}
