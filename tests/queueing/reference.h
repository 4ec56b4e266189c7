/**
 * Closed networks solved the long way, as a yardstick: the product form summed up term by term in numbers of
 * 113 bits, nothing shared with the library but the network's description.
 */
#ifndef PARCAST_TESTS_REFERENCE_H
#define PARCAST_TESTS_REFERENCE_H

#include "parcast/queueing.h"

/** Throughput [R] and queue lengths [R][K] of closed classes. O(K^2 L^2), L the points of the lattice. */
void reference_solve(const parcast_network *network, double *throughput_per_s, double *queue_length);

/** Random numbers for tests: the same everywhere, every run. */
struct random {
    uint64_t state;
};
uint64_t random_below(struct random *random, uint64_t n);
/** Uniform in [0, 1). */
double random_unit(struct random *random);

/** What random_network draws from. */
struct network_range {
    size_t most_classes, most_stations;
    int64_t most_customers;
    int most_servers;    /**< 1: single servers and delays only */
    bool with_rates;     /**< some stations get rates, not always rising */
    double decades;      /**< demands spread over so many powers of ten */
    bool without_delays; /**< neither delay stations nor think times */
};
/** A closed network; every class has customers and demand. Release with parcast_network_destroy. */
parcast_network *random_network(struct random *random, const struct network_range *range);

#endif
