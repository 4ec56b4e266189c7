/**
 * Queueing networks with product-form solution: description, reader, exact and approximate solvers, bounds,
 * gradients.
 *
 * R classes of customers visit K stations. A closed class r has N_r customers that circulate for ever, with a
 * think time Z_r between two cycles; an open class arrives at rate lambda_r. A cycle of class r visits
 * station k V_rk times for S_rk seconds of service each: its demand there is D_rk = V_rk S_rk [s]. Station k
 * has one or several servers, is a pure delay, or works at a rate that depends on the number of customers at
 * it. The solution is exact for processor sharing, for first-come-first-served stations with exponential
 * service equal for all classes, and for delays.
 *
 * Matrices are row by row, [class][station]: element (r, k) is at r * n_stations + k. Times are in seconds,
 * rates per second. The functions keep no state between calls and may be called from several threads.
 * The equations are in docs/models/queueing.md.
 */
#ifndef PARCAST_QUEUEING_H
#define PARCAST_QUEUEING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of servers of a station at which nobody ever waits. */
enum { PARCAST_DELAY = -1 };

/**
 * A network. The caller fills the arrays between parcast_network_create and the first solver; rates are set
 * through parcast_network_set_rates.
 */
typedef struct parcast_network {
    size_t n_classes;           /**< R >= 1 */
    size_t n_stations;          /**< K >= 1 */
    int *servers;               /**< [K] number of servers >= 1, or PARCAST_DELAY */
    int64_t *population;        /**< [R] customers N_r >= 0; 0 for an open class */
    double *think_time_s;       /**< [R] Z_r >= 0 */
    double *arrival_rate_per_s; /**< [R] lambda_r >= 0; 0 for a closed class */
    double *visits;             /**< [R][K] visits per cycle, >= 0 */
    double *service_s;          /**< [R][K] service time per visit, >= 0 */
    size_t *n_rates;            /**< [K] length of rates[k]; 0 = none */
    double **rates; /**< [K] rates[k][j-1] = speed with j customers relative to service_s; the last holds for
                         more. They replace servers[k]. NULL = none */
} parcast_network;

/**
 * A network with single servers, one visit of no length everywhere, nobody in it.
 *
 * @param[in]  n_classes, n_stations  both >= 1
 * @param[out] network                release with parcast_network_destroy
 * @return PARCAST_OK, PARCAST_INVALID for a size of 0, PARCAST_LIMIT above 10^8 matrix elements,
 * PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_network_create(size_t n_classes, size_t n_stations,
                                                  parcast_network **network, parcast_error *error);

/** Release a network and set the pointer to NULL. NULL and a pointer to NULL are fine. */
PARCAST_API void parcast_network_destroy(parcast_network **network);

/**
 * Give a station speeds that depend on the number of customers at it.
 *
 * @param[in] station  0..K-1
 * @param[in] rates    [n_rates] multiplier with 1, 2, ... customers, copied; all positive. n_rates 0: none
 * @return PARCAST_OK, PARCAST_INVALID for a station or rate out of range, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_network_set_rates(parcast_network *network, size_t station,
                                                     const double *rates, size_t n_rates,
                                                     parcast_error *error);

/**
 * Check everything that the solvers rely on; they call it themselves.
 *
 * @return PARCAST_OK, or PARCAST_DATA with the class, the station and the value in the text: a count of
 * servers that is neither positive nor PARCAST_DELAY, a negative or not finite number, a class with
 * population and arrival rate, a class with customers but without any demand or think time
 */
PARCAST_API parcast_status parcast_network_validate(const parcast_network *network, parcast_error *error);

/**
 * Read a network from JSON text, format parcast.network/1 (docs/formats/network.md), and validate it.
 *
 * @param[in]  text, size  not necessarily terminated
 * @param[in]  source      name for messages, may be NULL
 * @param[out] network     release with parcast_network_destroy
 * @return PARCAST_OK, PARCAST_FORMAT with the field in the text, PARCAST_DATA as parcast_network_validate,
 *         PARCAST_LIMIT, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_network_parse(const char *text, size_t size, const char *source,
                                                 parcast_network **network, parcast_error *error);

/** Read a network from a file; "-" is standard input. As parcast_network_parse, and PARCAST_IO. */
PARCAST_API parcast_status parcast_network_read(const char *path, parcast_network **network,
                                                parcast_error *error);

