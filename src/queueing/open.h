/** Open classes of a network; see open.c. */
#ifndef PARCAST_QUEUEING_OPEN_H
#define PARCAST_QUEUEING_OPEN_H

#include "closed.h"

bool queueing_has_open(const parcast_network *network);

/**
 * How much slower closed classes are served because of the open ones.
 *
 * @param[out] slowdown  [K] 1/(1 - load/capacity)
 * @return PARCAST_OK, PARCAST_DATA when a station is overloaded, PARCAST_UNSUPPORTED when open and closed
 * classes meet at a station that is neither single server nor delay
 */
parcast_status queueing_open_slowdown(const parcast_network *network, double *slowdown, parcast_error *error);

/** Throughput, residence and queue of the open classes; the closed ones are in the solution already. */
void queueing_open_fill(const parcast_network *network, const double *slowdown, parcast_solution *solution);

#endif
