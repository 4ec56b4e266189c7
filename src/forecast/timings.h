/*
 * Forecasts from total times alone: what engine "model" does for imported tables, and engine "pmnf" always.
 * The times are those of one kind of node; on a platform they are scaled by the slowest core in use.
 */
#ifndef PARCAST_FORECAST_TIMINGS_H
#define PARCAST_FORECAST_TIMINGS_H

#include "forecast/engine.h"

/* Slowest core that a placement uses, relative to the node type of the runs. */
double slowest_speed(const parcast_platform *platform, const parcast_placement *placement,
                     double reference_calibration);

#endif
