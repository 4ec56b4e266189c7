/*
 * A study in memory: three recorded runs of a halo exchange on a ring (1, 2 and 4 ranks), an imported one,
 * and the forecasts of tests/data/report_*.json, which describe such a program on an eight-node platform.
 */
#ifndef PARCAST_TESTS_REPORT_FIXTURE_H
#define PARCAST_TESTS_REPORT_FIXTURE_H

#include "parcast/report.h"

struct fixture {
    parcast_run runs[8];
    parcast_report_content content;
    char *forecasts[4];
};

/** Recorded runs of these sizes [n_sizes <= 7], without forecasts; each rank sends to its right neighbour. */
void fixture_record(struct fixture *fixture, const int *sizes, size_t n_sizes);
/** Add a run as `import` does. */
void fixture_import(struct fixture *fixture, int processes, double time_s);
/** Add the forecast tests/data/NAME, or a text. */
void fixture_forecast_file(struct fixture *fixture, const char *name);
void fixture_forecast_text(struct fixture *fixture, const char *json);
/** Use this name as program, argument, host and MPI library everywhere. */
void fixture_rename(struct fixture *fixture, const char *name);
void fixture_free(struct fixture *fixture);

/** The page, or the test fails; free() it. */
char *fixture_page(const struct fixture *fixture);

#endif
