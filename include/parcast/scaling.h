/**
 * Empirical scaling models: how a measured value grows with parameters, from measurements alone.
 *
 * Two kinds, for two questions:
 *
 *   parcast_scaling_fit_pmnf     the performance model normal form: y = c0 + sum of c * x^i * log2(x)^j, any
 *                                metric, one or several parameters. A term of the result can be read.
 *   parcast_scaling_fit_timings  times of one program at several process counts, strong or weak scaling,
 *                                made to be extrapolated from three to a dozen points.
 *
 * Equations, choices and measured accuracy: docs/models/scaling.md.
 */
#ifndef PARCAST_SCALING_H
#define PARCAST_SCALING_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PARCAST_SCALING_MAX_PARAMETERS = 6, /**< parameters of a performance model normal form */
    PARCAST_SCALING_MAX_TERMS = 6,      /**< terms beside the constant */
};

/** parameter^(numerator/denominator) * log2(parameter)^log2_exponent */
typedef struct parcast_scaling_factor {
    size_t parameter;           /**< index of the parameter */
    int numerator, denominator; /**< exponent in lowest terms, denominator > 0; 0/1 for a logarithm alone */
    int log2_exponent;
} parcast_scaling_factor;

typedef struct parcast_scaling_term {
    double coefficient;
    size_t n_factors;                                               /**< 1 to the number of parameters */
    parcast_scaling_factor factors[PARCAST_SCALING_MAX_PARAMETERS]; /**< [n_factors] ascending parameter */
} parcast_scaling_term;

/** constant + sum over the terms of coefficient * product of the factors */
typedef struct parcast_scaling_function {
    double constant;
    size_t n_terms;
    parcast_scaling_term terms[PARCAST_SCALING_MAX_TERMS]; /**< [n_terms] */
} parcast_scaling_function;

/** Value of a function at x[number of parameters]; not finite where a factor is not defined. */
PARCAST_API double parcast_scaling_function_value(const parcast_scaling_function *function, const double *x);

/**
 * A function as text: "1.37 + 0.0438 * x^(3/2) * log2(x)^2 * log2(y)".
 *
 * @param[in]  names  [number of parameters] names of the parameters
 * @param[out] buffer always terminated, cut to fit; returned
 */
PARCAST_API const char *parcast_scaling_function_text(const parcast_scaling_function *function,
                                                      const char *const *names, char *buffer, size_t size);

/**
 * How well a function describes its points. smape = mean of 100 |p - y| / ((|p| + |y|) / 2) [%];
 * rss = sum of (p - y)^2. fit: residuals of the fit to all points; loo: each point predicted by a fit of the
 * same terms without it.
 */
typedef struct parcast_scaling_quality {
    double smape_fit, smape_loo;
    double rss_fit, rss_loo;
} parcast_scaling_quality;

/** Measurements: every point has n_parameters coordinates and a value. */
typedef struct parcast_scaling_data {
    size_t n_parameters; /**< 1 to PARCAST_SCALING_MAX_PARAMETERS */
    size_t n_points;
    const double *x; /**< [n_points][n_parameters] from 0, finite */
    const double *y; /**< [n_points] finite */
} parcast_scaling_data;

/** What a model is for decides between hypotheses that the points cannot tell apart. */
typedef enum parcast_scaling_purpose {
    /** Describe the points: the smallest cross-validated error wins. */
    PARCAST_SCALING_DESCRIBE,
    /** Forecast beyond them: the simplest hypothesis that is not clearly worse than the best (one standard
       error, or an F test when the points are few), and one that stays positive over the range to be
       forecast. */
    PARCAST_SCALING_FORECAST,
} parcast_scaling_purpose;

typedef struct parcast_scaling_options {
    bool allow_negative_exponents; /**< strong scaling: times that fall with the process count */
    bool relative; /**< minimise relative instead of absolute residuals; every value must be > 0 */
    parcast_scaling_purpose purpose;
    /** [n_parameters] smallest and largest coordinates of a forecast; NULL: those of the points. */
    const double *range_from, *range_to;
} parcast_scaling_options;

