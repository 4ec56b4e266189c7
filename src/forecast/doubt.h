/* Standard deviations of logarithms that no run of a study tells, the same for every engine. */
#ifndef PARCAST_FORECAST_DOUBT_H
#define PARCAST_FORECAST_DOUBT_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/platform.h"

/* The latency that a program sees, beside that of the platform file. */
static const double doubt_latency_sd = 0.3;
/* How fast a kind of node is with a program that did not run on it, as found on the emulated cluster
 * (docs/accuracy.md). */
static const double doubt_other_kind_sd = 0.04;

/* The bandwidth that a program sees, beside that of the platform: better known where it was probed. */
static inline double doubt_network_sd(const parcast_platform *platform)
{
    if (!platform) return 1;
    for (size_t t = 0; t < platform->n_types; t++)
        if (platform->types[t].calibration > 0) return 0.1;
    return 0.3;
}

#endif
