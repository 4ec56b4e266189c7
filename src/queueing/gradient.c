/*
 * How throughputs answer to demands, and the throughput at every population.
 *
 * The normalising constant has d ln G(N)/d ln D_rk = Q_rk(N), and X_s = G(N - e_s)/G(N). Hence
 *     d ln X_s / d ln D_rk = Q_rk(N - e_s) - Q_rk(N),
 *     d ln X_s / d ln Z_r  = Z_r (X_r(N - e_s) - X_r(N)),
 * exact, without a difference quotient. An open class r slows the closed ones at a single server down by
 * 1/(1 - rho): its demand acts on X_s like a common change of the closed demands by rho_r/(capacity - rho).
 * Scaling all times by one factor scales X by its inverse, so the elasticities of a class sum to -1.
 * Source: de Souza e Silva and Muntz, Simple relationships among moments of queue lengths, 1988;
 * docs/models/queueing.md.
 */
#include <stdlib.h>
#include <string.h>

#include "open.h"

void parcast_gradient_destroy(parcast_gradient **gradient)
{
    if (!gradient || !*gradient) return;
    free((*gradient)->demand);
    free((*gradient)->think);
    free(*gradient);
    *gradient = NULL;
}

static parcast_status create(const parcast_network *network, parcast_gradient **gradient,
                             parcast_error *error)
{
    size_t n_classes = network->n_classes, n_stations = network->n_stations;
    if ((double)n_classes * (double)n_classes * (double)n_stations > 1e8)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "the gradient of %zu classes by %zu stations",
                                 n_classes, n_stations);
    parcast_gradient *made = calloc(1, sizeof *made);
    if (!made) goto out_of_memory;
    made->n_classes = n_classes;
    made->n_stations = n_stations;
    made->demand = calloc(n_classes * n_classes * n_stations, sizeof *made->demand);
    made->think = calloc(n_classes * n_classes, sizeof *made->think);
    if (!made->demand || !made->think) goto out_of_memory;
    *gradient = made;
    return PARCAST_OK;

out_of_memory:
    parcast_gradient_destroy(&made);
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a gradient");
}

/* The rows of class s from the solutions with and without one customer of it. */
static void fill_class(const parcast_network *network, size_t s, const parcast_solution *full,
                       const parcast_solution *less, const double *slowdown, parcast_gradient *gradient)
{
    size_t n_classes = network->n_classes, n_stations = network->n_stations;
    double *demand = gradient->demand + s * n_classes * n_stations;
    for (size_t r = 0; r < n_classes; r++) {
        gradient->think[s * n_classes + r] =
            network->think_time_s[r] * (less->throughput_per_s[r] - full->throughput_per_s[r]);
        for (size_t k = 0; k < n_stations; k++) {
            size_t i = r * n_stations + k;
            demand[i] = less->queue_length[i] - full->queue_length[i];
        }
    }
    for (size_t k = 0; k < n_stations; k++) {
        if (slowdown[k] == 1) continue;
        struct shape shape = queueing_shape(network, k);
        double capacity = shape_rate(&shape, shape.m), closed = 0;
        for (size_t r = 0; r < n_classes; r++) closed += demand[r * n_stations + k];
        for (size_t r = 0; r < n_classes; r++) {
            size_t i = r * n_stations + k;
            double load = network->arrival_rate_per_s[r] * network->visits[i] * network->service_s[i];
            demand[i] += closed * slowdown[k] * load / capacity;
        }
    }
}

/* One closed class: both populations from one run. */
static parcast_status solve_one(const parcast_network *network, size_t s, const parcast_solve_limits *limits,
                                const double *slowdown, parcast_solution *full, parcast_solution *less,
                                parcast_error *error)
{
    struct closed_model model;
    struct closed_result result = {0}, previous = {0};
    parcast_status status = queueing_closed_create(network, network->population, slowdown, &model, error);
    if (status) return status;
    status = queueing_result_create(&model, &result, error);
    if (!status) status = queueing_result_create(&model, &previous, error);
    if (status) goto destroy_model;
    if (model.n_stations == 0) {
        status = queueing_solve_exact(&model, limits, &result, error);
        previous.throughput_per_s[0] = (double)(network->population[s] - 1) / model.think_s[0];
    } else if (model.single_servers) {
        status = queueing_mva_single(&model, limits, &result, &previous, NULL, error);
    } else {
        status = queueing_convolution(&model, limits, &result, &previous, error);
    }
    if (status) goto destroy_model;
    queueing_fill_closed(network, &model, &result, full);
    queueing_fill_closed(network, &model, &previous, less);

destroy_model:
    queueing_result_destroy(&result);
    queueing_result_destroy(&previous);
    queueing_closed_destroy(&model);
    return status;
}