/** How a network is solved. */
typedef enum parcast_solve_method {
    PARCAST_SOLVE_EXACT,      /**< product form, to rounding */
    PARCAST_SOLVE_SCHWEITZER, /**< fixed point of Schweitzer and Bard; a few percent, any size */
    PARCAST_SOLVE_LINEARIZER, /**< Chandy and Neuse; mostly under one percent, R times the cost */
} parcast_solve_method;

/** Name of a method as in files and options: "exact". */
PARCAST_API const char *parcast_solve_method_name(parcast_solve_method method);

/** What an exact solution may cost before it is refused. NULL or 0 in a field: the default. */
typedef struct parcast_solve_limits {
    double memory_bytes; /**< default 10^9. One class never needs more than about 16 sqrt(K) (N+1) bytes */
    double operations;   /**< elementary operations, default 2*10^11 (a few minutes) */
} parcast_solve_limits;

/** Steady-state means. Open and closed classes stand in the order of the network. */
typedef struct parcast_solution {
    size_t n_classes, n_stations;
    double *throughput_per_s; /**< [R] cycles per second X_r; lambda_r for an open class */
    double *response_s;       /**< [R] sum of residence_s; think time is not in it */
    double *queue_length;     /**< [R][K] mean number at the station, those in service included */
    double *residence_s;      /**< [R][K] time at the station per cycle, all visits together */
    double *utilization;      /**< [R][K] X D / servers; at a delay X D; 0 at stations with rates */
    bool *has_utilization;    /**< [K] false at stations with rates: there it is not defined */
} parcast_solution;

/**
 * Solve a network.
 *
 * @param[in]  method    see parcast_solve_method
 * @param[in]  limits    may be NULL
 * @param[out] solution  release with parcast_solution_destroy
 * @return PARCAST_OK; PARCAST_DATA as parcast_network_validate, or when the open classes ask for more than a
 *         station can do (the station is named); PARCAST_LIMIT when the exact solution exceeds the limits,
 * with the size of the lattice; PARCAST_UNSUPPORTED from the approximations when open and closed classes meet
 *         at a station with several servers or rates (exact takes them); PARCAST_NOT_CONVERGED;
 * PARCAST_MEMORY
 *
 * Cost, exact: one class and single servers O(K N) time; one class otherwise O(N sum of servers) time,
 * O(N sqrt K) memory at least; several classes O(R K) (single servers) or O(R sum of servers) times the
 * number of lattice points prod (N_r + 1). Source: Reiser and Lavenberg 1980; docs/models/queueing.md.
 */
PARCAST_API parcast_status parcast_network_solve(const parcast_network *network, parcast_solve_method method,
                                                 const parcast_solve_limits *limits,
                                                 parcast_solution **solution, parcast_error *error);

/** Release a solution and set the pointer to NULL. NULL and a pointer to NULL are fine. */
PARCAST_API void parcast_solution_destroy(parcast_solution **solution);

/**
 * Throughput of one closed class at every population up to N.
 *
 * @param[in]  network           one class, closed, N >= 1
 * @param[in]  limits            may be NULL
 * @param[out] throughput_per_s  [N] X(1), ..., X(N)
 * @return as parcast_network_solve; PARCAST_UNSUPPORTED for several or open classes
 *
 * Cost: single servers as one solution; otherwise a few solutions without queue lengths, one for every range
 * of populations that one tilt serves (about N / (30 standard deviations of the number of customers)).
 */
PARCAST_API parcast_status parcast_network_throughput_curve(const parcast_network *network,
                                                            const parcast_solve_limits *limits,
                                                            double *throughput_per_s, parcast_error *error);

/**
 * Elasticities of the throughputs: relative change of X_s per relative change of a demand or think time.
 * Multiply by X_s/D_rk (or X_s/Z_r) for the derivative itself. Rows of open classes are 0: their X is lambda.
 */
typedef struct parcast_gradient {
    size_t n_classes, n_stations;
    double *demand; /**< [R][R][K] d ln X_s / d ln D_rk at (s * R + r) * K + k */
    double *think;  /**< [R][R] d ln X_s / d ln Z_r at s * R + r */
} parcast_gradient;

