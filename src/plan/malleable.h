/** Making malleable programs: what the makers share. */
#ifndef PARCAST_PLAN_MALLEABLE_H
#define PARCAST_PLAN_MALLEABLE_H

#include "parcast/plan.h"

/** What a whole run takes on one size. */
struct size_time {
    double compute_s;       /**< follows the work of the iterations */
    double communication_s; /**< the same in each iteration */
};

/** Checked options, sizes without sd_ln, blocks with their relative work in serial_s; the table is still
 * zero. */
parcast_status malleable_begin(const parcast_platform *platform, const parcast_malleable_options *options,
                               parcast_malleable **malleable, parcast_error *error);
/** times [n_sizes] of the whole run -> T_k(p); serial_s of the blocks. */
void malleable_fill(parcast_malleable *malleable, double serial_s, const struct size_time *times);
parcast_status malleable_note(parcast_malleable *malleable, const char *text, parcast_error *error);

#endif
