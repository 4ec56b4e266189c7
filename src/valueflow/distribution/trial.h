/* One way to place everything by the blocks of a grid. */
#ifndef PARCAST_VALUEFLOW_TRIAL_H
#define PARCAST_VALUEFLOW_TRIAL_H

#include "valueflow/distribution/grid.h"

/* Written arrays of the shape of the array like it, the rest by its readers and sources; likewise with arrays
 * that are only read; by sources first, where these are in one place, which a fair share is; or everything by
 * its place in the space. From WAY_GATHERED on the best of these, with what is computed from the same values
 * together (siblings.h). */
enum way { WAY_LIKE, WAY_FOLLOW, WAY_SOURCES, WAY_SPACE, WAY_GATHERED };

/** Room for it, with what the blocks decide about in its place; the rest has none. To be cleared. */
parcast_status trial_place(const parcast_values *values, const struct grid_choice *choice, enum way way,
                           const struct space *space, struct grid_trial *trial, parcast_error *error);
/** The rest follows what is placed, and the words of that are counted. */
parcast_status trial_count(const parcast_values *values, const struct grid_choice *choice,
                           struct grid_trial *trial, parcast_error *error);
/** The parts of another one, of which nothing is counted; to be cleared. */
parcast_status trial_copy(const parcast_values *values, const struct grid_trial *from,
                          struct grid_trial *trial, parcast_error *error);
void trial_clear(struct grid_trial *trial);

#endif
