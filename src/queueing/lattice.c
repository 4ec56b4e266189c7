/*
 * Several closed classes, exactly: what the lattice solvers share, and the choice between them.
 *
 * Single servers and delays take mean value analysis over the lattice (mva.c), the others Horner's rule
 * (lattice_kernel.h) in doubles, with tilts t_r from an approximate solution, or in wide numbers when N does
 * not lie in the bulk of the tilted distribution.
 */
#include "lattice.h"

#include <math.h>
#include <stdlib.h>

static double count_points(const struct closed_model *model)
{
    double n_points = 1;
    for (size_t c = 0; c < model->n_classes; c++) n_points *= (double)model->population[c] + 1;
    return n_points;
}

parcast_status queueing_lattice_refuse(const struct closed_model *model, double bytes, parcast_error *error)
{
    parcast_error_set(
        error, PARCAST_LIMIT, NULL, 0,
        "the lattice of %zu classes has %.0f points (%.3g bytes): too large for an exact solution",
        model->n_classes, count_points(model), bytes);
    parcast_error_hint(error, "the method linearizer takes any size");
    return PARCAST_LIMIT;
}

static void sort_classes(const struct closed_model *model, struct lattice *lattice)
{
    for (size_t c = 0; c < model->n_classes; c++) {
        size_t i = c;
        for (; i > 0 && model->population[lattice->class_of[i - 1]] < model->population[c]; i--)
            lattice->class_of[i] = lattice->class_of[i - 1];
        lattice->class_of[i] = c;
    }
    size_t stride = 1;
    for (size_t r = 0; r < model->n_classes; r++) {
        lattice->population[r] = model->population[lattice->class_of[r]];
        lattice->stride[r] = stride;
        stride *= lattice->population[r] + 1;
    }
    lattice->n_points = stride;
}

parcast_status queueing_lattice_create(const struct closed_model *model, double operations_per_point,
                                       const parcast_solve_limits *limits, struct lattice *lattice,
                                       parcast_error *error)
{
    *lattice = (struct lattice){.n_classes = model->n_classes};
    if (count_points(model) * operations_per_point > limits->operations || count_points(model) > 1e15)
        return queueing_lattice_refuse(model, 8 * count_points(model), error);
    lattice->class_of = calloc(model->n_classes, sizeof *lattice->class_of);
    lattice->population = calloc(model->n_classes, sizeof *lattice->population);
    lattice->stride = calloc(model->n_classes, sizeof *lattice->stride);
    lattice->tilt = calloc(model->n_classes, sizeof *lattice->tilt);
    if (!lattice->class_of || !lattice->population || !lattice->stride || !lattice->tilt) {
        queueing_lattice_destroy(lattice);
        parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu classes", model->n_classes);
        return PARCAST_MEMORY;
    }
    sort_classes(model, lattice);
    return PARCAST_OK;
}

void queueing_lattice_destroy(struct lattice *lattice)
{
    free(lattice->class_of);
    free(lattice->population);
    free(lattice->stride);
    free(lattice->tilt);
    *lattice = (struct lattice){0};
}

/* Keep every geometric tail convergent: sum_r t_r D_rk <= a_k(m), or doubles overflow within one sweep. */
static void limit_tilt(const struct closed_model *model, struct lattice *lattice)
{
    double overload = 1;
    for (size_t k = 0; k < model->n_stations; k++) {
        double load = 0;
        for (size_t r = 0; r < model->n_classes; r++)
            load += lattice->tilt[r] * model->demand_s[lattice->class_of[r] * model->n_stations + k];
        overload = fmax(overload, load / shape_rate(&model->shape[k], model->shape[k].m));
    }
    for (size_t r = 0; r < model->n_classes; r++) lattice->tilt[r] /= overload;
}

static double count_passes(const struct closed_model *model)
{
    double passes = 0;
    for (size_t k = 0; k < model->n_stations; k++) passes += (double)model->shape[k].m;
    return passes;
}

parcast_status queueing_lattice_solve(const struct closed_model *model, const parcast_solve_limits *limits,
                                      struct closed_result *result, parcast_error *error)
{
    struct lattice lattice;
    double operations_per_point = 4 * count_passes(model) * (double)model->n_classes;
    parcast_status status = queueing_lattice_create(model, operations_per_point, limits, &lattice, error);
    if (status) return status;
    status = queueing_approximate_throughput(model, result->throughput_per_s, error);
    if (status) goto destroy_lattice;
    for (size_t r = 0; r < model->n_classes; r++)
        lattice.tilt[r] = result->throughput_per_s[lattice.class_of[r]];
    limit_tilt(model, &lattice);
    status = queueing_lattice_double(model, &lattice, limits->memory_bytes, result, error);
    if (status == PARCAST_NOT_CONVERGED)
        status = queueing_lattice_wide(model, &lattice, limits->memory_bytes, result, error);

destroy_lattice:
    queueing_lattice_destroy(&lattice);
    return status;
}
