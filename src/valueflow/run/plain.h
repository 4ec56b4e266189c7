/* What an instrumented program leaves beside its values (src/valueflow/runtime/steps/steps.c): the plain run
 * its time and what might be its steps, the followed one the steps that it followed. */
#ifndef PARCAST_VALUEFLOW_PLAIN_H
#define PARCAST_VALUEFLOW_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/valueflow.h"

struct plain_run {
    double region_s;  /* CPU time; -1 where the program did not come to its end */
    bool left_region; /* a marked one, before the program ended */
    bool marked_late; /* by a library that was loaded after main began */
    bool has_steps;
    double steps_s, left_out_ratio; /* time of these, and the share of the region's between and behind them */
    char steps[1536];               /* PARCAST_VALUES_STEPS of the followed run */
    unsigned long long n_steps;
};

/** Read what a plain run left. PARCAST_FORMAT if it is something else. */
parcast_status plain_read(const char *path, struct plain_run *run, parcast_error *error);

/** Iterations first + 1 to last of total were followed, and repeat. first < last <= total */
struct followed_steps {
    unsigned long long first, last, total;
    double spread_ratio; /* by which the two halves of them differ, >= 0 */
    char what[256];      /* which loop; not empty */
};

/** Read which steps a followed run took. PARCAST_FORMAT if it is something else. */
parcast_status followed_read(const char *path, struct followed_steps *steps, parcast_error *error);

/** Operations and stores of the first n iterations, and a number for both that differs where one does. */
struct counted_steps {
    uint64_t *flop, *stores, *work;
    size_t n;
};

/** Read what was counted of `total` steps; clear it afterwards. PARCAST_FORMAT if it is something else. */
parcast_status counted_read(const char *path, unsigned long long total, struct counted_steps *steps,
                            parcast_error *error);
/** Which of them, from `last` on, do other work than those of the window before it, and how much. */
void counted_compare(const struct counted_steps *steps, size_t last, parcast_values_run *run);
void counted_clear(struct counted_steps *steps);

#endif
