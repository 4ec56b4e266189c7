/*
 * The cluster model: run time of a workload on a machine (docs/models/cluster.md).
 *
 * A process computes, then communicates; that is a cycle, and there are s(n) of them:
 *
 *     T = T_0 + s C + sum over collectives of count x cost,      C = (1-beta) C_async + beta C_barrier
 *
 * C_barrier: all processes start a cycle together, messages come in a burst, queues drain after it.
 * C_async: nobody waits for everybody; a closed queueing network with a class per node.
 */
#ifndef PARCAST_FORECAST_CLUSTER_H
#define PARCAST_FORECAST_CLUSTER_H

#include "forecast/dual.h"
#include "forecast/machine.h"
#include "forecast/workload.h"

/* X(constant, text, unit): the parameters theta of the fit, each the logarithm (sync: logit) of the quantity.
 */
#define CLUSTER_PARAMETER_LIST(X)                                                                            \
    X(WORK, "parallel work", "core s")                                                                       \
    X(WORK2, "second work term", "core s")                                                                   \
    X(FIXED, "time that does not scale", "s")                                                                \
    X(NETWORK, "network factor", "")                                                                         \
    X(LATENCY, "latency factor", "")                                                                         \
    X(LOCAL, "shared-memory factor", "")                                                                     \
    X(NOISE, "noise of the computing", "")                                                                   \
    X(MEMORY, "memory-bound share of computing", "")                                                         \
    X(SYNC, "synchronisation", "")

enum cluster_parameter {
#define CLUSTER_ENUM(constant, text, unit) CLUSTER_##constant,
    CLUSTER_PARAMETER_LIST(CLUSTER_ENUM)
#undef CLUSTER_ENUM
        CLUSTER_PARAMETERS
};

struct cluster_time {
    dual total_s;        /* with derivatives with respect to theta */
    dual mean_compute_s; /* computing per process, mean over ranks, as a profile shows it */
    dual compute_s;      /* computing of the slowest process */
    double cycles;
    char limit[48];  /* what the cycle waits for */
    int limit_group; /* node group of it */
};

/*
 * Run time of the workload on a machine with parameters theta. Allocates scratch; PARCAST_MEMORY on failure.
 * Cost: O(n degree + nodes x groups) for bounded patterns.
 */
parcast_status cluster_time(const struct workload *workload, const double theta[CLUSTER_PARAMETERS],
                            const struct machine *machine, struct cluster_time *time, parcast_error *error);

const char *cluster_parameter_text(enum cluster_parameter parameter);
const char *cluster_parameter_unit(enum cluster_parameter parameter);

/*
 * Expected largest of independent normal variables: group g has count[g] of mean mu[g] and deviation
 * sigma[g]. E = x_0 + integral over x > x_0 of (1 - F(x)), F the product of the distribution functions, by
 * the trapezoid rule; derivatives from the same integral: dE/dmu_g is the probability that group g has the
 * largest.
 */
double expected_maximum(int n_groups, const double mu[], const double sigma[], const double count[],
                        double d_mu[], double d_sigma[]);

#endif
