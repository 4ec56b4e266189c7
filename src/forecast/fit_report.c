/* Building, copying and releasing what a fit says about itself. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/engine.h"

/* One more element at the end of an array; the array stays as it is on failure. */
static parcast_status append(void **array, size_t *n, size_t size, const void *element, parcast_error *error)
{
    void *grown = realloc(*array, (*n + 1) * size);
    if (!grown) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit report");
    memcpy((char *)grown + *n * size, element, size);
    *array = grown;
    ++*n;
    return PARCAST_OK;
}

parcast_status notes_add(char ***notes, size_t *n_notes, const char *text, parcast_error *error)
{
    char *copy = strdup(text);
    char **grown = copy ? realloc(*notes, (*n_notes + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a note");
        return PARCAST_MEMORY;
    }
    grown[(*n_notes)++] = copy;
    *notes = grown;
    return PARCAST_OK;
}

parcast_status report_note(parcast_fit_report *report, parcast_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return notes_add(&report->notes, &report->n_notes, text, error);
}

parcast_status report_parameter(parcast_fit_report *report, const parcast_parameter *parameter,
                                parcast_error *error)
{
    void *array = report->parameters;
    parcast_status status = append(&array, &report->n_parameters, sizeof *parameter, parameter, error);
    report->parameters = array;
    return status;
}

parcast_status report_function(parcast_fit_report *report, const char *quantity, const char *form,
                               double loo_ratio, parcast_error *error)
{
    parcast_chosen_function function = {.loo_ratio = loo_ratio};
    snprintf(function.quantity, sizeof function.quantity, "%s", quantity);
    snprintf(function.form, sizeof function.form, "%s", form);
    void *array = report->functions;
    parcast_status status = append(&array, &report->n_functions, sizeof function, &function, error);
    report->functions = array;
    return status;
}

parcast_used_run used_run_of(const parcast_run *run)
{
    return (parcast_used_run){.id = run->id,
                              .processes = run->n_ranks,
                              .nodes = run->n_nodes_used,
                              .weight = 1,
                              .time_s = run->time_s,
                              .fitted_s = NAN,
                              .left_out_s = NAN,
                              .oversubscribed = run->oversubscribed};
}

parcast_status report_run(parcast_fit_report *report, const parcast_used_run *run, parcast_error *error)
{
    void *array = report->runs;
    parcast_status status = append(&array, &report->n_runs, sizeof *run, run, error);
    report->runs = array;
    return status;
}

void report_summarise_runs(parcast_fit_report *report)
{
    double sum = 0, worst = 0, weights = 0;
    for (size_t i = 0; i < report->n_runs; i++) {
        const parcast_used_run *run = &report->runs[i];
        if (!isfinite(run->left_out_s)) continue;
        double e = fabs(run->left_out_s / run->time_s - 1);
        sum += run->weight * e;
        weights += run->weight;
        worst = fmax(worst, e);
    }
    report->loo_mean_ratio = weights > 0 ? sum / weights : NAN;
    report->loo_worst_ratio = weights > 0 ? worst : NAN;
}

void report_clear(parcast_fit_report *report)
{
    for (size_t i = 0; i < report->n_notes; i++) free(report->notes[i]);
    free(report->notes);
    free(report->parameters);
    free(report->functions);
    free(report->runs);
    *report = (parcast_fit_report){.engine = report->engine};
}

parcast_status report_copy(const parcast_fit_report *from, parcast_fit_report **to, parcast_error *error)
{
    parcast_fit_report *copy = calloc(1, sizeof *copy);
    if (!copy) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a fit report");
    *copy = *from;
    copy->parameters = NULL;
    copy->functions = NULL;
    copy->runs = NULL;
    copy->notes = NULL;
    copy->n_parameters = copy->n_functions = copy->n_runs = copy->n_notes = 0;
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < from->n_parameters; i++)
        status = report_parameter(copy, &from->parameters[i], error);
    for (size_t i = 0; !status && i < from->n_functions; i++)
        status = report_function(copy, from->functions[i].quantity, from->functions[i].form,
                                 from->functions[i].loo_ratio, error);
    for (size_t i = 0; !status && i < from->n_runs; i++) status = report_run(copy, &from->runs[i], error);
    for (size_t i = 0; !status && i < from->n_notes; i++)
        status = notes_add(&copy->notes, &copy->n_notes, from->notes[i], error);
    if (status) {
        report_clear(copy);
        free(copy);
        return status;
    }
    *to = copy;
    return PARCAST_OK;
}
