/** What `estimate` knows of one program: shared by computing, printing and keeping it. */
#ifndef PARCAST_CLI_ESTIMATE_H
#define PARCAST_CLI_ESTIMATE_H

#include <jansson.h>
#include <stdbool.h>

#include "cli.h"
#include "parcast/bound.h"
#include "parcast/platform.h"
#include "parcast/valueflow.h"

struct estimate_point {
    parcast_flow flow, block; /**< block.processes 0: none */
    bool bounded;             /**< what follows is set */
    int nodes;
    double time_s, low_s, high_s, compute_s, communication_s, efficiency_ratio;
    double network_s;                 /**< of all bytes, nothing hidden */
    double overlap_ratio, roofline_s; /**< what is hidden; (5) with it, however little there is to compute */
    double largest_s; /**< the same with the part that sends or receives most in place of the mean */
};

struct estimate {
    struct cli_common *common;
    const char **argv;
    const parcast_extents *extent; /**< NULL: inferred */
    bool is_grid;                  /**< exactly the blocks that were asked for */
    parcast_values *values;
    parcast_values_summary summary;
    parcast_values_run run;
    parcast_singletons *singletons; /**< [n_singletons] by array */
    size_t n_singletons;
    struct estimate_point *points; /**< [n_points] */
    size_t n_points;
    parcast_estimate_volume *between; /**< [n_between] numbers of nodes that no point has */
    size_t n_between;
    parcast_bound_figures figures;
    double serial_s, calibration; /**< as in parcast_estimate */
    parcast_platform *platform;   /**< NULL: no bound is asked for */
    char unlike[192];             /**< why it is partial, where only its end says so */
    char bound_from[128];         /**< where the time on one core comes from */
    char overlap_from[128];       /**< where the overlap comes from */
};

/** Iterations that do more or less than those that stand for them by less than this, in all, are as these. */
#define ESTIMATE_SAME_WORK_RATIO 0.01

/** Most bytes that one part sends or receives. */
double estimate_largest_bytes(const parcast_flow *flow);

/** Fill in the least words of point i for counts[i] parts, i < n. */
parcast_status estimate_search(struct estimate *estimate, const int *counts, size_t n, parcast_error *error);

/** Fill in the bounds of all points, on `platform`. */
parcast_status estimate_bound(struct estimate *estimate, parcast_error *error);

/** parcast.estimate/1; new reference, NULL when out of memory. */
json_t *estimate_json(const struct estimate *estimate);
/** Returns the exit status. */
int estimate_print(const struct estimate *estimate);
/** Whether it can be kept in this study, before it is worked out. One that is missing is not made yet. */
parcast_status estimate_check_study(const char *study, parcast_error *error);
/** Keep it in a study. */
parcast_status estimate_keep(const struct estimate *estimate, const char *study, parcast_error *error);

void estimate_release(struct estimate *estimate);

#endif
