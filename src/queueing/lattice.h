/** The lattice of populations 0..N_r of several closed classes, for the solvers that walk over all of it. */
#ifndef PARCAST_QUEUEING_LATTICE_H
#define PARCAST_QUEUEING_LATTICE_H

#include "closed.h"

struct lattice {
    size_t n_classes;
    size_t n_points;    /**< prod (N_r + 1) */
    size_t *class_of;   /**< [n_classes] class of the model; the one with most customers comes first */
    size_t *population; /**< [n_classes] */
    size_t *stride;     /**< [n_classes] */
    double *tilt;       /**< [n_classes] t_r [1/s], near X_r */
};

/** PARCAST_LIMIT with the size of the lattice when points * operations_per_point exceed the limit. */
parcast_status queueing_lattice_create(const struct closed_model *model, double operations_per_point,
                                       const parcast_solve_limits *limits, struct lattice *lattice,
                                       parcast_error *error);
void queueing_lattice_destroy(struct lattice *lattice);

/** The refusal of a lattice that would take so many bytes. */
parcast_status queueing_lattice_refuse(const struct closed_model *model, double bytes, parcast_error *error);

/** Horner's rule on the lattice in doubles; PARCAST_NOT_CONVERGED without a text when their range is too
 * small. */
parcast_status queueing_lattice_double(const struct closed_model *model, const struct lattice *lattice,
                                       double memory_bytes, struct closed_result *result,
                                       parcast_error *error);
/** The same in wide numbers; always fits. */
parcast_status queueing_lattice_wide(const struct closed_model *model, const struct lattice *lattice,
                                     double memory_bytes, struct closed_result *result, parcast_error *error);

#endif
