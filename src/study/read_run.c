/* Reading runs: the list, and one run with the arrays of its profiles that are wanted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/internal.h"
#include "study/tables.h"

static const char *const what = "cannot read the study";

static parcast_status no_memory(const parcast_study *study, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
}

/* Room for one more zeroed item at the end of an array that doubles; NULL when memory is out. */
static void *append(void **items, size_t n, size_t size)
{
    if ((n & (n - 1)) == 0) { /* 0 or a power of two: full */
        size_t room = n ? 2 * n : 1;
        void *larger = room <= SIZE_MAX / size ? realloc(*items, room * size) : NULL;
        if (!larger) return NULL;
        *items = larger;
    }
    return memset((char *)*items + n * size, 0, size);
}

static parcast_status read_columns(const parcast_study *study, sqlite3_stmt *statement, int first,
                                   const study_table *table, void *object, parcast_error *error)
{
    const char *bad = NULL;
    int rc = study_columns_read(statement, first, table, object, &bad);
    if (rc == SQLITE_MISMATCH) return study_damaged(study, table->name, bad, error);
    return rc == SQLITE_OK ? PARCAST_OK : no_memory(study, error);
}

/* "SELECT <keys>, columns FROM <from> <rest>" */
static parcast_status prepare_select(const parcast_study *study, const study_table *table, const char *keys,
                                     const char *rest, sqlite3_stmt **statement, parcast_error *error)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "SELECT %s", keys);
    study_columns_names(sql, table);
    sqlite3_str_appendf(sql, " FROM %s %s", table->name, rest);
    char *text = sqlite3_str_finish(sql);
    if (!text) return no_memory(study, error);
    parcast_status status = study_prepare(study, text, what, statement, error);
    sqlite3_free(text);
    return status;
}

static size_t count_texts(const char *packed, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) n += packed[i] == '\0';
    return n;
}

static parcast_status read_arguments(const parcast_study *study, sqlite3_stmt *statement, int column,
                                     parcast_run *run, parcast_error *error)
{
    const char *packed = sqlite3_column_blob(statement, column);
    size_t size = (size_t)sqlite3_column_bytes(statement, column);
    if (size > 0 && (!packed || packed[size - 1] != '\0'))
        return study_damaged(study, "problem", "arguments", error);
    size_t n = count_texts(packed, size);
    run->arguments = calloc(n + 1, sizeof *run->arguments);
    if (!run->arguments) return no_memory(study, error);
    for (; run->n_arguments < n; run->n_arguments++) {
        run->arguments[run->n_arguments] = strdup(packed);
        if (!run->arguments[run->n_arguments]) return no_memory(study, error);
        packed += strlen(packed) + 1;
    }
    return PARCAST_OK;
}

enum { RUN_ID, RUN_PROBLEM, RUN_PROGRAM, RUN_ARGUMENTS, RUN_FIRST_COLUMN };
#define RUN_KEYS "run_id, problem_id, program, arguments"

static parcast_status read_run_row(const parcast_study *study, sqlite3_stmt *statement, parcast_run *run,
                                   parcast_error *error)
{
    run->id = sqlite3_column_int64(statement, RUN_ID);
    run->problem_id = sqlite3_column_int64(statement, RUN_PROBLEM);
    const char *program = (const char *)sqlite3_column_text(statement, RUN_PROGRAM);
    if (!program) return study_damaged(study, "run", "problem_id", error);
    run->program = strdup(program);
    if (!run->program) return no_memory(study, error);
    parcast_status status = read_arguments(study, statement, RUN_ARGUMENTS, run, error);
    if (!status) status = read_columns(study, statement, RUN_FIRST_COLUMN, &study_run_table, run, error);
    return status;
}

