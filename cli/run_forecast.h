/** parcast run: what is known of a program before it runs. */
#ifndef PARCAST_CLI_RUN_FORECAST_H
#define PARCAST_CLI_RUN_FORECAST_H

#include "parcast/plan.h"
#include "run_decide.h"
#include "study_runs.h"

struct run_forecast {
    struct cli_runs runs;             /**< recorded ones of this problem; none: it is learned */
    parcast_platform *own, *platform; /**< `own` is to be destroyed */
    parcast_course course;
    parcast_malleable *malleable;
};

/**
 * The forecast of the runs that a study holds of a program and its arguments; where there are none the
 * iterations of earlier elastic runs; without these nothing but the platform, and measured iterations have to
 * say.
 */
parcast_status run_forecast_open(const struct decide_request *request, struct run_forecast *forecast,
                                 parcast_error *error);
void run_forecast_close(struct run_forecast *forecast);

#endif
