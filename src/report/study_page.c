/*
 * What a page shows, read from a study. Profiles are read only of the runs that are drawn.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { MAX_FORECASTS = 64 };

/* What was read, and what of it is to be released. */
struct study_content {
    parcast_run_list list;
    parcast_run **loaded; /* [n_loaded] runs with profiles */
    size_t n_loaded;
    parcast_run *shown; /* [list.n_runs] as the page takes them: from list, or from loaded */
    char **forecasts;
    size_t n_forecasts;
};

static void content_clear(struct study_content *content)
{
    for (size_t i = 0; i < content->n_loaded; i++) parcast_run_destroy(&content->loaded[i]);
    free(content->loaded);
    free(content->shown);
    parcast_study_results_free(&content->forecasts, content->n_forecasts);
    parcast_run_list_clear(&content->list);
}

/* Its latest complete run says what a study is about; without one the latest run; 0 when it is empty. */
static parcast_status find_problem(parcast_study *study, int64_t *problem, size_t *n_others,
                                   parcast_error *error)
{
    parcast_run_list all = {0};
    parcast_error none;
    *problem = 0;
    *n_others = 0;
    parcast_status status = parcast_study_list(study, 0, &all, error);
    if (status) return status;
    status = parcast_study_latest_problem(study, problem, &none);
    if (status == PARCAST_DATA && all.n_runs > 0) *problem = all.runs[all.n_runs - 1].problem_id;
    for (size_t i = 0; i < all.n_runs; i++) {
        bool first = all.runs[i].problem_id != *problem;
        for (size_t j = 0; j < i && first; j++) first = all.runs[j].problem_id != all.runs[i].problem_id;
        *n_others += first;
    }
    parcast_run_list_clear(&all);
    if (status == PARCAST_DATA) return PARCAST_OK;
    if (status && error) *error = none;
    return status;
}

/* The complete run with most ranks, which the page shows first. */
static size_t largest_run(const parcast_run_list *list)
{
    size_t largest = 0;
    for (size_t i = 1; i < list->n_runs; i++) {
        const parcast_run *run = &list->runs[i], *best = &list->runs[largest];
        bool recorded = run->source == PARCAST_RUN_RECORDED,
             best_recorded = best->source == PARCAST_RUN_RECORDED;
        if (recorded != best_recorded         ? recorded
            : run->complete != best->complete ? run->complete
                                              : run->n_ranks >= best->n_ranks)
            largest = i;
    }
    return largest;
}

static parcast_status load_profiles(parcast_study *study, struct study_content *content, parcast_error *error)
{
    size_t n = content->list.n_runs, largest = largest_run(&content->list);
    content->shown = calloc(n, sizeof *content->shown);
    content->loaded = calloc(n, sizeof(parcast_run *));
    if (!content->shown || !content->loaded)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    for (size_t i = n; i-- > 0;) {
        const parcast_run *run = &content->list.runs[i];
        content->shown[i] = *run;
        bool drawn = i == largest || content->n_loaded < PAGE_MAX_DRAWN_RUNS;
        if (run->source != PARCAST_RUN_RECORDED || !drawn) continue;
        parcast_status status =
            parcast_study_run_parts(study, run->id, PARCAST_PART_CALLS | PARCAST_PART_PEERS,
                                    &content->loaded[content->n_loaded], error);
        if (status) return status;
        content->shown[i] = *content->loaded[content->n_loaded++];
    }
    return PARCAST_OK;
}

static bool is_about(const char *text, const char *other)
{
    json_t *a = json_loads(text, 0, NULL), *b = json_loads(other, 0, NULL);
    bool same = json_equal(json_object_get(a, "program"), json_object_get(b, "program")) &&
                json_equal(json_object_get(a, "arguments"), json_object_get(b, "arguments"));
    json_decref(a);
    json_decref(b);
    return same;
}

/* A study of estimates has no run to say what it is about: what was forecast last is. */
static parcast_status read_forecasts_alone(parcast_study *study, struct study_content *content,
                                           parcast_error *error)
{
    size_t n, kept = 0;
    parcast_status status = parcast_study_results(study, 0, "parcast.forecast/1", MAX_FORECASTS,
                                                  &content->forecasts, &content->n_forecasts, error);
    n = content->n_forecasts;
    for (size_t i = 0; !status && i < n; i++) {
        char *text = content->forecasts[i];
        if (i + 1 == n || is_about(text, content->forecasts[n - 1]))
            content->forecasts[kept++] = text;
        else
            free(text);
    }
    if (!status) content->n_forecasts = kept;
    return status;
}

static parcast_status read_content(parcast_study *study, int64_t problem, struct study_content *content,
                                   parcast_error *error)
{
    if (problem == 0) return read_forecasts_alone(study, content, error);
    parcast_status status = parcast_study_list(study, problem, &content->list, error);
    if (!status && content->list.n_runs > 0) status = load_profiles(study, content, error);
    if (!status)
        status = parcast_study_results(study, problem, "parcast.forecast/1", MAX_FORECASTS,
                                       &content->forecasts, &content->n_forecasts, error);
    return status;
}

parcast_status parcast_report_study(parcast_study *study, const char *name, const char *written_at,
                                    char **html, size_t *length, parcast_error *error)
{
    struct study_content content = {0};
    int64_t problem = 0;
    size_t n_others = 0;
    parcast_status status = find_problem(study, &problem, &n_others, error);
    if (!status) status = read_content(study, problem, &content, error);
    if (!status) {
        parcast_report_content page = {.study = name,
                                       .written_at = written_at,
                                       .runs = content.shown,
                                       .n_runs = content.list.n_runs,
                                       .forecasts = (const char *const *)content.forecasts,
                                       .n_forecasts = content.n_forecasts,
                                       .n_other_problems = n_others};
        status = parcast_report_html(&page, html, length, error);
    }
    content_clear(&content);
    return status;
}
