/**
 * The search for a schedule as a shortest path: blocks of iterations by sizes, with moves between sizes.
 *
 * A path has four measures; the searches minimise one of them, or a weighted sum.
 */
#ifndef PARCAST_PLAN_PROBLEM_H
#define PARCAST_PLAN_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

struct problem {
    size_t n_blocks, n_sizes;
    const double *block_s; /**< [n_blocks][n_sizes] time of a block */
    const double *risk;    /**< [n_sizes] factor from the expected time to the one to be reckoned with */
    const double *rate;    /**< [n_sizes] money per second */
    const double *move_s; /**< [n_sizes + 1][n_sizes] standing still; last row: from the state at the start */
    const double *move_cost; /**< the same in money */
};

enum measure { MEASURE_TIME, MEASURE_LATE, MEASURE_COST, MEASURE_LATE_COST, MEASURES };

/** A size for each block, and what that takes. */
struct path {
    uint16_t *size;         /**< [n_blocks] */
    double total[MEASURES]; /**< expected time; time with risk; money; money with risk */
};

parcast_status path_create(const struct problem *problem, struct path *path, parcast_error *error);
void path_clear(struct path *path);
void path_copy(const struct problem *problem, const struct path *from, struct path *to);
/** Fill in the totals of the sizes. O(n_blocks). */
void path_measure(const struct problem *problem, struct path *path);
/** Add a move, or a block, to totals. */
void path_add_move(const struct problem *problem, size_t from, size_t to, double total[MEASURES]);
void path_add_block(const struct problem *problem, size_t k, size_t size, double total[MEASURES]);
/** One size throughout. */
void path_fixed(const struct problem *problem, size_t size, struct path *path);

/** Room that the searches need. */
struct workspace;
parcast_status workspace_create(const struct problem *problem, struct workspace **workspace,
                                parcast_error *error);
void workspace_destroy(struct workspace **workspace);

/**
 * The path with the least sum of weight x measure; returns that sum. Exact. Ties: the smaller index, and
 * staying before moving.
 *
 * O(blocks x sizes) when moves between sizes cost about the same, at most O(blocks x sizes^2).
 */
double dynamic_search(const struct problem *problem, struct workspace *workspace,
                      const double weight[MEASURES], struct path *path);

/** What constrained_search found. */
struct found {
    bool met;     /**< the limit is kept */
    double bound; /**< no path that keeps the limit has less of `least` */
};

/**
 * The path with the least of one measure whose other measure stays within a limit: Lagrange's method with
 * dynamic_search, then every crossing of the two paths on either side. If none stays within: the path with
 * least of `limited`.
 *
 * @param[in] candidates [2] paths with room; [0] becomes the answer, [1] is used
 */
parcast_status constrained_search(const struct problem *problem, struct workspace *workspace,
                                  enum measure least, enum measure limited, double limit,
                                  struct path candidates[2], struct found *found, parcast_error *error);

#endif
