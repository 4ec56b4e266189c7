#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/internal.h"

enum { BUSY_WAIT_MS = 10000 };

static parcast_status classify(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
    case SQLITE_SCHEMA:
        return PARCAST_FORMAT;
    case SQLITE_CONSTRAINT: /* only what the caller wants to add */
        return PARCAST_INVALID;
    case SQLITE_NOMEM:
        return PARCAST_MEMORY;
    case SQLITE_TOOBIG:
        return PARCAST_LIMIT;
    default:
        return PARCAST_IO;
    }
}

static const char *reason(const parcast_study *study, int rc)
{
    int system_error = study->db ? sqlite3_system_errno(study->db) : 0;
    switch (rc & 0xff) {
    case SQLITE_NOTADB:
        return "it is not a study of parcast";
    case SQLITE_CORRUPT:
        return "the file is damaged";
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process is writing to it";
    case SQLITE_READONLY:
        return "it cannot be written to";
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        if (system_error == ENOSPC || system_error == EDQUOT) return "the disk is full";
        return system_error ? strerror(system_error) : sqlite3_errstr(rc);
    default:
        return study->db ? sqlite3_errmsg(study->db) : sqlite3_errstr(rc);
    }
}

static void add_hint(int rc, parcast_error *error)
{
    switch (rc & 0xff) {
    case SQLITE_NOTADB:
        parcast_error_hint(error,
                           "give another file name: 'parcast record -s NAME.parcast' makes a new study");
        break;
    case SQLITE_CORRUPT:
        parcast_error_hint(error, "'sqlite3 FILE .recover' saves what can still be read");
        break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        parcast_error_hint(error,
                           "the study and its directory must be writable: SQLite keeps a journal beside it");
        break;
    default:
        break;
    }
}

parcast_status study_fail(const parcast_study *study, int rc, const char *what, parcast_error *error)
{
    parcast_status status =
        parcast_error_set(error, classify(rc), study->path, 0, "%s: %s", what, reason(study, rc));
    add_hint(rc, error);
    return status;
}

parcast_status study_damaged(const parcast_study *study, const char *table, const char *column,
                             parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, study->path, 0,
                             "the study is damaged: table '%s' holds an impossible '%s'", table, column);
}

parcast_status study_exec(const parcast_study *study, const char *sql, const char *what, parcast_error *error)
{
    int rc = sqlite3_exec(study->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? PARCAST_OK : study_fail(study, rc, what, error);
}

parcast_status study_prepare(const parcast_study *study, const char *sql, const char *what,
                             sqlite3_stmt **statement, parcast_error *error)
{
    int rc = sqlite3_prepare_v2(study->db, sql, -1, statement, NULL);
    return rc == SQLITE_OK ? PARCAST_OK : study_fail(study, rc, what, error);
}

parcast_status study_run_statement(const parcast_study *study, sqlite3_stmt *statement, const char *what,
                                   parcast_error *error)
{
    int rc = sqlite3_step(statement);
    parcast_status status = rc == SQLITE_DONE ? PARCAST_OK : study_fail(study, rc, what, error);
    sqlite3_reset(statement);
    return status;
}

parcast_status study_next_row(const parcast_study *study, sqlite3_stmt *statement, const char *what,
                              bool *row, parcast_error *error)
{
    int rc = sqlite3_step(statement);
    *row = rc == SQLITE_ROW;
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? PARCAST_OK : study_fail(study, rc, what, error);
}

void study_rollback(const parcast_study *study)
{
    if (!sqlite3_get_autocommit(study->db)) sqlite3_exec(study->db, "ROLLBACK", NULL, NULL, NULL);
}

/* SQLite gives "" and ":memory:" a meaning of their own, and so might a later version to other names. */
static char *database_name(const char *path)
{
    char *name = NULL;
    if (asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0) return NULL;
    return name;
}

static parcast_status create_handle(const char *path, parcast_study **study, parcast_error *error)
{
    parcast_study *made = calloc(1, sizeof *made);
    if (made) made->path = strdup(path);
    if (!made || !made->path) {
        free(made);
        parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
        return PARCAST_MEMORY;
    }
    *study = made;
    return PARCAST_OK;
}

/* Foreign files may hold anything: no triggers, views or functions of theirs are run. */
static void configure(sqlite3 *db)
{
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, BUSY_WAIT_MS);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
}

