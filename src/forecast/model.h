/* Engine "model" between its fit and its forecasts. */
#ifndef PARCAST_FORECAST_MODEL_H
#define PARCAST_FORECAST_MODEL_H

#include "forecast/engine.h"
#include "forecast/fit.h"
#include "forecast/timings.h"

struct model {
    struct timings *timings;          /* instead of all that follows, when no run has a profile */
    struct observation *observations; /* [n] complete runs with profiles */
    size_t n;
    struct workload workload;
    struct fit_result fit;
    double reference_calibration;
    double form_sd; /* what the model's form may be off inside the recorded counts */
};

/* The logarithm of a parameter that the runs made vanish. */
static const double model_log_nothing = -50;

/* What the fit says: parameters with their intervals, functions of n, doubts. */
parcast_status model_describe(const struct model *m, const struct fit_problem *problem,
                              parcast_fit_report *report, parcast_error *error);

#endif
