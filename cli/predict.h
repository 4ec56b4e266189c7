/** What `predict` was asked for: shared by computing and printing. */
#ifndef PARCAST_CLI_PREDICT_H
#define PARCAST_CLI_PREDICT_H

#include "cli.h"
#include "estimates.h"
#include "parcast/forecast.h"
#include "parcast/recorded.h"
#include "study_runs.h"

enum { PREDICT_MOST_ENGINES = 8 };

struct predict {
    struct cli_common common;
    char *on, *recorded_on, *counts, *place, *deadline, *budget, *runs, *reading, *method, *problem;
    char **engines;                          /* NULL-terminated */
    const char *names[PREDICT_MOST_ENGINES]; /* [n_names] of the engines, "all" spelt out */
    size_t n_names;
    int oversubscribe;
    const char *study_path;

    parcast_platform *platform, *recorded; /* recorded: NULL if it is the same */
    struct cli_runs chosen;
    struct cli_estimates estimates;
    struct cli_figures figures;
    parcast_recorded_trace *traces; /* [replays.n_traces] of the chosen runs */
    parcast_replay_basis replays;
    int *list;
    parcast_forecast_options options;
    parcast_fit_options fit;
};

/** Print a forecast; returns the exit status. */
int predict_print(const struct predict *p, const parcast_forecast *forecast);

/** Is this point in tables? */
bool predict_shows(const struct predict *p, const parcast_forecast *forecast, size_t i);

/** "4 small x 4, 1 big x 16", in text. */
const char *predict_nodes_text(const parcast_platform *platform, const parcast_placement *placement,
                               char *text, size_t size);

#endif
