#include "estimates.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/units.h"

enum { MOST_ESTIMATES = 1024 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Those of another program go. */
static void keep_latest_program(struct cli_estimates *e)
{
    size_t kept = 0;
    if (!e->n) return;
    char *name = strdup(base_name(e->estimates[e->n - 1].program));
    for (size_t i = 0; name && i < e->n; i++) {
        if (strcmp(base_name(e->estimates[i].program), name) == 0)
            e->estimates[kept++] = e->estimates[i];
        else
            parcast_estimate_clear(&e->estimates[i]);
    }
    if (name) e->n = kept;
    free(name);
}

/* What was not followed to its end bounds nothing. */
static bool is_partial(const char *text)
{
    json_t *object = json_loads(text, 0, NULL);
    bool partial = json_is_string(json_object_get(object, "partial"));
    json_decref(object);
    return partial;
}

static parcast_status read_all(parcast_study *study, const char *path, struct cli_estimates *e,
                               parcast_error *error)
{
    char **texts = NULL;
    size_t n = 0;
    parcast_status status =
        parcast_study_results(study, 0, "parcast.estimate/1", MOST_ESTIMATES, &texts, &n, error);
    if (status) return status;
    e->estimates = calloc(n + 1, sizeof *e->estimates);
    if (!e->estimates)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu estimates", n);
    for (size_t i = 0; i < n && !status; i++) {
        if (is_partial(texts[i])) continue;
        status = parcast_estimate_parse(texts[i], path, &e->estimates[e->n], error);
        e->n += !status;
    }
    parcast_study_results_free(&texts, n);
    return status;
}

static bool add_word(struct cli_estimates *e, const char *word, size_t length)
{
    char **longer = realloc(e->target, (e->n_target + 1) * sizeof *longer);
    if (!longer) return false;
    e->target = longer;
    e->target[e->n_target] = strndup(word, length);
    if (!e->target[e->n_target]) return false;
    e->n_target++;
    return true;
}

static parcast_status split(const char *problem, struct cli_estimates *e, parcast_error *error)
{
    static const char blanks[] = " \t";
    e->target = calloc(1, sizeof *e->target); /* no words is a problem too */
    if (!e->target) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    for (const char *word = problem + strspn(problem, blanks); *word;) {
        size_t length = strcspn(word, blanks);
        if (!add_word(e, word, length))
            return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
        word += length;
        word += strspn(word, blanks);
    }
    return PARCAST_OK;
}

parcast_status cli_estimates_load(const char *study_path, const char *problem, struct cli_estimates *e,
                                  parcast_error *error)
{
    parcast_study *study;
    *e = (struct cli_estimates){0};
    parcast_status status = parcast_study_open(study_path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = read_all(study, study_path, e, error);
    if (!status) keep_latest_program(e);
    if (!status && e->n) {
        const parcast_estimate *latest = &e->estimates[e->n - 1];
        status = parcast_study_problem(study, latest->program, latest->arguments, latest->n_arguments,
                                       &e->problem_id, error);
    }
    parcast_study_close(&study);
    if (!status && problem) status = split(problem, e, error);
    if (status) {
        cli_estimates_clear(e);
        return status;
    }
    e->basis = (parcast_bound_basis){.estimates = e->estimates,
                                     .n_estimates = e->n,
                                     .target = e->target,
                                     .n_target = e->n_target,
                                     .figures = {NAN, NAN, NAN}};
    return PARCAST_OK;
}

void cli_estimates_clear(struct cli_estimates *e)
{
    for (size_t i = 0; i < e->n; i++) parcast_estimate_clear(&e->estimates[i]);
    for (size_t i = 0; i < e->n_target; i++) free(e->target[i]);
    free(e->estimates);
    free(e->target);
    *e = (struct cli_estimates){0};
}

parcast_status cli_estimates_name(const struct cli_estimates *e, parcast_forecast *forecast,
                                  parcast_error *error)
{
    const parcast_estimate *latest = &e->estimates[e->n - 1];
    parcast_run run = {.program = latest->program,
                       .arguments = e->target ? e->target : latest->arguments,
                       .n_arguments = e->target ? e->n_target : latest->n_arguments};
    return parcast_forecast_set_program(forecast, &run, error);
}

static parcast_status read_share(const char *text, double *ratio, parcast_error *error)
{
    char *end;
    *ratio = strtod(text, &end);
    if (end != text && !*end && *ratio >= 0 && *ratio <= 1) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--overlap is a share from 0 to 1, not '%s'",
                             text);
}

parcast_status cli_figures_read(const struct cli_figures *options, parcast_bound_figures *figures,
                                parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    *figures = (parcast_bound_figures){NAN, NAN, NAN};
    if (options->flop_rate) status = parcast_units_flop_rate(options->flop_rate, &figures->flop_per_s, error);
    if (!status && options->bandwidth)
        status = parcast_units_bandwidth(options->bandwidth, &figures->bandwidth_bytes_per_s, error);
    if (!status && (figures->flop_per_s <= 0 || figures->bandwidth_bytes_per_s <= 0))
        status =
            parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a rate or bandwidth of 0 bounds nothing");
    if (!status && options->overlap) status = read_share(options->overlap, &figures->overlap_ratio, error);
    return status;
}
