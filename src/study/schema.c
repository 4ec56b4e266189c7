/* The schema: tables made from the column lists, and the few that mirror no structure. docs/formats/study.md.
 */
#include <stdlib.h>
#include <string.h>

#include "study/internal.h"
#include "study/tables.h"

struct fixed_table {
    const char *name, *sql;
    int64_t since; /* version of the schema, 0: the first */
};

static const struct fixed_table before[] = {
    {"problem",
     "CREATE TABLE problem (problem_id INTEGER PRIMARY KEY AUTOINCREMENT, program TEXT NOT NULL, "
     "arguments BLOB NOT NULL, UNIQUE (program, arguments)) STRICT",
     0},
};
static const struct fixed_table after[] = {
    {"result",
     "CREATE TABLE result (result_id INTEGER PRIMARY KEY AUTOINCREMENT, problem_id INTEGER NOT NULL "
     "REFERENCES problem, kind TEXT NOT NULL, made_at TEXT NOT NULL, json TEXT NOT NULL) STRICT",
     0},
    {"constant",
     "CREATE TABLE constant (problem_id INTEGER NOT NULL REFERENCES problem, engine TEXT NOT NULL, "
     "name TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (problem_id, engine, name)) STRICT, "
     "WITHOUT ROWID",
     0},
    {"trace",
     "CREATE TABLE trace (run_id INTEGER PRIMARY KEY REFERENCES run, file TEXT NOT NULL, bytes INTEGER NOT "
     "NULL, "
     "checksum TEXT NOT NULL, n_events INTEGER NOT NULL, gaps TEXT) STRICT",
     2},
};
enum { N_BEFORE = sizeof before / sizeof before[0], N_AFTER = sizeof after / sizeof after[0] };
enum { N_MIRRORS = 3 + STUDY_N_ARRAYS, N_TABLES = N_BEFORE + N_MIRRORS + N_AFTER };

static const study_table *mirror(size_t i)
{
    if (i == 0) return &study_run_table;
    if (i == 1) return &study_node_table;
    if (i == 2) return &study_rank_table;
    return &study_array_tables[i - 3];
}

static char *create_statement(const study_table *table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "CREATE TABLE %s (%s", table->name, table->keys);
    for (size_t i = 0; i < table->n_columns; i++)
        sqlite3_str_appendf(sql, ", \"%w\" %s", table->columns[i].name,
                            study_column_type(table->columns[i].kind));
    sqlite3_str_appendf(sql, "%s) STRICT%s", table->tail ? table->tail : "",
                        table->tail ? ", WITHOUT ROWID" : "");
    return sqlite3_str_finish(sql);
}

/* Name and statement of table i in the order of creation, and the version that added it; free the statement
 * with sqlite3_free. */
static const char *table_statement(size_t i, char **sql, int64_t *since)
{
    const struct fixed_table *fixed = NULL;
    if (i < N_BEFORE)
        fixed = &before[i];
    else if (i >= N_BEFORE + N_MIRRORS)
        fixed = &after[i - N_BEFORE - N_MIRRORS];
    *since = fixed ? fixed->since : 0;
    *sql = fixed ? sqlite3_mprintf("%s", fixed->sql) : create_statement(mirror(i - N_BEFORE));
    return fixed ? fixed->name : mirror(i - N_BEFORE)->name;
}

static parcast_status no_memory(const parcast_study *study, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
}

/* The tables that a version added, and the number of the newest. */
static parcast_status add_tables(const parcast_study *study, int64_t version, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < N_TABLES && !status; i++) {
        char *sql = NULL;
        int64_t since;
        table_statement(i, &sql, &since);
        if (since >= version)
            status = sql ? study_exec(study, sql, "cannot make the study", error) : no_memory(study, error);
        sqlite3_free(sql);
    }
    if (status) return status;
    char *pragmas = sqlite3_mprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
                                    STUDY_APPLICATION_ID, STUDY_SCHEMA_VERSION);
    status = pragmas ? study_exec(study, pragmas, "cannot make the study", error) : no_memory(study, error);
    sqlite3_free(pragmas);
    return status;
}

parcast_status study_schema_create(const parcast_study *study, parcast_error *error)
{
    return add_tables(study, 0, error);
}

static parcast_status pragma_value(const parcast_study *study, const char *sql, int64_t *value,
                                   parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status = study_prepare(study, sql, "cannot read the study", &statement, error);
    if (!status) status = study_next_row(study, statement, "cannot read the study", &row, error);
    if (!status) *value = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

/* A database of another program is left as it is, the check behind says so. */
parcast_status study_schema_upgrade(const parcast_study *study, parcast_error *error)
{
    int64_t id = 0, version = 0;
    parcast_status status = pragma_value(study, "PRAGMA application_id", &id, error);
    if (!status) status = pragma_value(study, "PRAGMA user_version", &version, error);
    if (status || id != STUDY_APPLICATION_ID || version < 1 || version >= STUDY_SCHEMA_VERSION) return status;
    return add_tables(study, version + 1, error);
}

static parcast_status check_versions(parcast_study *study, parcast_error *error)
{
    int64_t id = 0, version = 0;
    parcast_status status = pragma_value(study, "PRAGMA application_id", &id, error);
    if (!status) status = pragma_value(study, "PRAGMA user_version", &version, error);
    if (status) return status;
    if (id != STUDY_APPLICATION_ID) {
        parcast_error_set(error, PARCAST_FORMAT, study->path, 0,
                          "is an SQLite database, but not a study of parcast");
        parcast_error_hint(error,
                           "give another file name: 'parcast record -s NAME.parcast' makes a new study");
        return PARCAST_FORMAT;
    }
    if (version > STUDY_SCHEMA_VERSION) {
        parcast_error_set(
            error, PARCAST_FORMAT, study->path, 0,
            "was written by a newer parcast: its schema is version %lld, this one knows up to %d",
            (long long)version, STUDY_SCHEMA_VERSION);
        parcast_error_hint(error, "use that newer parcast, or start a new study");
        return PARCAST_FORMAT;
    }
    if (version < 1)
        return parcast_error_set(error, PARCAST_FORMAT, study->path, 0,
                                 "has no schema version: it is damaged or was changed by another program");
    study->version = version;
    return PARCAST_OK;
}

/* A table with other columns, or a view of that name, would not hold what the readers expect. */
static parcast_status check_table(const parcast_study *study, sqlite3_stmt *statement, const char *name,
                                  const char *expected, parcast_error *error)
{
    bool row = false;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    parcast_status status = study_next_row(study, statement, "cannot read the study", &row, error);
    if (status) return status;
    const char *sql = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (!sql || strcmp(sql, expected) != 0)
        status = parcast_error_set(error, PARCAST_FORMAT, study->path, 0,
                                   "table '%s' is %s: the study is damaged or was changed by another program",
                                   name, sql ? "not as its schema version has it" : "missing");
    sqlite3_reset(statement);
    return status;
}

parcast_status study_schema_check(parcast_study *study, parcast_error *error)
{
    parcast_status status = check_versions(study, error);
    if (status) return status;
    sqlite3_stmt *statement = NULL;
    status = study_prepare(study, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
                           "cannot read the study", &statement, error);
    for (size_t i = 0; i < N_TABLES && !status; i++) {
        char *sql = NULL;
        int64_t since;
        const char *name = table_statement(i, &sql, &since);
        if (since <= study->version)
            status = sql ? check_table(study, statement, name, sql, error) : no_memory(study, error);
        sqlite3_free(sql);
    }
    sqlite3_finalize(statement);
    return status;
}