static parcast_status open_database(parcast_study *study, int flags, parcast_error *error)
{
    char *name = database_name(study->path);
    if (!name) return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    int rc = sqlite3_open_v2(name, &study->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    free(name);
    if (rc != SQLITE_OK) return study_fail(study, rc, "cannot open the study", error);
    configure(study->db);
    return PARCAST_OK;
}

/*
 * A writer that was killed leaves a journal, and the file is not sound until that was rolled back, which a
 * reader may not do: then, and only then, a reader opens the file for writing, lets SQLite undo the
 * unfinished change, and closes it again.
 */
static void recover_killed_writer(parcast_study *study)
{
    int rc = sqlite3_exec(study->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    if (rc != SQLITE_READONLY_ROLLBACK && rc != SQLITE_READONLY_RECOVERY) return;
    char *name = database_name(study->path);
    sqlite3 *writer = NULL;
    if (name && sqlite3_open_v2(name, &writer, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(writer, BUSY_WAIT_MS);
        sqlite3_exec(writer, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    }
    sqlite3_close(writer);
    free(name);
}

static parcast_status open_for_reading(parcast_study *study, parcast_error *error)
{
    parcast_status status = open_database(study, SQLITE_OPEN_READONLY, error);
    if (status) return status;
    recover_killed_writer(study);
    return study_schema_check(study, error);
}

/* Empty: no table and no owner. Two processes may make the same study at once; the second finds the tables
 * made. */
static parcast_status create_if_empty(parcast_study *study, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status =
        study_prepare(study,
                      "SELECT count(*) + (SELECT application_id FROM pragma_application_id) "
                      "+ (SELECT user_version FROM pragma_user_version) FROM sqlite_schema",
                      "cannot open the study", &statement, error);
    if (!status) status = study_next_row(study, statement, "cannot open the study", &row, error);
    bool empty = row && sqlite3_column_int64(statement, 0) == 0;
    sqlite3_finalize(statement);
    if (status || !empty) return status;
    return study_schema_create(study, error);
}

/* Touching the first page opens the journal: a directory or a disk that cannot take it shows now. */
static parcast_status try_writing(parcast_study *study, parcast_error *error)
{
    char *sql = sqlite3_mprintf("PRAGMA user_version = %d", STUDY_SCHEMA_VERSION);
    if (!sql) return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    parcast_status status = study_exec(study, "BEGIN IMMEDIATE", "cannot write to the study", error);
    if (!status) status = study_exec(study, sql, "cannot write to the study", error);
    study_rollback(study);
    sqlite3_free(sql);
    return status;
}

static parcast_status open_for_writing(parcast_study *study, parcast_error *error)
{
    parcast_status status = open_database(study, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    if (status) return status;
    status =
        study_exec(study, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE", "cannot write to the study", error);
    if (!status) status = create_if_empty(study, error);
    if (!status) status = study_schema_upgrade(study, error);
    if (!status) status = study_exec(study, "COMMIT", "cannot make the study", error);
    study_rollback(study);
    if (!status) status = study_schema_check(study, error);
    if (!status) status = try_writing(study, error);
    return status;
}

static parcast_status check_file(const char *path, parcast_study_mode mode, bool *missing,
                                 parcast_error *error)
{
    struct stat file;
    *missing = stat(path, &file) != 0;
    if (*missing && errno != ENOENT)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open the study: %s", strerror(errno));
    if (*missing && mode == PARCAST_STUDY_READ) {
        parcast_error_set(error, PARCAST_NOT_FOUND, path, 0, "there is no such study");
        parcast_error_hint(error, "'parcast record -s %s -- PROGRAM' makes one", path);
        return PARCAST_NOT_FOUND;
    }
    if (!*missing && !S_ISREG(file.st_mode))
        return parcast_error_set(error, PARCAST_FORMAT, path, 0, "is not a file, so it is no study");
    if (!*missing && mode == PARCAST_STUDY_READ && file.st_size == 0)
        return parcast_error_set(error, PARCAST_FORMAT, path, 0, "is an empty file, not a study");
    return PARCAST_OK;
}

parcast_status parcast_study_open(const char *path, parcast_study_mode mode, parcast_study **study,
                                  parcast_error *error)
{
    bool missing = false;
    parcast_study *opened = NULL;
    if (!path[0]) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the name of the study is empty");
    parcast_status status = check_file(path, mode, &missing, error);
    if (!status) status = create_handle(path, &opened, error);
    if (status) return status;
    status = mode == PARCAST_STUDY_READ ? open_for_reading(opened, error) : open_for_writing(opened, error);
    if (status) {
        parcast_study_close(&opened);
        struct stat left;
        if (missing && stat(path, &left) == 0 && left.st_size == 0) unlink(path);
        return status;
    }
    *study = opened;
    return PARCAST_OK;
}

parcast_status study_open_bytes(const void *bytes, size_t size, parcast_study **study, parcast_error *error)
{
    parcast_study *opened = NULL;
    parcast_status status = create_handle("memory", &opened, error);
    if (status) return status;
    unsigned char *copy = sqlite3_malloc64(size ? size : 1);
    if (!copy || sqlite3_open(":memory:", &opened->db) != SQLITE_OK) {
        sqlite3_free(copy);
        parcast_study_close(&opened);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    }
    memcpy(copy, bytes, size);
    configure(opened->db);
    int rc = sqlite3_deserialize(opened->db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                                 SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
    status =
        rc == SQLITE_OK ? study_schema_check(opened, error) : study_fail(opened, rc, "cannot open", error);
    if (status)
        parcast_study_close(&opened);
    else
        *study = opened;
    return status;
}

void parcast_study_close(parcast_study **study)
{
    if (!study || !*study) return;
    sqlite3_close((*study)->db);
    free((*study)->path);
    free(*study);
    *study = NULL;
}
