/* Adding a run: one transaction over all its tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/internal.h"
#include "study/tables.h"

static const char *const what = "cannot add the run";

static parcast_status check_run(const parcast_run *run, parcast_error *error)
{
    if (!run->program || !run->program[0])
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the run has no program");
    for (size_t i = 0; i < run->n_profiles; i++) {
        int node = run->ranks[i].node;
        if (node < 0 || (size_t)node >= run->n_nodes)
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "rank %d is on node %d of %zu",
                                     run->ranks[i].rank, node, run->n_nodes);
    }
    return PARCAST_OK;
}

/* Waiting and imbalance of the whole run, so that a list of runs need not read the profiles. Spawned ranks do
 * another work than those that the run is about. */
static void summarize(const parcast_run *run, double *wait_s, double *imbalance_ratio)
{
    double wait = 0, compute = 0, longest = 0, n = 0;
    for (size_t i = 0; i < run->n_profiles; i++) {
        const parcast_rank_profile *profile = &run->ranks[i];
        if (profile->spawned && !run->ranks[0].spawned) continue;
        wait += profile->wait_s;
        compute += profile->compute_s;
        longest = fmax(longest, profile->compute_s);
        n++;
    }
    *wait_s = n > 0 ? wait / n : NAN;
    *imbalance_ratio = compute > 0 ? longest * n / compute : NAN;
}

/* "INSERT INTO table (keys, columns) VALUES (?, ...)" with n_keys leading keys named in `keys`. */
static parcast_status prepare_insert(const parcast_study *study, const study_table *table, const char *keys,
                                     int n_keys, sqlite3_stmt **statement, parcast_error *error)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT INTO %s (%s", table->name, keys);
    study_columns_names(sql, table);
    sqlite3_str_appendall(sql, ") VALUES (?");
    for (int i = 1; i < n_keys; i++) sqlite3_str_appendall(sql, ", ?");
    study_columns_marks(sql, table);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    if (!text) return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    parcast_status status = study_prepare(study, text, what, statement, error);
    sqlite3_free(text);
    return status;
}

static parcast_status insert_object(const parcast_study *study, sqlite3_stmt *statement, int n_keys,
                                    const study_table *table, const void *object, parcast_error *error)
{
    int rc = study_columns_bind(statement, n_keys + 1, table, object);
    if (rc != SQLITE_OK) return study_fail(study, rc, what, error);
    return study_run_statement(study, statement, what, error);
}

static parcast_status insert_run(const parcast_study *study, const parcast_run *run, int64_t problem_id,
                                 int64_t *run_id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_run copy = *run; /* with the summary, which the caller sees only after success */
    summarize(run, &copy.wait_s, &copy.imbalance_ratio);
    parcast_status status = prepare_insert(study, &study_run_table, "problem_id", 1, &statement, error);
    if (!status) {
        sqlite3_bind_int64(statement, 1, problem_id);
        status = insert_object(study, statement, 1, &study_run_table, &copy, error);
    }
    if (!status) *run_id = sqlite3_last_insert_rowid(study->db);
    sqlite3_finalize(statement);
    return status;
}

/* Objects of one structure after the other, keyed by the run and their position. */
static parcast_status insert_numbered(const parcast_study *study, const study_table *table, const char *keys,
                                      int64_t run_id, const void *objects, size_t n, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = prepare_insert(study, table, keys, 2, &statement, error);
    for (size_t i = 0; i < n && !status; i++) {
        sqlite3_bind_int64(statement, 1, run_id);
        sqlite3_bind_int64(statement, 2, (int64_t)i);
        status = insert_object(study, statement, 2, table, (const char *)objects + i * table->size, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static parcast_status insert_items(const parcast_study *study, sqlite3_stmt *statement,
                                   const study_table *table, const parcast_rank_profile *profile,
                                   parcast_error *error)
{
    const char *items = NULL;
    size_t n = 0;
    memcpy(&items, (const char *)profile + table->array_offset, sizeof items);
    memcpy(&n, (const char *)profile + table->count_offset, sizeof n);
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n && !status; i++) {
        sqlite3_bind_int64(statement, 3, (int64_t)i);
        status = insert_object(study, statement, 3, table, items + i * table->size, error);
    }
    return status;
}

static parcast_status insert_arrays(const parcast_study *study, const study_table *table,
                                    const parcast_run *run, int64_t run_id, parcast_error *error)
{
    sqlite3_stmt *statement = NULL;
    parcast_status status = prepare_insert(study, table, "run_id, profile_no, item_no", 3, &statement, error);
    for (size_t i = 0; i < run->n_profiles && !status; i++) {
        sqlite3_bind_int64(statement, 1, run_id);
        sqlite3_bind_int64(statement, 2, (int64_t)i);
        status = insert_items(study, statement, table, &run->ranks[i], error);
    }
    sqlite3_finalize(statement);
    return status;
}

static parcast_status insert_everything(const parcast_study *study, const parcast_run *run,
                                        int64_t *problem_id, int64_t *run_id, parcast_error *error)
{
    parcast_status status =
        study_problem_of(study, run->program, run->arguments, run->n_arguments, problem_id, error);
    if (!status) status = insert_run(study, run, *problem_id, run_id, error);
    if (!status)
        status = insert_numbered(study, &study_node_table, "run_id, node_no", *run_id, run->nodes,
                                 run->n_nodes, error);
    if (!status)
        status = insert_numbered(study, &study_rank_table, "run_id, profile_no", *run_id, run->ranks,
                                 run->n_profiles, error);
    for (size_t i = 0; i < STUDY_N_ARRAYS && !status; i++)
        status = insert_arrays(study, &study_array_tables[i], run, *run_id, error);
    return status;
}

/* All runs in the open transaction; ids [2 * n_runs] receives problem and run of each. */
static parcast_status insert_all(const parcast_study *study, const parcast_run *runs, size_t n_runs,
                                 int64_t *ids, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n_runs && !status; i++) {
        status = check_run(&runs[i], error);
        if (!status) status = insert_everything(study, &runs[i], &ids[2 * i], &ids[2 * i + 1], error);
    }
    return status;
}

parcast_status parcast_study_add_runs(parcast_study *study, parcast_run *runs, size_t n_runs,
                                      parcast_error *error)
{
    int64_t *ids = calloc(2 * n_runs + 1, sizeof *ids);
    if (!ids) return parcast_error_set(error, PARCAST_MEMORY, study->path, 0, "out of memory");
    parcast_status status = study_exec(study, "BEGIN IMMEDIATE", what, error);
    if (status) goto free_ids;
    status = insert_all(study, runs, n_runs, ids, error);
    if (!status) status = study_exec(study, "COMMIT", what, error);
    study_rollback(study);
    for (size_t i = 0; i < n_runs && !status; i++) {
        runs[i].problem_id = ids[2 * i];
        runs[i].id = ids[2 * i + 1];
        summarize(&runs[i], &runs[i].wait_s, &runs[i].imbalance_ratio);
    }
free_ids:
    free(ids);
    return status;
}

parcast_status parcast_study_add_run(parcast_study *study, parcast_run *run, parcast_error *error)
{
    return parcast_study_add_runs(study, run, 1, error);
}
