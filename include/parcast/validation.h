/**
 * Forecasts beside measurements: how far off an engine is on runs that it has not seen.
 */
#ifndef PARCAST_VALIDATION_H
#define PARCAST_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"
#include "parcast/forecast.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs of one process count and placement: repetitions of each other. */
typedef struct parcast_validation_point {
    int processes;
    char placement[96];                /**< ranks on each node: "2+2 small, 1 big" */
    int n_runs;                        /**< repetitions */
    long long *run_ids;                /**< [n_runs] ids in the study, in the order of the runs given */
    double measured_s;                 /**< median */
    double measured_cv_ratio;          /**< standard deviation / mean; NAN for a single run */
    double predicted_s, low_s, high_s; /**< NAN where engine `replay` has no trace of other runs */
    double error_ratio;                /**< predicted_s / measured_s - 1 */
    bool held_out;                     /**< none of its runs was used in the fit */
    bool counts; /**< part of mape_ratio: held out, and its own variation is not above 5 % */
} parcast_validation_point;

typedef struct parcast_validation {
    parcast_engine engine;
    parcast_validation_point *points; /**< [n_points] ascending processes */
    size_t n_points;
    double mape_ratio;      /**< mean |error_ratio| of the points that count; NAN without any */
    double worst_ratio;     /**< largest of them */
    double in_sample_ratio; /**< mean |error_ratio| of the points that are not held out; NAN without any */
    double inside_ratio;    /**< share of the held-out points inside their 95 % interval; NAN without any */
} parcast_validation;

/** Machines: a program may be recorded on one and forecast for another. */
typedef struct parcast_validation_platforms {
    const parcast_platform *recorded; /**< of the runs that are fitted on; NULL: not described */
    const parcast_platform *measured; /**< of all points */
} parcast_validation_platforms;

/**
 * Fit on some runs and compare with all.
 *
 * @param[in]  runs     [n_runs] of one problem, with profiles; those that are not complete are left out
 * @param[in]  platforms where the runs that are fitted on were made and where all were; NULL pointers as for
 * parcast_predictor_create
 * @param[in]  fitted   [n_runs] the runs to fit on, the rest is held out; NULL: each point is forecast from
 * all the others, leaving out every run of its process count and placement
 * @param[out] validation release with parcast_validation_destroy
 * @return PARCAST_OK; PARCAST_DATA when nothing is left to fit on, or no point can be forecast;
 * PARCAST_INVALID for engine bound, which no run is to be near to; what the engine returns
 */
PARCAST_API parcast_status parcast_validation_create(parcast_engine engine, const parcast_run *runs,
                                                     size_t n_runs,
                                                     const parcast_validation_platforms *platforms,
                                                     const parcast_fit_options *options, const bool *fitted,
                                                     parcast_validation **validation, parcast_error *error);
PARCAST_API void parcast_validation_destroy(parcast_validation **validation);

#ifdef __cplusplus
}
#endif
#endif
