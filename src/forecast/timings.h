/*
 * Forecasts from total times alone: what engine "model" does where no run has a profile (imported tables).
 * The times are those of one kind of node; on a platform they are scaled by the slowest core in use.
 */
#ifndef PARCAST_FORECAST_TIMINGS_H
#define PARCAST_FORECAST_TIMINGS_H

#include "forecast/engine.h"

struct timings;

/* Uses every complete run; describes itself in the report. */
parcast_status timings_create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                              struct timings **timings, parcast_fit_report *report, parcast_error *error);
void timings_destroy(struct timings *timings);
parcast_status timings_point(const struct timings *timings, const parcast_platform *platform,
                             const parcast_placement *placement, parcast_point *point, parcast_error *error);

/* On the machine that a run was made on. */
parcast_status timings_run(const struct timings *timings, const parcast_run *run, parcast_point *point,
                           parcast_error *error);

/* Slowest core that a placement uses, relative to the node type of the runs. */
double slowest_speed(const parcast_platform *platform, const parcast_placement *placement,
                     double reference_calibration);

#endif
