/**
 * What the files of the study share.
 */
#ifndef PARCAST_STUDY_INTERNAL_H
#define PARCAST_STUDY_INTERNAL_H

#include <sqlite3.h>

#include "parcast/study.h"

struct parcast_study {
    sqlite3 *db;
    char *path;      /* as given, for messages */
    int64_t version; /* of the schema of the file */
};

/* PRAGMA application_id ("Pcst") and user_version of a study. */
enum { STUDY_APPLICATION_ID = 0x50637374, STUDY_SCHEMA_VERSION = 2 };

/** Describe an SQLite failure: what was tried ("cannot add a run") and why. */
parcast_status study_fail(const parcast_study *study, int rc, const char *what, parcast_error *error);

/** Describe contents that no parcast has written. */
parcast_status study_damaged(const parcast_study *study, const char *table, const char *column,
                             parcast_error *error);

parcast_status study_exec(const parcast_study *study, const char *sql, const char *what,
                          parcast_error *error);
parcast_status study_prepare(const parcast_study *study, const char *sql, const char *what,
                             sqlite3_stmt **statement, parcast_error *error);
/** Run a statement that returns no rows, and make it ready for the next. */
parcast_status study_run_statement(const parcast_study *study, sqlite3_stmt *statement, const char *what,
                                   parcast_error *error);
/** Step to the next row: *row is false at the end. */
parcast_status study_next_row(const parcast_study *study, sqlite3_stmt *statement, const char *what,
                              bool *row, parcast_error *error);

/** Undo the open transaction, if there is one. */
void study_rollback(const parcast_study *study);

/** Make the tables in an empty database, in the caller's transaction. */
parcast_status study_schema_create(const parcast_study *study, parcast_error *error);
/** Bring the tables of an older study up to date, in the caller's transaction. */
parcast_status study_schema_upgrade(const parcast_study *study, parcast_error *error);
/** Check that a database is a study that this version can use; notes its version. */
parcast_status study_schema_check(parcast_study *study, parcast_error *error);

/** A study in memory, from the bytes of a file, for tests of the reader. */
parcast_status study_open_bytes(const void *bytes, size_t size, parcast_study **study, parcast_error *error);

/**
 * Arguments of a problem as one text: each ends with a zero byte.
 * @param[out] size of the text; 0 without arguments, and *packed is then still allocated
 */
parcast_status study_pack_arguments(char *const *arguments, size_t n, char **packed, size_t *size,
                                    parcast_error *error);

/** Number of a program with its arguments, a new one if the study does not have it yet. */
parcast_status study_problem_of(const parcast_study *study, const char *program, char *const *arguments,
                                size_t n_arguments, int64_t *id, parcast_error *error);

#endif
