/* Replays of recorded traces, and how far off they and the runs themselves are (engine "replay"). */
#ifndef PARCAST_FORECAST_REPLAYS_H
#define PARCAST_FORECAST_REPLAYS_H

#include "forecast/engine.h"
#include "parcast/recorded.h"
#include "parcast/replay.h"

/* Standard deviations of ln T. */
struct replay_doubts {
    double repeat_sd;  /* of one run against another of the same ranks on the same nodes */
    size_t freedom;    /* that it is known with */
    double replay_sd;  /* of a replay against the run that its trace is of, where that was made */
    double crowded_sd; /* the same where ranks share cores */
    bool repeat_known, replay_known, crowded_known;
    bool network_seen; /* traces of several nodes were replayed on the platform of the runs */
};

/* Replay a trace on a platform. `types`: room for the platform's types, whose speeds follow the trace. */
parcast_status replays_run(const parcast_recorded_trace *trace, const parcast_platform *platform,
                           const int *rank_node, parcast_replay_result **result, parcast_error *error);

/*
 * Replay each trace on the machines of all runs with as many ranks, and hold it against these. Runs and their
 * errors go into the report.
 *
 * traces: [n] of those among the runs that have one
 */
parcast_status replays_compare(const parcast_recorded_trace *const *traces, size_t n, const parcast_run *runs,
                               size_t n_runs, const parcast_platform *platform, struct replay_doubts *doubts,
                               parcast_fit_report *report, parcast_error *error);

/* Median; sorts. NAN for none. */
double replays_median(double *values, size_t n);

#endif
