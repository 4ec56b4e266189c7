/*
 * The private stations of a node: n jobs, delay Z outside, exactly.
 *
 * One station that queues is queueing_finite_source: with q jobs there, C = n Z/(n - q), and with the
 * variance v of their number d ln C/d ln D = v/(n - q), d ln C/d ln Z = 1 - v/(n - q). Several are a closed
 * network of one class: C = n/X, d C/d D_p = (C/D_p)(Q_p(n) - Q_p(n-1)), d C/d Z = C (X(n) - X(n-1)). A
 * station without demand would at first only delay: d C/d D = (d C/d Z)/a(1).
 */
#include <stdlib.h>

#include "nodes.h"

/* The private stations of a type that queue; those that cannot are in the delay. */
struct queues {
    size_t n;
    size_t *station;     /* [n] p */
    double *demand_s;    /* [n] */
    double *factor;      /* [P] */
    struct shape *shape; /* [n] */
    double delay_s;
};

static void collect(const parcast_node_network *network, size_t type, double outside_s, struct queues *queues)
{
    queues->delay_s = outside_s;
    for (size_t p = 0; p < network->n_private; p++) {
        size_t i = type * network->n_private + p;
        double demand_s = network->time_s[parcast_nodes_private(network, type, p)];
        struct shape shape;
        enum station_role role =
            queueing_classify(network->servers[i], network->rates[i], network->n_rates[i],
                              (double)network->jobs[type], &shape, &queues->factor[p]);
        if (role != STATION_QUEUE || demand_s == 0) {
            double first = network->n_rates[i] > 0 ? network->rates[i][0] : 1;
            queues->factor[p] = 1 / first;
            queues->delay_s += demand_s / first;
            continue;
        }
        queues->station[queues->n] = p;
        queues->demand_s[queues->n] = demand_s * queues->factor[p];
        queues->shape[queues->n++] = shape;
    }
}

static void solve_one(const struct queues *queues, size_t n, double *cycle_s, double *slope,
                      double *private_slope)
{
    const struct shape *shape = &queues->shape[0];
    double demand_s = queues->demand_s[0], delay_s = queues->delay_s, idle = 0, variance = 0;
    if (delay_s > 0) {
        (void)queueing_finite_source(shape, n, demand_s, delay_s, &idle, &variance);
        *cycle_s = (double)n * delay_s / idle;
        *slope = *cycle_s / delay_s * (1 - variance / idle);
        private_slope[queues->station[0]] = *cycle_s / demand_s * variance / idle;
    } else { /* all jobs are always there; the slope is the limit for a short delay */
        double full = shape_rate(shape, n < shape->m ? n : shape->m);
        double less = shape_rate(shape, n - 1 < shape->m ? n - 1 : shape->m);
        *cycle_s = (double)n * demand_s / full;
        *slope = (double)n * (1 - less / full);
        private_slope[queues->station[0]] = (double)n / full;
    }
    private_slope[queues->station[0]] *= queues->factor[queues->station[0]];
}

static parcast_status solve_several(const struct queues *queues, size_t n, double *cycle_s, double *slope,
                                    double *private_slope, parcast_error *error)
{
    size_t population = n;
    double think_s = queues->delay_s;
    struct closed_model model = {.n_classes = 1,
                                 .n_stations = queues->n,
                                 .population = &population,
                                 .think_s = &think_s,
                                 .demand_s = queues->demand_s,
                                 .shape = queues->shape,
                                 .single_servers = true};
    struct closed_result result = {0}, previous = {0};
    parcast_solve_limits limits = queueing_limits(NULL);
    for (size_t i = 0; i < queues->n; i++)
        model.single_servers = model.single_servers && queues->shape[i].m == 1;
    parcast_status status = queueing_result_create(&model, &result, error);
    if (!status) status = queueing_result_create(&model, &previous, error);
    if (status) goto destroy_results;
    status = model.single_servers ? queueing_mva_single(&model, &limits, &result, &previous, NULL, error)
                                  : queueing_convolution(&model, &limits, &result, &previous, error);
    if (status) goto destroy_results;
    *cycle_s = (double)n / result.throughput_per_s[0];
    *slope = *cycle_s * (result.throughput_per_s[0] - previous.throughput_per_s[0]);
    for (size_t i = 0; i < queues->n; i++) {
        size_t p = queues->station[i];
        private_slope[p] =
            *cycle_s / queues->demand_s[i] * (result.queue[i] - previous.queue[i]) * queues->factor[p];
    }

destroy_results:
    queueing_result_destroy(&result);
    queueing_result_destroy(&previous);
    return status;
}

parcast_status queueing_nodes_private_cycle(const parcast_node_network *network, size_t type,
                                            double outside_s, double *cycle_s, double *slope,
                                            double *private_slope, parcast_error *error)
{
    size_t n_private = network->n_private, n = (size_t)network->jobs[type];
    struct queues queues = {0};
    parcast_status status = PARCAST_OK;
    queues.station = calloc(n_private + 1, sizeof *queues.station);
    queues.demand_s = calloc(2 * n_private + 1, sizeof *queues.demand_s);
    queues.shape = calloc(n_private + 1, sizeof *queues.shape);
    if (!queues.station || !queues.demand_s || !queues.shape) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for private stations");
        goto release;
    }
    queues.factor = queues.demand_s + n_private;
    collect(network, type, outside_s, &queues);
    for (size_t p = 0; p < n_private; p++) private_slope[p] = -1;
    *cycle_s = queues.delay_s;
    *slope = 1;
    if (queues.n == 1) solve_one(&queues, n, cycle_s, slope, private_slope);
    if (queues.n > 1) status = solve_several(&queues, n, cycle_s, slope, private_slope, error);
    for (size_t p = 0; p < n_private; p++)
        if (private_slope[p] < 0) private_slope[p] = *slope * queues.factor[p];

release:
    free(queues.station);
    free(queues.demand_s);
    free(queues.shape);
    return status;
}