/**
 * Exact gradient of the exact solution: d ln X_s / d ln D_rk = Q_rk(N - e_s) - Q_rk(N).
 *
 * @param[in]  limits    may be NULL
 * @param[out] gradient  release with parcast_gradient_destroy
 * @return as parcast_network_solve with PARCAST_SOLVE_EXACT
 *
 * Cost: one class 1 to 1.5 exact solutions, several closed classes R + 1.
 * Source: docs/models/queueing.md, Gradients.
 */
PARCAST_API parcast_status parcast_network_gradient(const parcast_network *network,
                                                    const parcast_solve_limits *limits,
                                                    parcast_gradient **gradient, parcast_error *error);

/** Release a gradient and set the pointer to NULL. NULL and a pointer to NULL are fine. */
PARCAST_API void parcast_gradient_destroy(parcast_gradient **gradient);

/** Kinds of bounds: X(name, name in files). */
#define PARCAST_BOUNDS_LIST(X)                                                                               \
    X(ABA, "aba") /* asymptotic: any stations */                                                             \
    X(BJB, "bjb") /* balanced jobs: single servers and delays */                                             \
    X(PB, "pb")   /* proportional: single servers, no delay and no think time */                             \
    X(GB, "gb")   /* geometric: single servers and delays */

enum {
#define PARCAST_BOUNDS_ENUM(name, text) PARCAST_BOUNDS_##name,
    PARCAST_BOUNDS_LIST(PARCAST_BOUNDS_ENUM)
#undef PARCAST_BOUNDS_ENUM
        PARCAST_N_BOUNDS
};

/** Throughput [1/s] and response time [s] without think time lie between low and high. */
typedef struct parcast_bound {
    bool applies; /**< false: this kind does not hold for the network, the numbers are 0 */
    double throughput_low_per_s, throughput_high_per_s;
    double response_low_s, response_high_s;
} parcast_bound;

typedef struct parcast_bounds {
    parcast_bound bound[PARCAST_N_BOUNDS]; /**< by PARCAST_BOUNDS_ABA, ... */
} parcast_bounds;

/** Name of a kind of bounds as in files: "aba". */
PARCAST_API const char *parcast_bounds_name(size_t kind);

/**
 * Bounds that need no solution, for a network of one closed class.
 *
 * @return PARCAST_OK, PARCAST_DATA as parcast_network_validate, PARCAST_UNSUPPORTED for several or open
 * classes
 *
 * Cost: O(K). Source: Lazowska et al. 1984; Hsieh and Lam 1987; Casale, Muntz and Serazzi 2008.
 */
PARCAST_API parcast_status parcast_network_bounds(const parcast_network *network, parcast_bounds *bounds,
                                                  parcast_error *error);

/**
 * A cluster as a queueing network: nodes of a few types, jobs pinned to their node.
 *
 * Type t has nodes[t] identical nodes with jobs[t] jobs each; all jobs of a node are one class. A job cycles
 * through, in any order: a delay; the private stations of its node (cores, memory: nobody from elsewhere
 * comes); the shared stations of every node (network interfaces: demands differ for the own node, another
 * node of the same type, a node of another type); the global stations that exist once (a switch). The cost of
 * a solution depends on the number of types, not of nodes.
 *
 * All times of a job per cycle stand in one array, so that gradients have the same indices:
 * time_s[parcast_nodes_own(network, t, q)] = ...
 */
typedef struct parcast_node_network {
    size_t n_types;       /**< T >= 1 */
    size_t n_private;     /**< P private stations per node; those without demand do not count */
    size_t n_shared;      /**< Q shared stations per node, single servers: TX and RX, or one for both */
    size_t n_global;      /**< G single servers that exist once */
    int64_t *nodes;       /**< [T] nodes of the type, >= 1 */
    int64_t *jobs;        /**< [T] jobs per node; 0: only its shared stations are there */
    int *servers;         /**< [T][P] servers of the private stations, or PARCAST_DELAY; 1 when created */
    size_t *n_rates;      /**< [T][P] length of rates; 0 = none */
    const double **rates; /**< [T][P] speed with 1, 2, ... jobs, the last for more; replaces servers; lent */
    size_t n_times;       /**< M */
    double *time_s;       /**< [M] delay and demands [s] per cycle, see the index functions; 0 when created */
} parcast_node_network;

