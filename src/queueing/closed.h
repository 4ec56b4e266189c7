/**
 * A closed network as the exact solvers see it: only classes with customers, only stations where they can
 * wait, delays added up in the think time, open classes replaced by slower service.
 */
#ifndef PARCAST_QUEUEING_CLOSED_H
#define PARCAST_QUEUEING_CLOSED_H

#include "parcast/queueing.h"

/** Service rates a(1..m) relative to one server, constant from m on. A single server has m = 1, a(1) = 1. */
struct shape {
    size_t m;
    const double *rate; /**< [m], lent by the network; NULL: a(j) = j */
};

static inline double shape_rate(const struct shape *shape, size_t j)
{
    return shape->rate ? shape->rate[j - 1] : (double)j;
}

enum station_role {
    STATION_UNUSED, /**< no demand of a closed class */
    STATION_DELAY,  /**< nobody can wait here: residence is the demand over first_rate */
    STATION_QUEUE,
};

struct closed_model {
    size_t n_classes;        /**< classes with customers */
    size_t n_stations;       /**< stations of role STATION_QUEUE */
    size_t n_all_stations;   /**< stations of the network */
    size_t *class_of;        /**< [n_classes] index in the network */
    size_t *station_of;      /**< [n_stations] index in the network */
    size_t *population;      /**< [n_classes] >= 1 */
    double *think_s;         /**< [n_classes] Z and all delays */
    double *demand_s;        /**< [n_classes][n_stations] */
    struct shape *shape;     /**< [n_stations] */
    bool single_servers;     /**< every shape has m = 1 */
    enum station_role *role; /**< [n_all_stations] */
    double *delay_factor;    /**< [n_all_stations] residence over demand where the role is STATION_DELAY */
};

/**
 * @param[in]  population  [R] customers per class of the network; may differ from network->population
 * @param[in]  slowdown    [K] factor on every closed demand at the station, or NULL for 1
 */
parcast_status queueing_closed_create(const parcast_network *network, const int64_t *population,
                                      const double *slowdown, struct closed_model *model,
                                      parcast_error *error);
void queueing_closed_destroy(struct closed_model *model);

/** Throughput [n_classes] and queue lengths [n_classes][n_stations] of a closed_model. */
struct closed_result {
    double *throughput_per_s;
    double *queue;
};
parcast_status queueing_result_create(const struct closed_model *model, struct closed_result *result,
                                      parcast_error *error);
void queueing_result_destroy(struct closed_result *result);

/** The limits with defaults filled in. */
parcast_solve_limits queueing_limits(const parcast_solve_limits *limits);

/** Dispatch to the exact solver that fits. */
parcast_status queueing_solve_exact(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, parcast_error *error);

/**
 * One class. The second result, at one customer less, may be NULL.
 * The curve, X(1..N), may be NULL.
 */
parcast_status queueing_mva_single(const struct closed_model *model, const parcast_solve_limits *limits,
                                   struct closed_result *result, struct closed_result *previous,
                                   double *curve, parcast_error *error);
parcast_status queueing_convolution(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, struct closed_result *previous,
                                    parcast_error *error);

/** The same without queue lengths, at every population 1..N. */
parcast_status queueing_convolution_curve(const struct closed_model *model,
                                          const parcast_solve_limits *limits, double *curve,
                                          parcast_error *error);

/** An empty solution, and the closed classes of one at the given populations (see queueing_closed_create). */
parcast_status queueing_solution_create(const parcast_network *network, parcast_solution **solution,
                                        parcast_error *error);
parcast_status queueing_solve_closed(const parcast_network *network, parcast_solve_method method,
                                     const int64_t *population, const parcast_solve_limits *limits,
                                     const double *slowdown, parcast_solution *solution,
                                     parcast_error *error);
void queueing_fill_closed(const parcast_network *network, const struct closed_model *model,
                          const struct closed_result *result, parcast_solution *solution);

/** Several classes: mean value analysis over the lattice, or Horner's rule on it. */
parcast_status queueing_mva_lattice(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, parcast_error *error);
parcast_status queueing_lattice_solve(const struct closed_model *model, const parcast_solve_limits *limits,
                                      struct closed_result *result, parcast_error *error);

/** Schweitzer or Linearizer, private stations in closed form; see approximate.c. */
parcast_status queueing_approximate(const struct closed_model *model, parcast_solve_method method,
                                    const parcast_solve_limits *limits, struct closed_result *result,
                                    parcast_error *error);

/** Rough throughputs [n_classes] of any closed model, good to a few percent. */
parcast_status queueing_approximate_throughput(const struct closed_model *model, double *throughput_per_s,
                                               parcast_error *error);

/**
 * Mean number at a station of this shape that n customers visit, with a delay between two visits.
 *
 * @param[out] idle      mean number elsewhere, n - mean without its cancellation; may be NULL
 * @param[out] variance  of the number at the station; may be NULL
 *
 * The mean does not decrease with demand: d mean / d ln demand = variance = - d mean / d ln delay.
 */
double queueing_finite_source(const struct shape *shape, size_t n, double demand_s, double delay_s,
                              double *idle, double *variance);

/** Role, shape, and factor on the demand (1/a(1) where that is all that remains of rates), for so many
 * visitors. */
enum station_role queueing_classify(int servers, const double *rate, size_t n_rates, double visitors,
                                    struct shape *shape, double *factor);

/** Shape of a station without regard to how many customers there are; a delay has m = 0. */
struct shape queueing_shape(const parcast_network *network, size_t k);

/**
 * Mean number at an open station of this shape with offered load y (y < rate[m-1]), and its derivative.
 * The generating function is sum_j y^j / (a(1)...a(j)) x^j.
 */
double queueing_open_mean(const struct shape *shape, double y);

/** The tilt: root t of Z t + sum_k mean_k(t D_k) = N. */
double queueing_tilt(const struct closed_model *model);

#endif
