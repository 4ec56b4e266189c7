/** Inside of the solver for clusters; see nodes_core.c. */
#ifndef PARCAST_QUEUEING_NODES_H
#define PARCAST_QUEUEING_NODES_H

#include "closed.h"

/** Jobs of a type at a kind of single-server station. */
struct link {
    size_t type;
    size_t station;    /**< unknown of its queue */
    size_t time;       /**< index of the demand in time_s */
    bool own;          /**< station of the job's own node */
    double in_cycle;   /**< stations of the kind that a job meets */
    double at_station; /**< classes of the type that such a station meets */
};

/**
 * The equations of one network. Unknowns: queues [n_stations] (shared [T][Q], then global [G]), then
 * throughputs of a node [T].
 */
struct core {
    const parcast_node_network *network;
    size_t n_stations, n_unknowns, n_links;
    struct link *link;     /**< [n_links] */
    double *correction;    /**< [n_links] added to the queue that an arriving job sees */
    double *unknown;       /**< [n_unknowns] */
    double *residual;      /**< [n_unknowns] */
    double *step;          /**< [n_unknowns] */
    double *matrix;        /**< [n_unknowns]^2 by columns; its factors after queueing_core_solve */
    int *pivot;            /**< [n_unknowns] */
    double *residence_s;   /**< [n_links] at one station */
    double *cycle_s;       /**< [T] */
    double *outside_s;     /**< [T] cycle without the private stations */
    double *slope;         /**< [T] d cycle / d outside */
    double *private_slope; /**< [T][P] d cycle / d private demand */
};

parcast_status queueing_core_create(const parcast_node_network *network, struct core *core,
                                    parcast_error *error);
void queueing_core_destroy(struct core *core);

/**
 * Solve the equations with the corrections as they stand; leaves the factors of the Jacobian in the matrix.
 *
 * @param[in] guess  [n_unknowns] where to start, or NULL
 */
parcast_status queueing_core_solve(struct core *core, const double *guess, parcast_error *error);

/**
 * Derivative of a quantity that depends on the unknowns, by the adjoint equation.
 *
 * @param[in,out] adjoint   [n_unknowns] in: d quantity / d unknown; out: the solution of the adjoint equation
 * @param[in,out] gradient  [n_times] d quantity / d time_s is added
 */
void queueing_core_adjoint(const struct core *core, double *adjoint, double *gradient);

/** d quantity / d correction of a link, from the solution of the adjoint equation. */
double queueing_core_correction_slope(const struct core *core, const double *adjoint, size_t link);

/** Partial derivatives of the residence of a link. */
struct residence_slopes {
    double demand, queue, throughput;
};
struct residence_slopes queueing_core_residence_slopes(const struct core *core, size_t link);

/**
 * Cycle time of the n jobs of a node, `outside_s` of it spent elsewhere, and its derivatives.
 *
 * @param[out] slope          d cycle / d outside
 * @param[out] private_slope  [P] d cycle / d demand
 */
parcast_status queueing_nodes_private_cycle(const parcast_node_network *network, size_t type,
                                            double outside_s, double *cycle_s, double *slope,
                                            double *private_slope, parcast_error *error);

#endif
