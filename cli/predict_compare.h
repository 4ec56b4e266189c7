/** Forecasts of several engines and the recorded runs, side by side. */
#ifndef PARCAST_CLI_PREDICT_COMPARE_H
#define PARCAST_CLI_PREDICT_COMPARE_H

#include "cli.h"
#include "predict.h"

/**
 * One row for every process count of any forecast that tables show: its nodes, what was measured (median of
 * the complete runs that were made like that, otherwise of those with as many processes elsewhere, which is
 * marked), then every engine. Returns the exit status.
 */
int predict_compare(const struct predict *p, parcast_forecast *const *forecasts, size_t n);

/** The same rows, of all counts, as JSON; new reference. */
json_t *predict_compare_json(const struct predict *p, parcast_forecast *const *forecasts, size_t n);

/** The measured column alone: [{processes, time_s, run_ids}]; new reference. */
json_t *predict_measured_json(const struct predict *p);

#endif
