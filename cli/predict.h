/** What `predict` was asked for: shared by computing and printing. */
#ifndef PARCAST_CLI_PREDICT_H
#define PARCAST_CLI_PREDICT_H

#include "cli.h"
#include "estimates.h"
#include "parcast/forecast.h"
#include "study_runs.h"

struct predict {
    struct cli_common common;
    char *on, *recorded_on, *counts, *place, *deadline, *budget, *runs, *reading, *method, *problem;
    char **engines; /* NULL-terminated */
    int oversubscribe;
    const char *study_path;

    parcast_platform *platform, *recorded; /* recorded: NULL if it is the same */
    struct cli_runs chosen;
    struct cli_estimates estimates;
    struct cli_figures figures;
    int *list;
    parcast_forecast_options options;
    parcast_fit_options fit;
};

/** Print a forecast; returns the exit status. */
int predict_print(const struct predict *p, const parcast_forecast *forecast);

/** Is this point in tables? `data` is a struct predict. */
bool predict_shows(const void *data, const parcast_forecast *forecast, size_t i);

#endif
