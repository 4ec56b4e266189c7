/**
 * Forecasts: one interface over the engines.
 *
 *   runs of a study ──parcast_predictor_create──► predictor ──parcast_forecast_create──► forecast
 *                                                     │            (platform, counts, placement)
 *                                                     └─parcast_predictor_point──► one point
 *
 * A predictor is a program that was fitted once; it can be asked for any number of platforms and process
 * counts. Every forecast names its engine, the runs it was fitted on, an interval for every time, and its
 * error on runs that were left out of the fit.
 */
#ifndef PARCAST_FORECAST_H
#define PARCAST_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/bound.h"
#include "parcast/error.h"
#include "parcast/platform.h"
#include "parcast/recorded.h"
#include "parcast/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/** X(name, constant, about): the list is the enum and the texts at once. */
#define PARCAST_ENGINE_LIST(X)                                                                               \
    X(model, MODEL, "queueing network of heterogeneous multicore nodes, fitted to the recorded runs")        \
    X(paper, PAPER, "the published single-class model, equations 1-10 as printed, for comparison")           \
    X(pmnf, PMNF, "empirical scaling function of the process count alone")                                   \
    X(bound, BOUND, "what no distribution of the sequential program can beat, from its estimates")           \
    X(replay, REPLAY, "traces of recorded runs simulated message by message, at their process counts")

typedef enum parcast_engine {
#define PARCAST_ENGINE_ENUM(name, constant, about) PARCAST_ENGINE_##constant,
    PARCAST_ENGINE_LIST(PARCAST_ENGINE_ENUM)
#undef PARCAST_ENGINE_ENUM
} parcast_engine;

/** "model", "paper", "pmnf", "bound" or "replay". */
PARCAST_API const char *parcast_engine_name(parcast_engine engine);
/** Engine of a name; PARCAST_INVALID lists the names. */
PARCAST_API parcast_status parcast_engine_parse(const char *name, parcast_engine *engine,
                                                parcast_error *error);

typedef struct parcast_fit_options {
    bool paper_reading_total; /**< engine paper: (2) takes the total n instead of the jobs in the CPU queue */
    bool gauss_newton;        /**< optimiser: plain Gauss-Newton steps instead of Levenberg-Marquardt */
    const parcast_bound_basis *bound; /**< engine bound: the estimates that it is made from */
    const parcast_replay_basis
        *replay; /**< engine replay: the traces of the runs; must outlive the predictor */
} parcast_fit_options;

/** One fitted parameter with what the runs say about it. */
typedef struct parcast_parameter {
    char name[32]; /**< "parallel work", "network factor" */
    char unit[16]; /**< "s", "" */
    double value;
    double low, high;  /**< 95 % interval */
    double sd_ln;      /**< posterior standard deviation of ln value */
    bool prior_only;   /**< the runs say nothing that was not assumed before */
    bool identifiable; /**< sd_ln <= 0.5 */
    bool fixed;        /**< left out of the fit, and why in `note` */
    char note[128];    /**< empty if nothing */
    char advice[128];  /**< the kind of run that would determine it; empty if determined */
} parcast_parameter;

/** A scaling function that was chosen from several by its error on left-out runs. */
typedef struct parcast_chosen_function {
    char quantity[32]; /**< "messages", "bytes", "work", "imbalance" */
    char form[96];     /**< "constant", "W_0 + W/n", "3.1 (1 - 1/n)" */
    double loo_ratio;  /**< mean relative error of left-out runs; NAN with too few runs */
} parcast_chosen_function;

/** A run that would narrow the forecast. */
typedef struct parcast_advised_run {
    int processes, nodes;
    double gain_ratio; /**< expected reduction of the variance of the forecast, 0..1 */
    double cost;       /**< in the platform's currency; NAN without a price */
} parcast_advised_run;

/** How a run was used. */
typedef struct parcast_used_run {
    int64_t id;
    int processes, nodes;
    double weight;     /**< relative to a clean run, 0..1 */
    double time_s;     /**< measured */
    double fitted_s;   /**< the fit's own value (in sample) */
    double left_out_s; /**< forecast from the other runs (out of sample); NAN if that was not possible */
    bool oversubscribed;
    bool held_out; /**< the forecast is not made from it: it only tells the error (engine replay) */
} parcast_used_run;

/** What a fit has to say about itself. Lent by the predictor. */
typedef struct parcast_fit_report {
    parcast_engine engine;
    bool empirical; /**< timings only: no profile, so no compute/communication split */
    parcast_parameter *parameters;
    size_t n_parameters;
    int rank; /**< of the weighted Jacobian without priors, at 1e-3 of the largest singular value */
    double condition;
    parcast_chosen_function *functions;
    size_t n_functions;
    parcast_used_run *runs;
    size_t n_runs;
    double loo_mean_ratio; /**< mean |T_pred/T - 1| of left-out runs, NAN with fewer than 3 runs */
    double loo_worst_ratio;
    double extrapolation_ratio; /**< |T_pred/T - 1| on the largest n from the smaller ones; NAN if not
                                   possible */
    char **notes;               /**< sentences for the user */
    size_t n_notes;
} parcast_fit_report;

typedef struct parcast_predictor parcast_predictor;

/**
 * Fit a program's runs.
 *
 * @param[in]  runs      [n_runs] runs of one problem with their profiles; partial runs are left out (a note
 * says so). Engine bound can do without any
 * @param[in]  platform  machine that the runs were made on, where several nodes took part: gives the network
 *                       between them; NULL when only one node did
 * @param[out] predictor set on success; release with parcast_predictor_destroy; keeps no pointer to the runs
 * @return PARCAST_OK; PARCAST_DATA when the runs do not suffice, with what to record
 *
 * Cost: milliseconds for ten runs. Source: docs/models/cluster.md.
 */
