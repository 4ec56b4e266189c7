/* Problems: a program with its arguments. */
#include <stdlib.h>

#include "study/internal.h"

static const char *const what = "cannot add the problem";

static parcast_status find_problem(const parcast_study *study, const char *program, const char *packed,
                                   size_t size, int64_t *id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status = study_prepare(
        study, "SELECT problem_id FROM problem WHERE program = ? AND arguments = ?", what, &statement, error);
    if (!status) {
        sqlite3_bind_text(statement, 1, program, -1, SQLITE_STATIC);
        sqlite3_bind_blob64(statement, 2, packed, size, SQLITE_STATIC);
        status = study_next_row(study, statement, what, &row, error);
    }
    if (!status && row) *id = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

static parcast_status insert_problem(const parcast_study *study, const char *program, const char *packed,
                                     size_t size, int64_t *id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = study_prepare(study, "INSERT INTO problem (program, arguments) VALUES (?, ?)",
                                          what, &statement, error);
    if (!status) {
        sqlite3_bind_text(statement, 1, program, -1, SQLITE_STATIC);
        sqlite3_bind_blob64(statement, 2, packed, size, SQLITE_STATIC);
        status = study_run_statement(study, statement, what, error);
    }
    if (!status) *id = sqlite3_last_insert_rowid(study->db);
    sqlite3_finalize(statement);
    return status;
}

parcast_status study_problem_of(const parcast_study *study, const char *program, char *const *arguments,
                                size_t n_arguments, int64_t *id, parcast_error *error)
{
    char *packed = NULL;
    size_t size = 0;
    *id = 0;
    parcast_status status = study_pack_arguments(arguments, n_arguments, &packed, &size, error);
    if (!status) status = find_problem(study, program, packed, size, id, error);
    if (!status && *id == 0) status = insert_problem(study, program, packed, size, id, error);
    free(packed);
    return status;
}

parcast_status parcast_study_problem(parcast_study *study, const char *program, char *const *arguments,
                                     size_t n_arguments, int64_t *problem_id, parcast_error *error)
{
    int64_t id = 0;
    if (!program[0]) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the problem has no program");
    parcast_status status = study_problem_of(study, program, arguments, n_arguments, &id, error);
    if (!status) *problem_id = id;
    return status;
}
