/* From estimates at several sizes to the work and the volumes of the size that is asked for. */
#ifndef PARCAST_FORECAST_BOUND_BASIS_H
#define PARCAST_FORECAST_BOUND_BASIS_H

#include "forecast/bound_fit.h"
#include "forecast/engine.h"
#include "parcast/bound.h"

enum { BOUND_MAX_PARAMETERS = 6 };

struct bound_sizes {
    const parcast_estimate **estimates; /* [n] those that differ from the target in numbers only */
    size_t n;
    char *const *target; /* lent */
    size_t n_target;
    bool from_runs;                          /* the target is the arguments of the runs */
    bool exact;                              /* one of the estimates is of the target */
    size_t position[BOUND_MAX_PARAMETERS];   /* of the arguments that vary */
    size_t k;                                /* how many */
    double *points, x[BOUND_MAX_PARAMETERS]; /* [n][k], and the target's */
};

struct bound_volumes {
    double *counts; /* [n] ascending, from 2 */
    struct bound_value *bytes;
    size_t n;
};

/* Which estimates speak of the target, and in which numbers they differ. */
parcast_status bound_sizes_find(const parcast_bound_basis *basis, const parcast_run *runs, size_t n_runs,
                                struct bound_sizes *sizes, parcast_error *error);
void bound_sizes_clear(struct bound_sizes *sizes);

/* Work of the target; each count's volume. What was fitted is said in the report. */
parcast_status bound_flop(const struct bound_sizes *sizes, struct bound_value *flop,
                          parcast_fit_report *report, parcast_error *error);
parcast_status bound_volumes_find(const struct bound_sizes *sizes, struct bound_volumes *volumes,
                                  parcast_fit_report *report, parcast_error *error);
void bound_volumes_clear(struct bound_volumes *volumes);

/* Time of the target's work on the core that the estimates were made on; NAN when none was timed. */
parcast_status bound_serial(const struct bound_sizes *sizes, const struct bound_value *flop,
                            struct bound_value *serial_s, parcast_error *error);

#endif
