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

/** lambda V S, summed over the open classes. */
double queueing_open_load(const parcast_network *network, size_t k);

/** Do both kinds of classes come to station k, and is it neither single server nor delay? */
bool queueing_open_meets_closed(const parcast_network *network, size_t k);

/** PARCAST_DATA when the open classes alone overload a station. */
parcast_status queueing_open_check(const parcast_network *network, parcast_error *error);

/** Any network whose classes do not meet as above; see solve.c. */
parcast_status queueing_solve_mixed(const parcast_network *network, parcast_solve_method method,
                                    const parcast_solve_limits *limits, parcast_solution *solution,
                                    parcast_error *error);

/** Do classes meet as above anywhere? Then this solves the network exactly; see mixed.c. */
bool queueing_mixed_meet(const parcast_network *network);
parcast_status queueing_solve_meeting(const parcast_network *network, const parcast_solve_limits *limits,
                                      parcast_solution *solution, parcast_error *error);

/** Throughput, residence and queue of the open classes; the closed ones are in the solution already. */
void queueing_open_fill(const parcast_network *network, const double *slowdown, parcast_solution *solution);

#endif
