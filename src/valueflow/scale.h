/* What was followed until two iterations, taken on to the last one. */
#ifndef PARCAST_VALUEFLOW_SCALE_H
#define PARCAST_VALUEFLOW_SCALE_H

#include "parcast/error.h"

/**
 * Add to the file at `path`, followed until iteration K2, what the difference to the one at `before`, until
 * K1, would have come to: factor = (TOTAL - K2) / (K2 - K1) times the versions, the work and the operations.
 * The file is written again. Both are of one run: vertices, states and chains of `before` are those of
 * `path`.
 *
 * @return as parcast_values_load(); PARCAST_FORMAT where the later run did less; PARCAST_LIMIT where a count
 * passes 2^32, or 2^64 of operations or values
 */
parcast_status values_scale(const char *path, const char *before, double factor, parcast_error *error);

#endif