static parcast_status read_nodes(const parcast_study *study, parcast_run *run, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = prepare_select(study, &study_node_table, "node_no",
                                           "WHERE run_id = ? ORDER BY node_no", &statement, error);
    if (!status) sqlite3_bind_int64(statement, 1, run->id);
    for (bool row = true; !status;) {
        status = study_next_row(study, statement, what, &row, error);
        if (status || !row) break;
        if (sqlite3_column_int64(statement, 0) != (int64_t)run->n_nodes) {
            status = study_damaged(study, study_node_table.name, "node_no", error);
            break;
        }
        void *nodes = run->nodes;
        parcast_run_node *node = append(&nodes, run->n_nodes, sizeof *node);
        run->nodes = nodes;
        if (!node) {
            status = no_memory(study, error);
            break;
        }
        run->n_nodes++;
        status = read_columns(study, statement, 1, &study_node_table, node, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static parcast_status read_list(const parcast_study *study, int64_t problem_id, parcast_run_list *list,
                                parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status =
        prepare_select(study, &study_run_table, RUN_KEYS,
                       "LEFT JOIN problem USING (problem_id) WHERE ?1 = 0 OR problem_id = ?1 ORDER BY run_id",
                       &statement, error);
    if (!status) sqlite3_bind_int64(statement, 1, problem_id);
    for (bool row = true; !status;) {
        status = study_next_row(study, statement, what, &row, error);
        if (status || !row) break;
        void *runs = list->runs;
        parcast_run *run = append(&runs, list->n_runs, sizeof *run);
        list->runs = runs;
        if (!run) {
            status = no_memory(study, error);
            break;
        }
        list->n_runs++;
        status = read_run_row(study, statement, run, error);
        if (!status) status = read_nodes(study, run, error);
    }
    sqlite3_finalize(statement);
    return status;
}

parcast_status parcast_study_list(parcast_study *study, int64_t problem_id, parcast_run_list *list,
                                  parcast_error *error)
{
    parcast_run_list read = {0};
    parcast_status status = study_exec(study, "BEGIN", what, error);
    if (!status) status = read_list(study, problem_id, &read, error);
    study_rollback(study);
    if (status)
        parcast_run_list_clear(&read);
    else
        *list = read;
    return status;
}

parcast_status parcast_study_latest_problem(parcast_study *study, int64_t *problem_id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status =
        study_prepare(study, "SELECT problem_id FROM run WHERE complete = 1 ORDER BY run_id DESC LIMIT 1",
                      what, &statement, error);
    if (!status) status = study_next_row(study, statement, what, &row, error);
    if (!status && row) *problem_id = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    if (status || row) return status;
    parcast_error_set(error, PARCAST_DATA, study->path, 0, "the study holds no complete run");
    parcast_error_hint(error, "'parcast record -s %s -n 1,2,4 -- PROGRAM' adds some", study->path);
    return PARCAST_DATA;
}

static parcast_status read_ranks(const parcast_study *study, parcast_run *run, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = prepare_select(study, &study_rank_table, "profile_no",
                                           "WHERE run_id = ? ORDER BY profile_no", &statement, error);
    if (!status) sqlite3_bind_int64(statement, 1, run->id);
    for (bool row = true; !status;) {
        status = study_next_row(study, statement, what, &row, error);
        if (status || !row) break;
        if (sqlite3_column_int64(statement, 0) != (int64_t)run->n_profiles) {
            status = study_damaged(study, study_rank_table.name, "profile_no", error);
            break;
        }
        void *ranks = run->ranks;
        parcast_rank_profile *profile = append(&ranks, run->n_profiles, sizeof *profile);
        run->ranks = ranks;
        if (!profile) {
            status = no_memory(study, error);
            break;
        }
        run->n_profiles++;
        status = read_columns(study, statement, 1, &study_rank_table, profile, error);
        if (!status && (size_t)profile->node >= run->n_nodes)
            status = study_damaged(study, study_rank_table.name, "node", error);
    }
    sqlite3_finalize(statement);
    return status;
}

/* One row of an array into the profile that it belongs to. */
static parcast_status read_item(const parcast_study *study, sqlite3_stmt *statement, const study_table *table,
                                const parcast_run *run, parcast_error *error)
{
    int64_t profile_no = sqlite3_column_int64(statement, 0);
    if (profile_no < 0 || (size_t)profile_no >= run->n_profiles)
        return study_damaged(study, table->name, "profile_no", error);
    char *profile = (char *)&run->ranks[profile_no];
    void *items = NULL;
    size_t n = 0;
    memcpy(&items, profile + table->array_offset, sizeof items);
    memcpy(&n, profile + table->count_offset, sizeof n);
    void *item = append(&items, n, table->size);
    memcpy(profile + table->array_offset, &items, sizeof items);
    if (!item) return no_memory(study, error);
    n++;
    memcpy(profile + table->count_offset, &n, sizeof n);
    return read_columns(study, statement, 1, table, item, error);
}

static parcast_status read_array(const parcast_study *study, const study_table *table, const parcast_run *run,
                                 parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = prepare_select(
        study, table, "profile_no", "WHERE run_id = ? ORDER BY profile_no, item_no", &statement, error);
    if (!status) sqlite3_bind_int64(statement, 1, run->id);
    for (bool row = true; !status;) {
        status = study_next_row(study, statement, what, &row, error);
        if (status || !row) break;
        status = read_item(study, statement, table, run, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static parcast_status no_such_run(const parcast_study *study, int64_t run_id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status = study_prepare(
        study, "SELECT group_concat(run_id, ', ') FROM (SELECT run_id FROM run ORDER BY run_id)", what,
        &statement, error);
    if (!status) status = study_next_row(study, statement, what, &row, error);
    if (!status) {
        const char *ids = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        status = parcast_error_set(error, PARCAST_NOT_FOUND, study->path, 0,
                                   ids ? "there is no run %lld; there are %.300s"
                                       : "there is no run %lld: the study holds none",
                                   (long long)run_id, ids);
    }
    sqlite3_finalize(statement);
    return status;
}

static parcast_status read_one(const parcast_study *study, int64_t run_id, unsigned parts, parcast_run *run,
                               parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    parcast_status status =
        prepare_select(study, &study_run_table, RUN_KEYS,
                       "LEFT JOIN problem USING (problem_id) WHERE run_id = ?", &statement, error);
    if (!status) sqlite3_bind_int64(statement, 1, run_id);
    if (!status) status = study_next_row(study, statement, what, &row, error);
    if (!status && row) status = read_run_row(study, statement, run, error);
    if (!status && !row) status = no_such_run(study, run_id, error);
    sqlite3_finalize(statement);
    if (!status) status = read_nodes(study, run, error);
    if (!status) status = read_ranks(study, run, error);
    for (size_t i = 0; i < STUDY_N_ARRAYS && !status; i++)
        if (parts & study_array_tables[i].part)
            status = read_array(study, &study_array_tables[i], run, error);
    return status;
}

parcast_status parcast_study_run_parts(parcast_study *study, int64_t run_id, unsigned parts,
                                       parcast_run **run, parcast_error *error)
{
    parcast_run *read = calloc(1, sizeof *read);
    if (!read) return no_memory(study, error);
    parcast_status status = study_exec(study, "BEGIN", what, error);
    if (!status) status = read_one(study, run_id, parts, read, error);
    study_rollback(study);
    if (status)
        parcast_run_destroy(&read);
    else
        *run = read;
    return status;
}

parcast_status parcast_study_run(parcast_study *study, int64_t run_id, parcast_run **run,
                                 parcast_error *error)
{
    return parcast_study_run_parts(study, run_id, PARCAST_PART_ALL, run, error);
}
