#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

struct points {
    size_t n_classes, n;
    size_t stride[8], base[8];
};

static size_t digit(const struct points *points, size_t i, size_t r)
{
    return i / points->stride[r] % points->base[r];
}

/* Station k alone: |n|!/prod n_r! prod D_rk^n_r / (a(1)..a(|n|)). The times are divided by unit_s. */
static quad weight(const parcast_network *network, size_t k, const struct points *points, size_t i,
                   quad unit_s)
{
    quad product = 1;
    size_t total = 0;
    for (size_t r = 0; r < points->n_classes; r++) {
        size_t cell = r * network->n_stations + k;
        quad demand = (quad)network->visits[cell] * (quad)network->service_s[cell] / unit_s;
        for (size_t j = 1; j <= digit(points, i, r); j++) {
            double rate = (double)++total;
            if (network->n_rates[k] > 0)
                rate = network->rates[k][total < network->n_rates[k] ? total - 1 : network->n_rates[k] - 1];
            else if (network->servers[k] != PARCAST_DELAY)
                rate = fmin(rate, network->servers[k]);
            product *= demand * (quad)total / ((quad)j * (quad)rate);
        }
    }
    return product;
}

static quad think_weight(const parcast_network *network, const struct points *points, size_t i, quad unit_s)
{
    quad product = 1;
    for (size_t r = 0; r < points->n_classes; r++)
        for (size_t j = 1; j <= digit(points, i, r); j++)
            product *= (quad)network->think_time_s[r] / unit_s / (quad)j;
    return product;
}

static bool fits(const struct points *points, size_t i, size_t part)
{
    for (size_t r = 0; r < points->n_classes; r++)
        if (digit(points, part, r) > digit(points, i, r)) return false;
    return true;
}

static void convolve(const struct points *points, const quad *a, const quad *b, quad *sum)
{
    for (size_t i = 0; i < points->n; i++) {
        sum[i] = 0;
        for (size_t part = 0; part <= i; part++)
            if (fits(points, i, part)) sum[i] += a[part] * b[i - part];
    }
}

/* Product of everything but station `left_out`. */
static void product_without(const parcast_network *network, const struct points *points, size_t left_out,
                            quad unit_s, quad *product, quad *station, quad *sum)
{
    for (size_t i = 0; i < points->n; i++) product[i] = think_weight(network, points, i, unit_s);
    for (size_t k = 0; k < network->n_stations; k++) {
        if (k == left_out) continue;
        for (size_t i = 0; i < points->n; i++) station[i] = weight(network, k, points, i, unit_s);
        convolve(points, product, station, sum);
        memcpy(product, sum, points->n * sizeof *product);
    }
}

/* The unit of time in which throughputs are about 1, so that powers stay in range. */
static quad choose_unit(const parcast_network *network)
{
    double slowest_s = 0;
    for (size_t i = 0; i < network->n_classes * network->n_stations; i++)
        slowest_s = fmax(slowest_s, network->visits[i] * network->service_s[i]);
    return slowest_s > 0 ? slowest_s : 1;
}

void reference_solve(const parcast_network *network, double *throughput_per_s, double *queue_length)
{
    struct points points = {.n_classes = network->n_classes, .n = 1};
    for (size_t r = 0; r < network->n_classes; r++) {
        points.stride[r] = points.n;
        points.base[r] = (size_t)network->population[r] + 1;
        points.n *= points.base[r];
    }
    quad unit_s = choose_unit(network), *cells = calloc(3 * points.n, sizeof *cells);
    if (!cells) abort();
    quad *product = cells, *station = cells + points.n, *sum = cells + 2 * points.n;
    size_t last = points.n - 1;
    product_without(network, &points, network->n_stations, unit_s, product, station, sum);
    for (size_t r = 0; r < network->n_classes; r++)
        throughput_per_s[r] = (double)(product[last - points.stride[r]] / product[last] / unit_s);
    for (size_t k = 0; k < network->n_stations; k++) {
        product_without(network, &points, k, unit_s, product, station, sum);
        quad total = 0, weighted[8] = {0};
        for (size_t i = 0; i <= last; i++) {
            quad share = weight(network, k, &points, i, unit_s) * product[last - i];
            total += share;
            for (size_t r = 0; r < network->n_classes; r++) weighted[r] += (quad)digit(&points, i, r) * share;
        }
        for (size_t r = 0; r < network->n_classes; r++)
            queue_length[r * network->n_stations + k] = (double)(weighted[r] / total);
    }
    free(cells);
}

uint64_t random_below(struct random *random, uint64_t n)
{
    random->state += 0x9e3779b97f4a7c15U; /* splitmix64 */
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (z ^ (z >> 31)) % n;
}

double random_unit(struct random *random)
{
    return (double)random_below(random, (uint64_t)1 << 53) / 9007199254740992.0;
}

static void draw_rates(struct random *random, parcast_network *network, size_t k)
{
    double rates[12];
    size_t n = 1 + (size_t)random_below(random, 12);
    for (size_t j = 0; j < n; j++) rates[j] = 0.3 + 2.5 * random_unit(random);
    if (parcast_network_set_rates(network, k, rates, n, NULL)) abort();
}

parcast_network *random_network(struct random *random, const struct network_range *range)
{
    parcast_network *network = NULL;
    size_t n_classes = 1 + (size_t)random_below(random, range->most_classes);
    size_t n_stations = 1 + (size_t)random_below(random, range->most_stations);
    if (parcast_network_create(n_classes, n_stations, &network, NULL)) abort();
    for (size_t k = 0; k < n_stations; k++) {
        network->servers[k] = 1 + (int)random_below(random, (uint64_t)range->most_servers);
        if (!range->without_delays && random_below(random, 6) == 0) network->servers[k] = PARCAST_DELAY;
        if (range->with_rates && random_below(random, 3) == 0) draw_rates(random, network, k);
    }
    for (size_t r = 0; r < n_classes; r++) {
        network->population[r] = 1 + (int64_t)random_below(random, (uint64_t)range->most_customers);
        if (!range->without_delays && random_below(random, 2))
            network->think_time_s[r] = 5 * random_unit(random);
        for (size_t k = 0; k < n_stations; k++) {
            double service_s = pow(10, range->decades * (random_unit(random) - 0.5));
            network->service_s[r * n_stations + k] = k > 0 && random_below(random, 5) == 0 ? 0 : service_s;
            network->visits[r * n_stations + k] = 0.2 + 3 * random_unit(random);
        }
    }
    return network;
}
