/*
 * A cycle without global synchronisation: the multi-class queueing network of the cluster model, one class a
 * node (docs/models/cluster.md, section 4).
 */
#ifndef PARCAST_FORECAST_ASYNC_H
#define PARCAST_FORECAST_ASYNC_H

#include "forecast/dual.h"
#include "forecast/machine.h"
#include "forecast/traffic.h"

struct async_input {
    const struct machine *machine;
    const struct traffic *traffic;
    const dual *mean_s; /* [n_groups] computing per cycle */
    const dual *theta;  /* [CLUSTER_PARAMETERS] quantities */
    double cycles;
    double imbalance;
};

/* Cycle time of the slowest class. PARCAST_NOT_CONVERGED when the fixed point is not reached. */
parcast_status async_cycle(const struct async_input *input, dual *cycle_s, parcast_error *error);

#endif
