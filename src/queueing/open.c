/*
 * Open classes.
 *
 * The offered load of station k is rho_k = sum over open classes of lambda V S; at its capacity (servers, or
 * the last rate) no steady state exists. At a single server the closed classes see service slowed down by
 * 1/(1 - rho_k), and an open customer stays R = D (1 + Q_closed)/(1 - rho_k). A station of another shape that
 * only open classes visit holds L(rho_k) customers (tilt.c), shared in proportion to the loads; where closed
 * classes come too, mixed.c takes over. A delay delays. Source: Lazowska et al., Quantitative System
 * Performance, 1984, chapter 7; docs/models/queueing.md.
 */
#include "open.h"

#include <math.h>

static double demand(const parcast_network *network, size_t r, size_t k)
{
    return network->visits[r * network->n_stations + k] * network->service_s[r * network->n_stations + k];
}

bool queueing_has_open(const parcast_network *network)
{
    for (size_t r = 0; r < network->n_classes; r++)
        if (network->arrival_rate_per_s[r] > 0) return true;
    return false;
}

double queueing_open_load(const parcast_network *network, size_t k)
{
    double load = 0;
    for (size_t r = 0; r < network->n_classes; r++)
        load += network->arrival_rate_per_s[r] * demand(network, r, k);
    return load;
}

static bool closed_come(const parcast_network *network, size_t k)
{
    for (size_t r = 0; r < network->n_classes; r++)
        if (network->population[r] > 0 && demand(network, r, k) > 0) return true;
    return false;
}

bool queueing_open_meets_closed(const parcast_network *network, size_t k)
{
    return queueing_shape(network, k).m > 1 && queueing_open_load(network, k) > 0 && closed_come(network, k);
}

parcast_status queueing_open_check(const parcast_network *network, parcast_error *error)
{
    for (size_t k = 0; k < network->n_stations; k++) {
        struct shape shape = queueing_shape(network, k);
        double load = queueing_open_load(network, k);
        if (shape.m == 0 || load == 0 || load < shape_rate(&shape, shape.m)) continue;
        parcast_error_set(error, PARCAST_DATA, NULL, 0,
                          "station %zu is overloaded: the open classes bring %.6g of the %.6g it can do", k,
                          load, shape_rate(&shape, shape.m));
        parcast_error_hint(error, "a steady state needs sum lambda V S below the number of servers");
        return PARCAST_DATA;
    }
    return PARCAST_OK;
}

parcast_status queueing_open_slowdown(const parcast_network *network, double *slowdown, parcast_error *error)
{
    parcast_status status = queueing_open_check(network, error);
    for (size_t k = 0; k < network->n_stations && !status; k++) {
        struct shape shape = queueing_shape(network, k);
        double load = queueing_open_load(network, k);
        slowdown[k] = shape.m == 0 || load == 0 ? 1 : 1 / (1 - load / shape_rate(&shape, shape.m));
        if (!queueing_open_meets_closed(network, k)) continue;
        status =
            parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                              "open and closed classes meet at station %zu, which is no single server", k);
        parcast_error_hint(error, "the method exact takes such stations");
    }
    return status;
}

/* Residence of a class with demand_s at station k; the queues of the closed classes are known. */
static double residence(const parcast_network *network, const parcast_solution *solution, size_t k,
                        double slowdown, double demand_s)
{
    struct shape shape = queueing_shape(network, k);
    double load = queueing_open_load(network, k), closed = 0;
    if (shape.m == 0 || load == 0) return demand_s;
    if (shape.m > 1) return demand_s * queueing_open_mean(&shape, load) / load;
    for (size_t r = 0; r < network->n_classes; r++)
        if (network->population[r] > 0) closed += solution->queue_length[r * network->n_stations + k];
    return demand_s / shape_rate(&shape, 1) * (1 + closed) * slowdown;
}

void queueing_open_fill(const parcast_network *network, const double *slowdown, parcast_solution *solution)
{
    for (size_t r = 0; r < network->n_classes; r++) {
        double rate = network->arrival_rate_per_s[r];
        if (rate == 0) continue;
        solution->throughput_per_s[r] = rate;
        for (size_t k = 0; k < network->n_stations; k++) {
            size_t i = r * network->n_stations + k;
            double demand_s = demand(network, r, k);
            if (demand_s == 0) continue;
            solution->residence_s[i] = residence(network, solution, k, slowdown[k], demand_s);
            solution->queue_length[i] = rate * solution->residence_s[i];
        }
    }
}
