/* Results (forecasts, plans) as JSON, and fitted constants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/internal.h"

static parcast_status check_problem(const parcast_study *study, int64_t problem_id, const char *what,
                                    parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status =
        study_prepare(study, "SELECT 1 FROM problem WHERE problem_id = ?", what, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, problem_id);
        status = study_next_row(study, statement, what, &row, error);
    }
    sqlite3_finalize(statement);
    if (!status && !row)
        return parcast_error_set(error, PARCAST_INVALID, study->path, 0, "there is no problem %lld",
                                 (long long)problem_id);
    return status;
}

parcast_status parcast_study_add_result(parcast_study *study, int64_t problem_id, const char *kind,
                                        const char *json, parcast_error *error)
{
    static const char what[] = "cannot keep the result";
    sqlite3_stmt *statement = NULL;
    parcast_status status = check_problem(study, problem_id, what, error);
    if (!status)
        status = study_prepare(study,
                               "INSERT INTO result (problem_id, kind, made_at, json) VALUES (?, ?, "
                               "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)",
                               what, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, problem_id);
        sqlite3_bind_text(statement, 2, kind, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, json, -1, SQLITE_STATIC);
        status = study_run_statement(study, statement, what, error);
    }
    sqlite3_finalize(statement);
    return status;
}

parcast_status parcast_study_latest_result(parcast_study *study, int64_t problem_id, const char *kind,
                                           char **json, parcast_error *error)
{
    static const char what[] = "cannot read the result";
    sqlite3_stmt *statement = NULL;
    bool row = false;
    char *copy = NULL;
    parcast_status status = study_prepare(
        study, "SELECT json FROM result WHERE problem_id = ? AND kind = ? ORDER BY result_id DESC LIMIT 1",
        what, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, problem_id);
        sqlite3_bind_text(statement, 2, kind, -1, SQLITE_STATIC);
        status = study_next_row(study, statement, what, &row, error);
    }
    if (!status && !row)
        status = parcast_error_set(error, PARCAST_NOT_FOUND, study->path, 0, "the study holds no %s", kind);
    if (!status) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        copy = text ? strdup(text) : NULL;
        if (!copy) status = parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    }
    sqlite3_finalize(statement);
    if (!status) *json = copy;
    return status;
}

void parcast_study_results_free(char ***json, size_t n)
{
    for (size_t i = 0; i < n && *json; i++) free((*json)[i]);
    free(*json);
    *json = NULL;
}

/* Append a copy of a text to a list that grows by doubling: its capacity is the next power of two. */
static bool append_copy(char ***list, size_t *n, const char *text)
{
    if ((*n & (*n - 1)) == 0) {
        char **grown = realloc(*list, (*n ? 2 * *n : 1) * sizeof **list);
        if (!grown) return false;
        *list = grown;
    }
    char *copy = text ? strdup(text) : NULL;
    if (copy) (*list)[(*n)++] = copy;
    return copy != NULL;
}

parcast_status parcast_study_results(parcast_study *study, int64_t problem_id, const char *kind, size_t limit,
                                     char ***json, size_t *n, parcast_error *error)
{
    static const char what[] = "cannot read the results";
    sqlite3_stmt *statement = NULL;
    char **texts = NULL;
    size_t n_texts = 0;
    bool row = false;
    parcast_status status = study_prepare(study,
                                          "SELECT json FROM (SELECT result_id, json FROM result WHERE "
                                          "(problem_id = ?1 OR ?1 = 0) AND kind = ?2 "
                                          "ORDER BY result_id DESC LIMIT ?3) ORDER BY result_id",
                                          what, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, problem_id);
        sqlite3_bind_text(statement, 2, kind, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 3, limit < INT64_MAX ? (int64_t)limit : INT64_MAX);
        status = study_next_row(study, statement, what, &row, error);
    }
    while (!status && row) {
        if (!append_copy(&texts, &n_texts, (const char *)sqlite3_column_text(statement, 0)))
            status = parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
        if (!status) status = study_next_row(study, statement, what, &row, error);
    }
    sqlite3_finalize(statement);
    if (status) {
        parcast_study_results_free(&texts, n_texts);
        return status;
    }
    *json = texts;
    *n = n_texts;
    return PARCAST_OK;
}

static void bind_constant(sqlite3_stmt *statement, int64_t problem_id, const char *engine, const char *name)
{
    sqlite3_bind_int64(statement, 1, problem_id);
    sqlite3_bind_text(statement, 2, engine, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, name, -1, SQLITE_STATIC);
}

parcast_status parcast_study_set_constant(parcast_study *study, int64_t problem_id, const char *engine,
                                          const char *name, double value, parcast_error *error)
{
    static const char what[] = "cannot keep the constant";
    sqlite3_stmt *statement = NULL;
    if (isnan(value))
        return parcast_error_set(error, PARCAST_INVALID, study->path, 0, "constant '%s' is not a number",
                                 name);
    parcast_status status = check_problem(study, problem_id, what, error);
    if (!status)
        status = study_prepare(
            study, "INSERT OR REPLACE INTO constant (problem_id, engine, name, value) VALUES (?, ?, ?, ?)",
            what, &statement, error);
    if (!status) {
        bind_constant(statement, problem_id, engine, name);
        sqlite3_bind_double(statement, 4, value);
        status = study_run_statement(study, statement, what, error);
    }
    sqlite3_finalize(statement);
    return status;
}

parcast_status parcast_study_constant(parcast_study *study, int64_t problem_id, const char *engine,
                                      const char *name, double *value, parcast_error *error)
{
    static const char what[] = "cannot read the constant";
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status =
        study_prepare(study, "SELECT value FROM constant WHERE problem_id = ? AND engine = ? AND name = ?",
                      what, &statement, error);
    if (!status) {
        bind_constant(statement, problem_id, engine, name);
        status = study_next_row(study, statement, what, &row, error);
    }
    if (!status && row) *value = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    if (!status && !row)
        return parcast_error_set(error, PARCAST_NOT_FOUND, study->path, 0,
                                 "constant '%s' of engine '%s' is not known", name, engine);
    return status;
}
