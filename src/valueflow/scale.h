/* What was followed until two iterations, taken on to the last one. */
#ifndef PARCAST_VALUEFLOW_SCALE_H
#define PARCAST_VALUEFLOW_SCALE_H

#include "valueflow/load.h"

/** Counts of iteration K1 of a run that was followed until K2, and by what their difference is multiplied. */
struct values_scaling {
    const char *before;
    double factor; /* (TOTAL - K2) / (K2 - K1) */
};

/**
 * Add to the versions, the work and the operations of a run that was followed until iteration K2 the
 * difference to the counts at scaling->before, times the factor. Vertices, states and chains of `before` are
 * those of the file.
 *
 * @return as values_file_read(); PARCAST_FORMAT where the later run did less; PARCAST_LIMIT where a count
 * passes 2^32, or 2^63 of operations or values. Then the file is half scaled.
 *
 * Cost: O(nets).
 */
parcast_status values_scale(const char *path, struct values_file *file, const struct values_scaling *scaling,
                            parcast_error *error);
/** The graph of a run that is scaled before it is made; NULL for one that is not. */
struct parcast_values;
parcast_status values_load(const char *path, const struct values_scaling *scaling,
                           struct parcast_values **values, parcast_error *error);

#endif
