/** Forecasts of several engines and the recorded runs, side by side. */
#ifndef PARCAST_CLI_PREDICT_COMPARE_H
#define PARCAST_CLI_PREDICT_COMPARE_H

#include "cli.h"
#include "parcast/forecast.h"

/**
 * One row for every process count of the first forecast that `shown` says yes to: what was measured (median
 * of the complete runs), then every engine. Returns the exit status.
 */
int cli_compare(const struct cli_common *common, parcast_forecast *const *forecasts, size_t n,
                const parcast_run *runs, size_t n_runs,
                bool (*shown)(const void *data, const parcast_forecast *forecast, size_t i),
                const void *data);

/** The measured column as JSON: [{processes, time_s, run_ids}]; new reference. */
json_t *cli_measured_json(const parcast_run *runs, size_t n_runs);

#endif
