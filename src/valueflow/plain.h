/* The plain run of an instrumented program: its time, and what might be its steps. */
#ifndef PARCAST_VALUEFLOW_PLAIN_H
#define PARCAST_VALUEFLOW_PLAIN_H

#include <stdbool.h>

#include "parcast/error.h"

struct plain_run {
    double region_s; /* CPU time; -1 where the program did not come to its end */
    bool has_steps;
    char steps[96]; /* PARCAST_VALUES_STEPS of the followed run */
};

/** Read what a plain run left (src/valueflow/runtime/steps.c). PARCAST_FORMAT if it is something else. */
parcast_status plain_read(const char *path, struct plain_run *run, parcast_error *error);

#endif