typedef struct parcast_scaling_pmnf parcast_scaling_pmnf;

/**
 * Find the performance model normal form of measurements.
 *
 * One parameter: the constant and every single term x^i log2(x)^j of the exponent set are fitted by least
 * squares and compared by leave-one-out SMAPE. Several: the best single-parameter terms, found on the points
 * averaged over the other parameters, are combined to sums of products of any of them and compared on all
 * points. Logarithms are used when every coordinate of the parameter is from 1 (negative powers of them:
 * above 1). Points with equal coordinates are averaged first.
 *
 * To forecast times T(p) of a strong-scaling program: one parameter, allow_negative_exponents and relative
 * set, purpose PARCAST_SCALING_FORECAST, range_from and range_to the counts that will be asked for.
 *
 * @param[in]  data    at least three different points
 * @param[in]  options NULL: all fields zero
 * @param[out] model   parcast_scaling_pmnf_destroy; untouched on failure
 * @return PARCAST_OK; PARCAST_INVALID (no parameter, too many, not finite or negative coordinates, values
 * that are not positive with `relative`); PARCAST_DATA (fewer than three different points); PARCAST_MEMORY
 *
 * Cost: O(hypotheses * points), under 1 ms for one parameter, tens of ms for three with 125 points.
 * Source: Calotoiu et al., SC'13; multi-parameter models Calotoiu et al., Cluster'16; one standard error rule
 * Breiman et al. 1984.
 */
PARCAST_API parcast_status parcast_scaling_fit_pmnf(const parcast_scaling_data *data,
                                                    const parcast_scaling_options *options,
                                                    parcast_scaling_pmnf **model, parcast_error *error);
PARCAST_API void parcast_scaling_pmnf_destroy(parcast_scaling_pmnf **model);

/** The chosen function; valid until the model is destroyed. */
PARCAST_API const parcast_scaling_function *parcast_scaling_pmnf_function(const parcast_scaling_pmnf *model);
/** Its quality; valid until the model is destroyed. */
PARCAST_API const parcast_scaling_quality *parcast_scaling_pmnf_quality(const parcast_scaling_pmnf *model);

/**
 * Value at a point with its 95 % prediction interval.
 *
 * The interval covers leave-one-out noise (Student's t), the uncertainty of the coefficients, and the
 * forecasts of the other hypotheses that are not clearly worse; it is built on the logarithm, so low > 0.
 *
 * @param[in]  x     [n_parameters] coordinates
 * @param[out] value, low, high  low <= value <= high, all > 0; low and high may be NULL
 * @return PARCAST_OK; PARCAST_DATA where the function is not positive (outside the range, or values that are
 *         not positive): no such forecast is given
 */
PARCAST_API parcast_status parcast_scaling_pmnf_predict(const parcast_scaling_pmnf *model, const double *x,
                                                        double *value, double *low, double *high,
                                                        parcast_error *error);

/**
 * Ordinary least squares of given terms, with leave-one-out quality.
 *
 * @param[in,out] function terms with their factors; receives the coefficients, untouched on failure
 * @param[out]    quality  may be NULL
 * @return PARCAST_OK; PARCAST_INVALID as parcast_scaling_fit_pmnf; PARCAST_DATA when the points cannot tell
 *         the terms apart
 */
PARCAST_API parcast_status parcast_scaling_fit_terms(const parcast_scaling_data *data,
                                                     parcast_scaling_function *function,
                                                     parcast_scaling_quality *quality, parcast_error *error);

/**
 * The same, and the value at a point with its 95 % prediction interval: the uncertainty of the coefficients
 * and the noise of one more measurement, by Student's t with leave-one-out errors.
 *
 * @param[in]  x     [n_parameters] coordinates
 * @param[out] value, low, high  low <= value <= high, all > 0; low and high may be NULL
 * @return as parcast_scaling_fit_terms; PARCAST_DATA where the function is not positive
 */
