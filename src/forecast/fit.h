/*
 * Fit of the cluster model's parameters to recorded runs: Levenberg-Marquardt (cminpack) on the logarithms of
 * the parameters, with the exact Jacobian of the model and a prior on each parameter.
 *
 * Rows, each divided by its standard deviation (queueing model and fit: docs/models/cluster.md, section 5):
 *     ln(T_model/T)   ln(compute_model/compute)   ln(communication_model/communication)   (theta - mean)/sd
 */
#ifndef PARCAST_FORECAST_FIT_H
#define PARCAST_FORECAST_FIT_H

#include <stdbool.h>

#include "forecast/cluster.h"

struct fit_prior {
    double mean, sd; /* of theta */
    bool fixed;      /* not fitted; mean is its value */
    const char *why; /* of a fixed one */
};

struct fit_problem {
    const struct observation *observations;
    size_t n_observations;
    const bool *left_out; /* [n_observations] or NULL */
    const struct workload *workload;
    struct fit_prior priors[CLUSTER_PARAMETERS];
    bool gauss_newton;
};

struct fit_result {
    double theta[CLUSTER_PARAMETERS];
    double covariance[CLUSTER_PARAMETERS]
                     [CLUSTER_PARAMETERS]; /* of theta, priors included; 0 for fixed ones */
    double chi2_ratio; /* weighted squared residuals of the data per degree of freedom, at least 1; the
                          covariance has it in */
    int rank;          /* of the Jacobian without prior rows, at 1e-3 of its largest singular value */
    double condition;
    bool fixed[CLUSTER_PARAMETERS];
};

/* Relative standard deviations of a measured time. */
double fit_time_sd(const struct workload *workload, const struct observation *observation);

/* Fit from `start` (NULL: from the priors, with several values of the network factor). */
parcast_status fit_cluster(const struct fit_problem *problem, const double *start, struct fit_result *result,
                           parcast_error *error);

#endif
