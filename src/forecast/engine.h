/*
 * What an engine is: how it is fitted to runs, what it says of a placement. predictor.c dispatches.
 */
#ifndef PARCAST_FORECAST_ENGINE_H
#define PARCAST_FORECAST_ENGINE_H

#include "parcast/forecast.h"

struct engine {
    /* Fit; describes itself in report (which the predictor owns and releases, also on failure). */
    parcast_status (*create)(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error);
    void (*destroy)(void *state);
    parcast_status (*point)(const void *state, const parcast_platform *platform,
                            const parcast_placement *placement, parcast_point *point, parcast_error *error);
    /* The same for the machine that a run was made on, rank by rank. */
    parcast_status (*again)(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error);
    /* Runs that would narrow the forecast of a placement most; at most 3, best first. NULL: the engine cannot
     * tell. */
    parcast_status (*advise)(const void *state, const parcast_platform *platform,
                             const parcast_placement *target, parcast_advised_run advice[3], size_t *n_advice,
                             parcast_error *error);
    /* The only process counts that it can forecast, ascending. NULL: all. */
    size_t (*known_counts)(const void *state, const int **counts);
};

extern const struct engine engine_model, engine_paper, engine_pmnf, engine_bound, engine_replay;

struct parcast_predictor {
    const struct engine *engine;
    void *state;
    parcast_fit_report report;
    double reference_calibration; /* of the node type that recorded the study; NAN if unknown */
};

/*
 * Score of the calibration kernel on the kind of node that recorded the first run: as it was probed where the
 * platform knows the node, otherwise the median of what the runs noted on such nodes, for a single one is
 * taken in milliseconds. NAN if nobody knows it.
 */
double reference_calibration_of(const parcast_run *runs, size_t n_runs, const parcast_platform *platform);

/* Building a report. All return PARCAST_OK or PARCAST_MEMORY. */
parcast_status report_note(parcast_fit_report *report, parcast_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
parcast_status report_parameter(parcast_fit_report *report, const parcast_parameter *parameter,
                                parcast_error *error);
parcast_status report_function(parcast_fit_report *report, const char *quantity, const char *form,
                               double loo_ratio, parcast_error *error);
/* A run as the report has it, with weight 1 and before anything is known of the fit. */
parcast_used_run used_run_of(const parcast_run *run);
parcast_status report_run(parcast_fit_report *report, const parcast_used_run *run, parcast_error *error);
/* Mean and worst left-out error from report->runs. */
void report_summarise_runs(parcast_fit_report *report);
void report_clear(parcast_fit_report *report);
parcast_status report_copy(const parcast_fit_report *from, parcast_fit_report **to, parcast_error *error);

/* A sentence appended to a list of owned strings. */
parcast_status notes_add(char ***notes, size_t *n_notes, const char *text, parcast_error *error);

#endif
