/*
 * Open and closed classes that meet at a station with several servers or rates a(1..m), constant from m on.
 *
 * With n closed customers there, sum over the open ones of C(n + i, i) rho^i / (a(1)...a(n + i)) = w(n), and
 * the closed classes see the rates w(n-1)/w(n). The w are the coefficients of G(rho + x), where G(y) =
 * sum_j y^j / (a(1)...a(j)): Horner's rule in y = rho + x, from the geometric tail inward, adds and
 * multiplies numbers that are not negative. From m + 1 on the rate is a(m) - rho.
 *
 * An open customer finds what one more customer of a closed class that is always here would find: that class
 * is added, and its throughput X with demand d gives the residence D/(X d) of an open class with demand D.
 * Source: Bruell, Balbo, Afshari, Mean value analysis of mixed, multiple class BCMP networks with load
 * dependent service stations, Performance Evaluation 4 (1984); docs/models/queueing.md.
 */
#include <math.h>
#include <stdlib.h>

#include "open.h"

/* long double reaches this far: the coefficients grow like e^m. */
enum { MAX_RATES = 8192 };

static double demand(const parcast_network *network, size_t r, size_t k)
{
    return network->visits[r * network->n_stations + k] * network->service_s[r * network->n_stations + k];
}

bool queueing_mixed_meet(const parcast_network *network)
{
    for (size_t k = 0; k < network->n_stations; k++)
        if (queueing_open_meets_closed(network, k)) return true;
    return false;
}

/* w(0..m), scaled by tail^n, where tail = a(m) - rho. */
static void weights(const struct shape *shape, double load, double tail, long double *w)
{
    size_t m = shape->m;
    for (size_t n = 0; n <= m + 1; n++) w[n] = shape_rate(shape, m) / tail;
    for (size_t j = m - 1; j > 0; j--) {
        long double rate = shape_rate(shape, j);
        for (size_t n = m + 1; n > 0; n--) w[n] = (load * w[n] + tail * w[n - 1]) / rate;
        w[0] = 1 + load * w[0] / rate;
    }
}

static parcast_status effective_rates(const parcast_network *network, size_t k, double **rates,
                                      size_t *n_rates, parcast_error *error)
{
    struct shape shape = queueing_shape(network, k);
    size_t m = shape.m;
    if (m > MAX_RATES)
        return parcast_error_set(
            error, PARCAST_LIMIT, NULL, 0,
            "open and closed classes meet at station %zu, which has more than %d servers", k, MAX_RATES);
    double load = queueing_open_load(network, k), tail = shape_rate(&shape, m) - load;
    long double *w = calloc(m + 2, sizeof *w);
    double *made = calloc(m + 1, sizeof *made);
    if (!w || !made) {
        free(w);
        free(made);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    }
    weights(&shape, load, tail, w);
    bool usable = true;
    for (size_t n = 1; n <= m + 1; n++) {
        made[n - 1] = (double)(tail * (w[n - 1] / w[n]));
        usable = usable && isfinite(made[n - 1]) && made[n - 1] > 0;
    }
    free(w);
    if (!usable) {
        free(made);
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "the rates of station %zu are too far apart to compute with", k);
    }
    *rates = made;
    *n_rates = m + 1;
    return PARCAST_OK;
}

static void copy_classes(const parcast_network *network, parcast_network *copy)
{
    size_t n_stations = network->n_stations;
    for (size_t r = 0; r < network->n_classes; r++) {
        copy->population[r] = network->population[r];
        copy->think_time_s[r] = network->think_time_s[r];
        copy->arrival_rate_per_s[r] = network->arrival_rate_per_s[r];
        for (size_t k = 0; k < n_stations; k++) {
            bool left_out = network->arrival_rate_per_s[r] > 0 && queueing_open_meets_closed(network, k);
            copy->visits[r * n_stations + k] = left_out ? 0 : network->visits[r * n_stations + k];
            copy->service_s[r * n_stations + k] = network->service_s[r * n_stations + k];
        }
    }
}

static parcast_status copy_station(const parcast_network *network, size_t k, parcast_network *copy,
                                   parcast_error *error)
{
    copy->servers[k] = network->servers[k];
    if (queueing_open_meets_closed(network, k))
        return effective_rates(network, k, &copy->rates[k], &copy->n_rates[k], error);
    if (network->n_rates[k] == 0) return PARCAST_OK;
    copy->rates[k] = calloc(network->n_rates[k], sizeof *copy->rates[k]);
    if (!copy->rates[k])
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    copy->n_rates[k] = network->n_rates[k];
    for (size_t j = 0; j < network->n_rates[k]; j++) copy->rates[k][j] = network->rates[k][j];
    return PARCAST_OK;
}

/* The network as its closed classes see it, with room for n_more classes. */
static parcast_status reduce(const parcast_network *network, size_t n_more, parcast_network **reduced,
                             parcast_error *error)
{
    parcast_network *made;
    parcast_status status =
        parcast_network_create(network->n_classes + n_more, network->n_stations, &made, error);
    if (status) return status;
    copy_classes(network, made);
    for (size_t k = 0; k < network->n_stations && !status; k++)
        status = copy_station(network, k, made, error);
    if (status)
        parcast_network_destroy(&made);
    else
        *reduced = made;
    return status;
}

/* What an open customer with a demand of one second stays at station k. */
static parcast_status open_stay(const parcast_network *network, size_t k, const parcast_solve_limits *limits,
                                double *stay, parcast_error *error)
{
    parcast_network *probed;
    parcast_solution *solution = NULL;
    size_t probe = network->n_classes, n_stations = network->n_stations;
    parcast_status status = reduce(network, 1, &probed, error);
    if (status) return status;
    double demand_s = 0;
    for (size_t r = 0; r < network->n_classes; r++)
        if (network->population[r] > 0) demand_s = fmax(demand_s, demand(network, r, k));
    probed->population[probe] = 1;
    for (size_t q = 0; q < n_stations; q++) probed->visits[probe * n_stations + q] = q == k;
    probed->service_s[probe * n_stations + k] = demand_s;
    status = queueing_solution_create(probed, &solution, error);
    if (!status) status = queueing_solve_mixed(probed, PARCAST_SOLVE_EXACT, limits, solution, error);
    if (!status) *stay = 1 / (solution->throughput_per_s[probe] * demand_s);
    parcast_solution_destroy(&solution);
    parcast_network_destroy(&probed);
    return status;
}

parcast_status queueing_solve_meeting(const parcast_network *network, const parcast_solve_limits *limits,
                                      parcast_solution *solution, parcast_error *error)
{
    parcast_network *reduced;
    parcast_status status = queueing_open_check(network, error);
    if (!status) status = reduce(network, 0, &reduced, error);
    if (status) return status;
    status = queueing_solve_mixed(reduced, PARCAST_SOLVE_EXACT, limits, solution, error);
    parcast_network_destroy(&reduced);
    for (size_t k = 0; k < network->n_stations && !status; k++) {
        double stay = 0;
        if (!queueing_open_meets_closed(network, k)) continue;
        status = open_stay(network, k, limits, &stay, error);
        for (size_t r = 0; r < network->n_classes && !status; r++) {
            if (network->arrival_rate_per_s[r] == 0) continue;
            size_t i = r * network->n_stations + k;
            solution->residence_s[i] = demand(network, r, k) * stay;
            solution->queue_length[i] = network->arrival_rate_per_s[r] * solution->residence_s[i];
        }
    }
    return status;
}