PARCAST_API parcast_status parcast_scaling_predict_terms(const parcast_scaling_data *data,
                                                         parcast_scaling_function *function, const double *x,
                                                         double *value, double *low, double *high,
                                                         parcast_scaling_quality *quality,
                                                         parcast_error *error);

/** A measured time of one program and problem. */
typedef struct parcast_scaling_timing {
    int processes; /**< from 1 */
    int nodes;     /**< nodes used; 0 if unknown */
    double time_s; /**< > 0 */
    double weight; /**< how many ordinary measurements it is worth; 0 counts as 1 */
} parcast_scaling_timing;

typedef struct parcast_scaling_timings parcast_scaling_timings;

/**
 * Fit times of one program at several process counts, to be extrapolated.
 *
 * Strong scaling: T(p) = W/p (1 + (p/P)^g); weak scaling: T(p) = W (1 + (p/P)^g). The overhead share and the
 * exponent g are averaged over their posterior distribution, not chosen: what the points cannot tell stays
 * open and widens the interval. Priors are general knowledge (overheads grow like log p, times that fall
 * faster than 1/p do not go on doing so), the deviation from the law is a random walk over the doublings, so
 * that the largest counts say most about what comes after them. Repetitions at equal counts are welcome.
 * Where times at equal processes on different numbers of nodes are given, the effect of processes per node is
 * fitted too.
 *
 * @param[in]  points [n_points] in any order; one is enough for a forecast with a very wide interval
 * @param[in]  weak   the problem grows with the processes
 * @param[out] model  parcast_scaling_timings_destroy; untouched on failure
 * @return PARCAST_OK; PARCAST_DATA (no point; a count, a time or a weight that is not positive, more nodes
 * than processes); PARCAST_LIMIT (more than 512 different counts); PARCAST_MEMORY
 *
 * Cost: O(1500 m^2) for m different counts: 0.4 ms for 6. A fitted model may be used by several threads.
 * Source: docs/models/scaling.md.
 */
PARCAST_API parcast_status parcast_scaling_fit_timings(const parcast_scaling_timing *points, size_t n_points,
                                                       bool weak, parcast_scaling_timings **model,
                                                       parcast_error *error);
PARCAST_API void parcast_scaling_timings_destroy(parcast_scaling_timings **model);

/** What the fit says about the program. */
typedef struct parcast_scaling_timings_summary {
    size_t n_counts;          /**< different process counts */
    int smallest, largest;    /**< of them */
    bool does_not_scale;      /**< strong: no larger count is clearly faster than the smallest: bad runs, or a
                                 problem      that is too small. The forecast holds, but it is no reason to buy
                                 nodes */
    double noise_ratio;       /**< relative deviation of the times from the law, posterior mean */
    double overhead_ratio;    /**< overhead / work at the largest count, posterior median */
    double overhead_exponent; /**< g, posterior mean; above 1 (strong) the time turns up again */
} parcast_scaling_timings_summary;
PARCAST_API parcast_scaling_timings_summary
parcast_scaling_timings_describe(const parcast_scaling_timings *model);

/**
 * Time at a process count: posterior median with the 95 % interval of one measurement.
 *
 * @param[in]  processes from 1
 * @param[in]  nodes     nodes used; 0 if unknown or as in the runs
 * @param[out] time_s, low_s, high_s  0 < low_s <= time_s <= high_s; low_s and high_s may be NULL
 * @return PARCAST_OK, PARCAST_INVALID (processes < 1, nodes < 0, more nodes than processes)
 *
 * Cost: about 1 ms.
 */
PARCAST_API parcast_status parcast_scaling_predict(const parcast_scaling_timings *model, int processes,
                                                   int nodes, double *time_s, double *low_s, double *high_s,
                                                   parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
