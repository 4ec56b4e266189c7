/**
 * Parts of the probe of one node.
 */
#ifndef PARCAST_PLATFORM_PROBE_INTERNAL_H
#define PARCAST_PLATFORM_PROBE_INTERNAL_H

#include <hwloc.h>

#include "parcast/probe.h"

/** Median; sorts the values. n >= 1. */
double probe_median(double *values, size_t n);
/** Seconds of the monotonic clock. */
double probe_now_s(void);

/** Latency and bandwidth between two processes (or threads) through memory that both map. */
parcast_status probe_shared_memory(hwloc_topology_t topology, bool processes, double *latency_s,
                                   double *bandwidth_bytes_per_s, parcast_error *error);
/** Bind the calling thread to a core, if that is allowed. */
void probe_bind_to_core(hwloc_topology_t topology, int number);

/**
 * Hosts that are alike have the same type, counted from 0 in the order of their first hosts.
 * @param[in]  link_bytes_per_s [n_hosts] NAN where nothing was measured
 * @param[out] type_of          [n_hosts]
 * @return PARCAST_OK, PARCAST_MEMORY
 */
parcast_status probe_find_types(const parcast_probe *probe, const double *link_bytes_per_s, size_t *type_of,
                                size_t *n_types);

#endif
