/*
 * What a scaling model is once it is found: hypotheses that the points cannot tell apart, each with its fit.
 */
#ifndef PARCAST_FORECAST_SCALING_MODEL_H
#define PARCAST_FORECAST_SCALING_MODEL_H

#include "scaling_internal.h"

enum { SCALING_MAX_HYPOTHESES = 8 };

struct scaling_hypothesis {
    parcast_scaling_function function;
    parcast_scaling_quality quality;
    struct scaling_ols ols;
    double sigma_abs;   /* root mean square of the leave-one-out errors */
    double sigma_ratio; /* the same, relative to the prediction */
    double largest;     /* of the values */
};

struct parcast_scaling_pmnf {
    size_t n_parameters, n_points;
    bool relative;
    struct scaling_hypothesis hypotheses[SCALING_MAX_HYPOTHESES]; /* [n_hypotheses] the chosen one first */
    size_t n_hypotheses;
};

/* Quality and errors from the fitted and left-out values in `work`; relative: rows were divided by y. */
void scaling_hypothesis_measure(struct scaling_hypothesis *hypothesis, const struct scaling_workspace *work,
                                const double *y, bool relative);

#endif
