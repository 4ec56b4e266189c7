/* From a network to a solution: choose the solver, give its result back per class and station. */
#include <math.h>
#include <stdlib.h>

#include "open.h"

const char *parcast_solve_method_name(parcast_solve_method method)
{
    switch (method) {
    case PARCAST_SOLVE_EXACT:
        return "exact";
    case PARCAST_SOLVE_SCHWEITZER:
        return "schweitzer";
    case PARCAST_SOLVE_LINEARIZER:
        return "linearizer";
    }
    return "unknown";
}

void parcast_solution_destroy(parcast_solution **solution)
{
    if (!solution || !*solution) return;
    free((*solution)->throughput_per_s);
    free((*solution)->response_s);
    free((*solution)->queue_length);
    free((*solution)->residence_s);
    free((*solution)->utilization);
    free((*solution)->has_utilization);
    free(*solution);
    *solution = NULL;
}

parcast_status queueing_solution_create(const parcast_network *network, parcast_solution **solution,
                                        parcast_error *error)
{
    size_t n_classes = network->n_classes, n_stations = network->n_stations;
    parcast_solution *made = calloc(1, sizeof *made);
    if (!made) goto out_of_memory;
    made->n_classes = n_classes;
    made->n_stations = n_stations;
    made->throughput_per_s = calloc(n_classes, sizeof *made->throughput_per_s);
    made->response_s = calloc(n_classes, sizeof *made->response_s);
    made->queue_length = calloc(n_classes * n_stations, sizeof *made->queue_length);
    made->residence_s = calloc(n_classes * n_stations, sizeof *made->residence_s);
    made->utilization = calloc(n_classes * n_stations, sizeof *made->utilization);
    made->has_utilization = calloc(n_stations, sizeof *made->has_utilization);
    if (!made->throughput_per_s || !made->response_s || !made->queue_length || !made->residence_s ||
        !made->utilization || !made->has_utilization)
        goto out_of_memory;
    for (size_t k = 0; k < n_stations; k++) made->has_utilization[k] = network->n_rates[k] == 0;
    *solution = made;
    return PARCAST_OK;

out_of_memory:
    parcast_solution_destroy(&made);
    parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a solution");
    return PARCAST_MEMORY;
}

parcast_status queueing_solve_exact(const struct closed_model *model, const parcast_solve_limits *limits,
                                    struct closed_result *result, parcast_error *error)
{
    if (model->n_stations == 0) { /* nobody ever waits */
        for (size_t c = 0; c < model->n_classes; c++)
            result->throughput_per_s[c] = (double)model->population[c] / model->think_s[c];
        return PARCAST_OK;
    }
    if (model->n_classes == 1 && model->single_servers)
        return queueing_mva_single(model, limits, result, NULL, NULL, error);
    if (model->n_classes == 1) return queueing_convolution(model, limits, result, NULL, error);
    if (model->single_servers) return queueing_mva_lattice(model, limits, result, error);
    return queueing_lattice_solve(model, limits, result, error);
}

/* Closed classes: Q at queues as found, at delays by Little's law. */
void queueing_fill_closed(const parcast_network *network, const struct closed_model *model,
                          const struct closed_result *result, parcast_solution *solution)
{
    size_t n_stations = network->n_stations;
    for (size_t c = 0; c < model->n_classes; c++) {
        size_t r = model->class_of[c];
        double throughput_per_s = solution->throughput_per_s[r] = result->throughput_per_s[c];
        for (size_t k = 0; k < n_stations; k++) {
            size_t i = r * n_stations + k;
            if (model->role[k] != STATION_DELAY) continue;
            solution->residence_s[i] = network->visits[i] * network->service_s[i] * model->delay_factor[k];
            solution->queue_length[i] = throughput_per_s * solution->residence_s[i];
        }
        for (size_t q = 0; q < model->n_stations; q++) {
            size_t i = r * n_stations + model->station_of[q];
            solution->queue_length[i] = result->queue[c * model->n_stations + q];
            solution->residence_s[i] =
                throughput_per_s > 0 ? solution->queue_length[i] / throughput_per_s : 0;
        }
    }
}

/* What follows from throughput and residence; refuses numbers that left the range of double. */
static parcast_status complete(const parcast_network *network, parcast_solution *solution,
                               parcast_error *error)
{
    size_t n_stations = network->n_stations;
    for (size_t r = 0; r < network->n_classes; r++)
        for (size_t k = 0; k < n_stations; k++) {
            size_t i = r * n_stations + k;
            double load = solution->throughput_per_s[r] * network->visits[i] * network->service_s[i];
            int servers = network->servers[k] == PARCAST_DELAY ? 1 : network->servers[k];
            if (solution->has_utilization[k]) solution->utilization[i] = load / servers;
            solution->response_s[r] += solution->residence_s[i];
            if (!isfinite(solution->response_s[r]) || !isfinite(solution->throughput_per_s[r]) ||
                !isfinite(solution->queue_length[i]))
                return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                         "the times of class %zu are too large or too small to compute with",
                                         r);
        }
    return PARCAST_OK;
}

parcast_status queueing_solve_closed(const parcast_network *network, parcast_solve_method method,
                                     const int64_t *population, const parcast_solve_limits *limits,
                                     const double *slowdown, parcast_solution *solution, parcast_error *error)
{
    struct closed_model model;
    struct closed_result result = {0};
    parcast_status status = queueing_closed_create(network, population, slowdown, &model, error);
    if (status) return status;
    status = queueing_result_create(&model, &result, error);
    if (status) goto destroy_model;
    if (method == PARCAST_SOLVE_EXACT || model.n_stations == 0)
        status = queueing_solve_exact(&model, limits, &result, error);
    else
        status = queueing_approximate(&model, method, limits, &result, error);
    if (!status) queueing_fill_closed(network, &model, &result, solution);
    queueing_result_destroy(&result);
destroy_model:
    queueing_closed_destroy(&model);
    return status;
}

parcast_status queueing_solve_mixed(const parcast_network *network, parcast_solve_method method,
                                    const parcast_solve_limits *limits, parcast_solution *solution,
                                    parcast_error *error)
{
    double *slowdown = calloc(network->n_stations, sizeof *slowdown);
    if (!slowdown) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    parcast_status status = queueing_open_slowdown(network, slowdown, error);
    if (!status)
        status =
            queueing_solve_closed(network, method, network->population, limits, slowdown, solution, error);
    if (!status) queueing_open_fill(network, slowdown, solution);
    free(slowdown);
    return status;
}

parcast_status parcast_network_solve(const parcast_network *network, parcast_solve_method method,
                                     const parcast_solve_limits *limits, parcast_solution **solution,
                                     parcast_error *error)
{
    parcast_solution *made = NULL;
    parcast_solve_limits filled = queueing_limits(limits);
    parcast_status status = parcast_network_validate(network, error);
    if (!status) status = queueing_solution_create(network, &made, error);
    if (!status && method == PARCAST_SOLVE_EXACT && queueing_mixed_meet(network))
        status = queueing_solve_meeting(network, &filled, made, error);
    else if (!status)
        status = queueing_solve_mixed(network, method, &filled, made, error);
    if (!status) status = complete(network, made, error);
    if (status) {
        parcast_solution_destroy(&made);
        return status;
    }
    *solution = made;
    return PARCAST_OK;
}