static parcast_status solve_less(const parcast_network *network, size_t s, const parcast_solve_limits *limits,
                                 const double *slowdown, parcast_solution *less, parcast_error *error)
{
    int64_t *population = malloc(network->n_classes * sizeof *population);
    if (!population) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a gradient");
    memcpy(population, network->population, network->n_classes * sizeof *population);
    population[s]--;
    parcast_status status =
        queueing_solve_closed(network, PARCAST_SOLVE_EXACT, population, limits, slowdown, less, error);
    free(population);
    return status;
}

static void clear(parcast_solution *solution)
{
    size_t n_cells = solution->n_classes * solution->n_stations;
    memset(solution->throughput_per_s, 0, solution->n_classes * sizeof *solution->throughput_per_s);
    memset(solution->queue_length, 0, n_cells * sizeof *solution->queue_length);
}

static parcast_status fill(const parcast_network *network, const parcast_solve_limits *limits,
                           const double *slowdown, parcast_solution *full, parcast_solution *less,
                           parcast_gradient *gradient, parcast_error *error)
{
    size_t n_closed = 0, last = 0;
    for (size_t s = 0; s < network->n_classes; s++) {
        if (network->population[s] == 0) continue;
        n_closed++;
        last = s;
    }
    parcast_status status = PARCAST_OK;
    if (n_closed == 1) {
        status = solve_one(network, last, limits, slowdown, full, less, error);
        if (!status) fill_class(network, last, full, less, slowdown, gradient);
        return status;
    }
    status = queueing_solve_closed(network, PARCAST_SOLVE_EXACT, network->population, limits, slowdown, full,
                                   error);
    for (size_t s = 0; !status && s < network->n_classes; s++) {
        if (network->population[s] == 0) continue;
        clear(less);
        status = solve_less(network, s, limits, slowdown, less, error);
        if (!status) fill_class(network, s, full, less, slowdown, gradient);
    }
    return status;
}

parcast_status parcast_network_gradient(const parcast_network *network, const parcast_solve_limits *limits,
                                        parcast_gradient **gradient, parcast_error *error)
{
    parcast_solve_limits filled = queueing_limits(limits);
    parcast_solution *full = NULL, *less = NULL;
    parcast_gradient *made = NULL;
    double *slowdown = NULL;
    parcast_status status = parcast_network_validate(network, error);
    if (status) return status;
    slowdown = calloc(network->n_stations, sizeof *slowdown);
    if (!slowdown) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a gradient");
    status = queueing_open_slowdown(network, slowdown, error);
    if (!status) status = queueing_solution_create(network, &full, error);
    if (!status) status = queueing_solution_create(network, &less, error);
    if (!status) status = create(network, &made, error);
    if (!status) status = fill(network, &filled, slowdown, full, less, made, error);
    free(slowdown);
    parcast_solution_destroy(&full);
    parcast_solution_destroy(&less);
    if (status)
        parcast_gradient_destroy(&made);
    else
        *gradient = made;
    return status;
}

static parcast_status fill_curve(const struct closed_model *model, const parcast_solve_limits *limits,
                                 double *throughput_per_s, parcast_error *error)
{
    struct closed_result result = {0};
    if (model->n_stations == 0) {
        for (size_t n = 1; n <= model->population[0]; n++)
            throughput_per_s[n - 1] = (double)n / model->think_s[0];
        return PARCAST_OK;
    }
    if (!model->single_servers) return queueing_convolution_curve(model, limits, throughput_per_s, error);
    parcast_status status = queueing_result_create(model, &result, error);
    if (!status) status = queueing_mva_single(model, limits, &result, NULL, throughput_per_s, error);
    queueing_result_destroy(&result);
    return status;
}

parcast_status parcast_network_throughput_curve(const parcast_network *network,
                                                const parcast_solve_limits *limits, double *throughput_per_s,
                                                parcast_error *error)
{
    parcast_solve_limits filled = queueing_limits(limits);
    struct closed_model model;
    parcast_status status = parcast_network_validate(network, error);
    if (status) return status;
    if (network->n_classes != 1 || network->population[0] == 0)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                                 "a throughput curve is for one closed class with customers");
    status = queueing_closed_create(network, network->population, NULL, &model, error);
    if (status) return status;
    status = fill_curve(&model, &filled, throughput_per_s, error);
    queueing_closed_destroy(&model);
    return status;
}