/** Index in time_s: delay of a job of type t. */
static inline size_t parcast_nodes_delay(const parcast_node_network *network, size_t t)
{
    (void)network;
    return t;
}
/** Demand at private station p of the own node. */
static inline size_t parcast_nodes_private(const parcast_node_network *network, size_t t, size_t p)
{
    return network->n_types + t * network->n_private + p;
}
/** Demand at shared station q of the own node. */
static inline size_t parcast_nodes_own(const parcast_node_network *network, size_t t, size_t q)
{
    return network->n_types * (1 + network->n_private) + t * network->n_shared + q;
}
/** Demand at shared station q of each other node of the own type. */
static inline size_t parcast_nodes_same(const parcast_node_network *network, size_t t, size_t q)
{
    return network->n_types * (1 + network->n_private + network->n_shared) + t * network->n_shared + q;
}
/** Demand of type t at shared station q of each node of type u; not used for u = t. */
static inline size_t parcast_nodes_other(const parcast_node_network *network, size_t t, size_t u, size_t q)
{
    return network->n_types * (1 + network->n_private + 2 * network->n_shared) +
           (t * network->n_types + u) * network->n_shared + q;
}
/** Demand at global station g. */
static inline size_t parcast_nodes_global(const parcast_node_network *network, size_t t, size_t g)
{
    return network->n_types *
               (1 + network->n_private + 2 * network->n_shared + network->n_types * network->n_shared) +
           t * network->n_global + g;
}

/**
 * A network with one job on one node of each type and no times.
 *
 * @param[out] network  release with parcast_nodes_destroy
 * @return PARCAST_OK, PARCAST_INVALID for n_types 0, PARCAST_LIMIT above 64 types or 64 stations of a kind,
 *         PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_nodes_create(size_t n_types, size_t n_private, size_t n_shared,
                                                size_t n_global, parcast_node_network **network,
                                                parcast_error *error);
/** Release a network and set the pointer to NULL. NULL and a pointer to NULL are fine. */
PARCAST_API void parcast_nodes_destroy(parcast_node_network **network);

/** Solution of a parcast_node_network. */
typedef struct parcast_node_solution {
    size_t n_types, n_shared, n_global, n_times;
    double *cycle_s;            /**< [T] cycle time of a job; 0 for a type without jobs */
    double *private_s;          /**< [T] part of it at the private stations */
    double *shared_s;           /**< [T] part of it at the shared and global stations */
    double *shared_queue;       /**< [T][Q] mean number of jobs at a shared station of a node of the type */
    double *shared_utilization; /**< [T][Q] */
    double *global_queue;       /**< [G] */
    double *global_utilization; /**< [G] */
    double *gradient;           /**< [T][M] d cycle_s[s] / d time_s[i] at s * M + i; NULL if not asked for */
} parcast_node_solution;

/**
 * Solve a cluster network approximately, with the exact gradient of the approximation.
 *
 * Private stations are solved exactly for the jobs of the node with the rest of the cycle as delay. Shared
 * and global stations by PARCAST_SOLVE_SCHWEITZER, or PARCAST_SOLVE_LINEARIZER: one round of Linearizer's
 * correction on it, several times more accurate and about T + 2 times the work.
 *
 * @param[in]  method         PARCAST_SOLVE_SCHWEITZER or PARCAST_SOLVE_LINEARIZER
 * @param[in]  with_gradient  fill the gradient
 * @param[out] solution       release with parcast_node_solution_destroy
 * @return PARCAST_OK; PARCAST_INVALID for another method, a count below its minimum, a negative or not finite
 * time, a rate that is not positive, jobs without any time; PARCAST_NOT_CONVERGED; PARCAST_MEMORY
 *
 * Cost: Newton's method on T Q + G + T unknowns, about ten steps of O((T Q + G + T)^3). Thread-safe.
 * Source: docs/models/queueing.md, Clusters.
 */
PARCAST_API parcast_status parcast_nodes_solve(const parcast_node_network *network,
                                               parcast_solve_method method, bool with_gradient,
                                               parcast_node_solution **solution, parcast_error *error);
/** Release a solution and set the pointer to NULL. NULL and a pointer to NULL are fine. */
PARCAST_API void parcast_node_solution_destroy(parcast_node_solution **solution);

#ifdef __cplusplus
}
#endif
#endif
