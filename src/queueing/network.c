/* The description of a network: making, checking, releasing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/queueing.h"

static const double MAX_ELEMENTS = 1e8;

static void free_network(parcast_network *network)
{
    if (network->rates)
        for (size_t k = 0; k < network->n_stations; k++) free(network->rates[k]);
    free(network->rates);
    free(network->n_rates);
    free(network->servers);
    free(network->population);
    free(network->think_time_s);
    free(network->arrival_rate_per_s);
    free(network->visits);
    free(network->service_s);
    free(network);
}

static bool allocate_arrays(parcast_network *network, size_t n_classes, size_t n_stations)
{
    network->n_classes = n_classes;
    network->n_stations = n_stations;
    network->servers = calloc(n_stations, sizeof *network->servers);
    network->n_rates = calloc(n_stations, sizeof *network->n_rates);
    network->rates = calloc(n_stations, sizeof *network->rates);
    network->population = calloc(n_classes, sizeof *network->population);
    network->think_time_s = calloc(n_classes, sizeof *network->think_time_s);
    network->arrival_rate_per_s = calloc(n_classes, sizeof *network->arrival_rate_per_s);
    network->visits = calloc(n_classes * n_stations, sizeof *network->visits);
    network->service_s = calloc(n_classes * n_stations, sizeof *network->service_s);
    return network->servers && network->n_rates && network->rates && network->population &&
           network->think_time_s && network->arrival_rate_per_s && network->visits && network->service_s;
}

parcast_status parcast_network_create(size_t n_classes, size_t n_stations, parcast_network **network,
                                      parcast_error *error)
{
    if (n_classes == 0 || n_stations == 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a network needs at least one class and one station");
    if ((double)n_classes * (double)n_stations > MAX_ELEMENTS)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "a network of %zu classes by %zu stations",
                                 n_classes, n_stations);
    parcast_network *made = calloc(1, sizeof *made);
    if (!made || !allocate_arrays(made, n_classes, n_stations)) {
        if (made) free_network(made);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a network");
    }
    for (size_t k = 0; k < n_stations; k++) made->servers[k] = 1;
    for (size_t i = 0; i < n_classes * n_stations; i++) made->visits[i] = 1;
    *network = made;
    return PARCAST_OK;
}

void parcast_network_destroy(parcast_network **network)
{
    if (!network || !*network) return;
    free_network(*network);
    *network = NULL;
}

parcast_status parcast_network_set_rates(parcast_network *network, size_t station, const double *rates,
                                         size_t n_rates, parcast_error *error)
{
    if (station >= network->n_stations)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "there is no station %zu", station);
    for (size_t j = 0; j < n_rates; j++)
        if (!(rates[j] > 0) || !isfinite(rates[j]))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "rates[%zu][%zu] must be positive and finite, not %g", station, j,
                                     rates[j]);
    double *copy = NULL;
    if (n_rates > 0) {
        copy = malloc(n_rates * sizeof *copy);
        if (!copy) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for rates");
        memcpy(copy, rates, n_rates * sizeof *copy);
    }
    free(network->rates[station]);
    network->rates[station] = copy;
    network->n_rates[station] = n_rates;
    return PARCAST_OK;
}

static bool is_time(double value)
{
    return isfinite(value) && value >= 0;
}

static parcast_status check_stations(const parcast_network *network, parcast_error *error)
{
    for (size_t k = 0; k < network->n_stations; k++) {
        if (network->servers[k] < 1 && network->servers[k] != PARCAST_DELAY)
            return parcast_error_set(
                error, PARCAST_DATA, NULL, 0,
                "servers[%zu] is %d: a station has at least one server, or -1 for a delay", k,
                network->servers[k]);
        for (size_t j = 0; j < network->n_rates[k]; j++)
            if (!(network->rates[k][j] > 0) || !isfinite(network->rates[k][j]))
                return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                         "rates[%zu][%zu] is %g: it must be positive and finite", k, j,
                                         network->rates[k][j]);
    }
    return PARCAST_OK;
}

/* Demands of class r: each a finite time, and their sum with the think time as well. */
static parcast_status check_demands(const parcast_network *network, size_t r, parcast_error *error)
{
    double cycle_s = network->think_time_s[r];
    for (size_t k = 0; k < network->n_stations; k++) {
        size_t i = r * network->n_stations + k;
        if (!is_time(network->visits[i]))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                     "V[%zu][%zu] is %g: it must be finite and not negative", r, k,
                                     network->visits[i]);
        if (!is_time(network->service_s[i]))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                     "S[%zu][%zu] is %g: it must be finite and not negative", r, k,
                                     network->service_s[i]);
        cycle_s += network->visits[i] * network->service_s[i];
        if (!isfinite(cycle_s))
            return parcast_error_set(error, PARCAST_DATA, NULL, 0, "V[%zu][%zu] * S[%zu][%zu] is too large",
                                     r, k, r, k);
    }
    if (network->population[r] > 0 && cycle_s == 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "class %zu has %lld customers but neither demand nor think time", r,
                                 (long long)network->population[r]);
    return PARCAST_OK;
}

static parcast_status check_class(const parcast_network *network, size_t r, parcast_error *error)
{
    if (network->population[r] < 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "N[%zu] is %lld: it must not be negative", r,
                                 (long long)network->population[r]);
    if (!is_time(network->think_time_s[r]))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "Z[%zu] is %g: it must be finite and not negative", r,
                                 network->think_time_s[r]);
    if (!is_time(network->arrival_rate_per_s[r]))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "lambda[%zu] is %g: it must be finite and not negative", r,
                                 network->arrival_rate_per_s[r]);
    if (network->population[r] > 0 && network->arrival_rate_per_s[r] > 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "class %zu has a population and an arrival rate: N is 0 for an open class, "
                                 "lambda for a closed one",
                                 r);
    return check_demands(network, r, error);
}

parcast_status parcast_network_validate(const parcast_network *network, parcast_error *error)
{
    parcast_status status = check_stations(network, error);
    for (size_t r = 0; !status && r < network->n_classes; r++) status = check_class(network, r, error);
    return status;
}
