/* Reduction of a network to what the exact solvers need; see closed.h. */
#include "closed.h"

#include <math.h>
#include <stdlib.h>

parcast_solve_limits queueing_limits(const parcast_solve_limits *limits)
{
    parcast_solve_limits filled = {.memory_bytes = 1e9, .operations = 2e11};
    if (limits && limits->memory_bytes > 0) filled.memory_bytes = limits->memory_bytes;
    if (limits && limits->operations > 0) filled.operations = limits->operations;
    return filled;
}

/* Customers that can be at station k at once. */
static double count_visitors(const parcast_network *network, const int64_t *population, size_t k)
{
    double visitors = 0;
    for (size_t r = 0; r < network->n_classes; r++) {
        size_t i = r * network->n_stations + k;
        if (network->visits[i] * network->service_s[i] > 0) visitors += (double)population[r];
    }
    return visitors;
}

/* Rates without what cannot be reached and without repetitions at the end. */
static size_t trim_rates(const double *rate, size_t n, double visitors)
{
    if ((double)n > visitors) n = (size_t)visitors;
    while (n > 1 && rate[n - 2] == rate[n - 1]) n--;
    return n;
}

struct shape queueing_shape(const parcast_network *network, size_t k)
{
    if (network->n_rates[k] > 0)
        return (struct shape){trim_rates(network->rates[k], network->n_rates[k], INFINITY),
                              network->rates[k]};
    if (network->servers[k] == PARCAST_DELAY) return (struct shape){0, NULL};
    return (struct shape){(size_t)network->servers[k], NULL};
}

static bool never_waits(const double *rate, size_t m, double visitors)
{
    if ((double)m < visitors) return false;
    for (size_t j = 1; j < m; j++)
        if (rate[j] != rate[0] * (double)(j + 1)) return false;
    return true;
}

enum station_role queueing_classify(int servers, const double *rate, size_t n_rates, double visitors,
                                    struct shape *shape, double *factor)
{
    *factor = 1;
    *shape = (struct shape){.m = 1};
    if (visitors == 0) return STATION_UNUSED;
    if (n_rates > 0) {
        size_t m = trim_rates(rate, n_rates, visitors);
        bool delay = never_waits(rate, m, visitors);
        if (m == 1 || delay)
            *factor = 1 / rate[0];
        else
            *shape = (struct shape){.m = m, .rate = rate};
        return delay ? STATION_DELAY : STATION_QUEUE;
    }
    if (servers == PARCAST_DELAY || servers >= visitors) return STATION_DELAY;
    shape->m = (size_t)servers;
    return STATION_QUEUE;
}

static bool allocate_model(const parcast_network *network, struct closed_model *model)
{
    size_t n_classes = network->n_classes, n_stations = network->n_stations;
    model->class_of = calloc(n_classes, sizeof *model->class_of);
    model->station_of = calloc(n_stations, sizeof *model->station_of);
    model->population = calloc(n_classes, sizeof *model->population);
    model->think_s = calloc(n_classes, sizeof *model->think_s);
    model->demand_s = calloc(n_classes * n_stations, sizeof *model->demand_s);
    model->shape = calloc(n_stations, sizeof *model->shape);
    model->role = calloc(n_stations, sizeof *model->role);
    model->delay_factor = calloc(n_stations, sizeof *model->delay_factor);
    return model->class_of && model->station_of && model->population && model->think_s && model->demand_s &&
           model->shape && model->role && model->delay_factor;
}

void queueing_closed_destroy(struct closed_model *model)
{
    free(model->class_of);
    free(model->station_of);
    free(model->population);
    free(model->think_s);
    free(model->demand_s);
    free(model->shape);
    free(model->role);
    free(model->delay_factor);
    *model = (struct closed_model){0};
}

static void add_classes(const parcast_network *network, const int64_t *population, struct closed_model *model)
{
    for (size_t r = 0; r < network->n_classes; r++) {
        if (population[r] == 0) continue;
        size_t c = model->n_classes++;
        model->class_of[c] = r;
        model->population[c] = (size_t)population[r];
        model->think_s[c] = network->think_time_s[r];
    }
}

static double network_demand(const parcast_network *network, size_t r, size_t k)
{
    return network->visits[r * network->n_stations + k] * network->service_s[r * network->n_stations + k];
}

/* Queues first get their columns; the demand matrix is filled when their number is known. */
static void add_demands(const parcast_network *network, const double *factor, struct closed_model *model)
{
    for (size_t c = 0; c < model->n_classes; c++)
        for (size_t q = 0; q < model->n_stations; q++) {
            size_t k = model->station_of[q];
            model->demand_s[c * model->n_stations + q] =
                network_demand(network, model->class_of[c], k) * factor[k];
        }
    for (size_t k = 0; k < network->n_stations; k++) {
        if (model->role[k] != STATION_DELAY) continue;
        for (size_t c = 0; c < model->n_classes; c++)
            model->think_s[c] += network_demand(network, model->class_of[c], k) * factor[k];
    }
}

parcast_status queueing_closed_create(const parcast_network *network, const int64_t *population,
                                      const double *slowdown, struct closed_model *model,
                                      parcast_error *error)
{
    *model = (struct closed_model){.n_all_stations = network->n_stations, .single_servers = true};
    if (!allocate_model(network, model)) {
        queueing_closed_destroy(model);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    }
    add_classes(network, population, model);
    for (size_t k = 0; k < network->n_stations; k++) {
        struct shape shape;
        double visitors = count_visitors(network, population, k);
        model->role[k] = queueing_classify(network->servers[k], network->rates[k], network->n_rates[k],
                                           visitors, &shape, &model->delay_factor[k]);
        if (slowdown) model->delay_factor[k] *= slowdown[k];
        if (model->role[k] != STATION_QUEUE) continue;
        model->shape[model->n_stations] = shape;
        model->station_of[model->n_stations++] = k;
        model->single_servers = model->single_servers && shape.m == 1;
    }
    add_demands(network, model->delay_factor, model);
    return PARCAST_OK;
}

parcast_status queueing_result_create(const struct closed_model *model, struct closed_result *result,
                                      parcast_error *error)
{
    size_t n_queues = model->n_classes * model->n_stations;
    result->throughput_per_s = calloc(model->n_classes + 1, sizeof *result->throughput_per_s);
    result->queue = calloc(n_queues + 1, sizeof *result->queue);
    if (result->throughput_per_s && result->queue) return PARCAST_OK;
    queueing_result_destroy(result);
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a solution");
}

void queueing_result_destroy(struct closed_result *result)
{
    free(result->throughput_per_s);
    free(result->queue);
    *result = (struct closed_result){0};
}