PARCAST_API parcast_status parcast_predictor_create(parcast_engine engine, const parcast_run *runs,
                                                    size_t n_runs, const parcast_platform *platform,
                                                    const parcast_fit_options *options,
                                                    parcast_predictor **predictor, parcast_error *error);
PARCAST_API void parcast_predictor_destroy(parcast_predictor **predictor);
PARCAST_API const parcast_fit_report *parcast_predictor_report(const parcast_predictor *predictor);

/** One forecast: a time with its interval and its parts. */
typedef struct parcast_point {
    int processes;
    parcast_placement *placement; /**< owned by the forecast */
    double time_s, low_s, high_s; /**< 95 % interval */
    double compute_s;             /**< of the slowest rank; NAN when the engine cannot tell */
    double communication_s;       /**< time_s - compute_s */
    double speedup;          /**< T(1 process on the first node type) / time_s; NAN if that is not known */
    double efficiency_ratio; /**< speedup / sum of the relative speeds of the cores used */
    double cost;             /**< NAN without a price */
    double sensitivity[4];   /**< d ln time / d ln (core speed, link bandwidth, latency, memory bandwidth) */
    char limit[48]; /**< what limits it: "computing on 'small'", "link of 'big'", "latency"; may be empty */
} parcast_point;

/**
 * Time, interval and parts of one placement; placement is not kept. speedup, efficiency_ratio and cost are
 * NAN (a forecast fills them in).
 *
 * Cost: about 0.1 ms at a few hundred processes. Thread-safe for one predictor.
 */
PARCAST_API parcast_status parcast_predictor_point(const parcast_predictor *predictor,
                                                   const parcast_platform *platform,
                                                   const parcast_placement *placement, parcast_point *point,
                                                   parcast_error *error);

/**
 * The same for the machine and the ranks of a run, which need not be among those fitted.
 *
 * @param[in] platform machine that the run was made on, as for parcast_predictor_create; may be NULL
 */
PARCAST_API parcast_status parcast_predictor_run(const parcast_predictor *predictor,
                                                 const parcast_platform *platform, const parcast_run *run,
                                                 parcast_point *point, parcast_error *error);

typedef struct parcast_forecast_options {
    const int *counts; /**< [n_counts] process counts; NULL: 1 to all cores of the platform, or those that
                            the engine knows */
    size_t n_counts;
    parcast_placement_policy policy;
    bool oversubscribe;
    bool known_only;    /**< leave out counts that the engine does not know, with a note (engine replay) */
    bool other_machine; /**< the platform is not the machine of the runs: forecasts from total times alone
                           widen */
    double deadline_s;  /**< NAN: none */
    double budget;      /**< NAN: none */
} parcast_forecast_options;

/** Indices into the points, -1 for none. */
typedef struct parcast_best {
    int fastest, cheapest;
    int turning_point;  /**< smallest count within 5 % of the fastest: more nodes do not pay after it */
    int under_deadline; /**< cheapest (without prices: fewest processes) that meets the deadline */
    int under_budget;   /**< fastest that costs no more than the budget */
} parcast_best;

typedef struct parcast_forecast {
    parcast_engine engine;
    char *program, *arguments, *platform, *currency;
    parcast_placement_policy policy;
    double deadline_s, budget;
    parcast_point *points; /**< [n_points] ascending processes */
    size_t n_points;
    parcast_best best;
    parcast_fit_report *report; /**< a copy */
    parcast_advised_run advice[3];
    size_t n_advice;
    char **notes;
    size_t n_notes;
} parcast_forecast;

/** Forecast a range of process counts on a platform. */
PARCAST_API parcast_status parcast_forecast_create(const parcast_predictor *predictor,
                                                   const parcast_platform *platform,
                                                   const parcast_forecast_options *options,
                                                   parcast_forecast **forecast, parcast_error *error);
PARCAST_API void parcast_forecast_destroy(parcast_forecast **forecast);

/**
 * More nodes of the kind that the runs were made on (eight, twice as many as a run used, or as many as
 * n_ranks processes need), joined by a common network (10 Gbit/s, 30 us), for a forecast without a platform
 * file. PARCAST_DATA when the runs do not say what they were made on.
 */
PARCAST_API parcast_status parcast_platform_from_runs(const parcast_run *runs, size_t n_runs, int n_ranks,
                                                      parcast_platform **platform, parcast_error *error);

/**
 * How fast the nodes are that a replay of a recorded run computes on, against one reference: the kind of node
 * that the run was recorded on, as its calibration score and the platform's tell.
 *
 * @param[in,out] platform    node types without a given speed get the one that their calibration says
 * @param[out]    node_speed  [run->n_nodes] of the nodes that the run was recorded on
 */
PARCAST_API void parcast_forecast_node_speeds(const parcast_run *run, parcast_platform *platform,
                                              double *node_speed);

/**
 * Was a run made as a placement says: as many ranks on as many nodes of the same types?
 *
 * @param[in] same_kind the platform is of the kind of nodes that the runs were made on: nodes that it does
 * not know by name, host or calibration count as its first type
 */
PARCAST_API bool parcast_forecast_same_nodes(const parcast_run *run, const parcast_platform *platform,
                                             const parcast_placement *placement, bool same_kind);

/** Say which program and arguments a forecast is for: those of a run. */
PARCAST_API parcast_status parcast_forecast_set_program(parcast_forecast *forecast, const parcast_run *run,
                                                        parcast_error *error);

/**
 * The forecast as JSON text, schema parcast.forecast/1; free() it. NULL when out of memory.
 *
 * @param[in] platform the one it was made for
 */
PARCAST_API char *parcast_forecast_json(const parcast_forecast *forecast, const parcast_platform *platform);

#ifdef __cplusplus
}
#endif
#endif
