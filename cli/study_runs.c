#include "study_runs.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "parcast/units.h"

static parcast_status make_room(struct cli_runs *r, size_t n_runs, parcast_error *error)
{
    r->runs = calloc(n_runs + 1, sizeof *r->runs);
    if (r->runs) return PARCAST_OK;
    parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
    return PARCAST_MEMORY;
}

static parcast_status load_run(parcast_study *study, int64_t id, struct cli_runs *r, parcast_error *error)
{
    parcast_run *run;
    parcast_status status = parcast_study_run(study, id, &run, error);
    if (status) return status;
    r->runs[r->n_runs++] = *run; /* the array owns the contents now */
    free(run);
    return PARCAST_OK;
}

static parcast_status load_listed(parcast_study *study, const char *path, const char *text,
                                  struct cli_runs *r, parcast_error *error)
{
    int *ids;
    size_t n;
    parcast_status status = parcast_units_list(text, &ids, &n, error);
    if (status) return status;
    status = make_room(r, n, error);
    for (size_t i = 0; i < n && !status; i++) status = load_run(study, ids[i], r, error);
    free(ids);
    if (status) return status;
    r->problem_id = r->runs[0].problem_id;
    for (size_t i = 1; i < r->n_runs; i++)
        if (r->runs[i].problem_id != r->problem_id)
            return parcast_error_set(error, PARCAST_DATA, path, 0,
                                     "runs %lld and %lld are of different problems", (long long)r->runs[0].id,
                                     (long long)r->runs[i].id);
    return PARCAST_OK;
}

static parcast_status load_latest(parcast_study *study, struct cli_runs *r, parcast_error *error)
{
    parcast_run_list list;
    parcast_status status = parcast_study_latest_problem(study, &r->problem_id, error);
    if (!status) status = parcast_study_list(study, r->problem_id, &list, error);
    if (status) return status;
    status = make_room(r, list.n_runs, error);
    for (size_t i = 0; i < list.n_runs && !status; i++)
        if (list.runs[i].complete) status = load_run(study, list.runs[i].id, r, error);
    parcast_run_list_clear(&list);
    return status;
}

parcast_status cli_runs_load(const char *study_path, const char *ids, struct cli_runs *runs,
                             parcast_error *error)
{
    parcast_study *study;
    parcast_status status = parcast_study_open(study_path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = ids ? load_listed(study, study_path, ids, runs, error) : load_latest(study, runs, error);
    parcast_study_close(&study);
    return status;
}

parcast_status cli_traces_load(const char *study_path, const struct cli_runs *runs,
                               parcast_recorded_trace **traces, size_t *n, parcast_error *error)
{
    parcast_study *study;
    parcast_status status = parcast_study_open(study_path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = parcast_recorded_traces_load(study, study_path, runs->runs, runs->n_runs, traces, n, error);
    parcast_study_close(&study);
    return status;
}

/* Only a run that ended knows how many iterations there are. */
static bool came_to_its_end(const char *text)
{
    json_t *run = json_loads(text, 0, NULL);
    bool complete = run && !json_is_false(json_object_get(run, "complete"));
    json_decref(run);
    return complete;
}

char *cli_latest_elastic_run(parcast_study *study, int64_t problem_id)
{
    enum { LOOKS = 50 };
    char **all = NULL, *latest = NULL;
    size_t n = 0;
    parcast_error none = {0};
    if (parcast_study_results(study, problem_id, "parcast.run/1", LOOKS, &all, &n, &none) != PARCAST_OK)
        return NULL;
    for (size_t i = n; i-- > 0 && !latest;) {
        if (!came_to_its_end(all[i])) continue;
        latest = all[i];
        all[i] = NULL;
    }
    parcast_study_results_free(&all, n);
    return latest;
}

void cli_runs_clear(struct cli_runs *runs)
{
    for (size_t i = 0; i < runs->n_runs; i++) parcast_run_clear(&runs->runs[i]);
    free(runs->runs);
    *runs = (struct cli_runs){0};
}
