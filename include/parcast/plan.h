/**
 * Plans: which node count at which iteration of a malleable program, under a deadline or a budget.
 *
 *   predictor ──parcast_malleable_create──► malleable ──parcast_plan_create──► plan (a schedule)
 *                                                     │
 *                                                     └─parcast_decision_create (decision.h), while it runs
 *
 * A malleable program is a table T_k(p): the time of one iteration of block k on size p, a size being a node
 * count. The first nodes of the platform are taken, in the order of the file; a size holds all nodes of the
 * smaller ones. A move from one size to another costs time and money, which are predicted as well.
 * Equations: docs/models/plan.md.
 */
#ifndef PARCAST_PLAN_H
#define PARCAST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/forecast.h"
#include "parcast/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a change of the node count consists of, and what each part takes. All >= 0, bandwidths > 0. */
typedef struct parcast_move_model {
    double stop_s;            /**< from the order to the end of the last rank, without saving */
    double bytes;             /**< state of all ranks that has to be saved */
    double save_bytes_per_s;  /**< of one node, to its own memory or disk */
    double move_bytes_per_s;  /**< of one node's link, one direction */
    double launch_s;          /**< of a program, without the terms that grow */
    double launch_per_rank_s; /**< more for each rank */
    double launch_per_node_s; /**< more for each node */
    double begin_s;           /**< the program's own: from its start to its first iteration */
    bool overlaps;            /**< the next size is launched while the present one still computes */
    double resume_s;          /**< then: from the end of moving to the next iteration */
    bool copies;              /**< nodes are left only when the state lies twice on those that stay */
} parcast_move_model;

/** Time of a move by its parts [s]; the program stands still for the sum of the first three. */
typedef struct parcast_move_time {
    double stop_s, move_s, launch_s;
    double beside_s; /**< launching while it still computes: the move is delayed by it, as by a start-up */
    double held_s;   /**< nodes that are left are held so long after the move */
} parcast_move_time;

/** One size that the program can run on. */
typedef struct parcast_size {
    int nodes;
    int processes;
    double price_per_s; /**< of all its nodes together; NAN for all sizes if a node has none */
    double startup_s;   /**< until the slowest of its nodes is ready after it was asked for */
    double capacity; /**< its cores, in cores of the first node type: efficiency = serial time / (capacity x
                          time) */
    double sd_ln;    /**< standard deviation of ln time of the forecast */
} parcast_size;

/** Iterations that take equally long. */
typedef struct parcast_block {
    int64_t n_iterations; /**< from 1 */
    double serial_s;      /**< one iteration on one core of the first node type */
} parcast_block;

/** A program whose node count may change between two iterations. */
typedef struct parcast_malleable {
    char *program, *arguments, *platform, *currency; /**< never NULL */
    parcast_engine engine;
    parcast_size *sizes; /**< [n_sizes] ascending nodes */
    size_t n_sizes;
    parcast_block *blocks; /**< [n_blocks] in the order of the run */
    size_t n_blocks;
    double *iteration_s; /**< [n_blocks][n_sizes] time of one iteration */
    double level_sd_ln;  /**< standard deviation of ln of the factor that the times of all sizes have in
                            common;  0: 0.1, the state of the machine today */
    parcast_move_model move;
    double billing_unit_s; /**< as in the platform */
    char **notes;          /**< sentences for the user: what was assumed */
    size_t n_notes;
} parcast_malleable;

/** What an iteration took on so many nodes. */
typedef struct parcast_measured_size {
    int nodes;
    double iteration_s; /**< mean */
} parcast_measured_size;

/** How a forecast is cut into iterations. */
typedef struct parcast_malleable_options {
    int64_t n_iterations; /**< 0: as many as there are blocks of work */
    const double *work;   /**< [n_work] relative work of the iterations in their order, each stretched over
                               n_iterations / n_work of them; NULL: equal iterations */
    size_t n_work;
    int min_nodes, max_nodes;              /**< 0: from 1, to all of the platform */
    int ranks_per_node;                    /**< 0: one for each core */
    bool other_machine;                    /**< as in parcast_forecast_options */
    const parcast_move_model *move;        /**< NULL: parcast_move_model_default */
    const parcast_measured_size *measured; /**< [n_measured] for parcast_malleable_unknown: earlier runs */
    size_t n_measured;
} parcast_malleable_options;

/**
 * A malleable program from a fitted predictor: every node count of the platform from min_nodes to max_nodes
 * (above 256 of them in even steps, as a note says), iterations in at most 10,000 blocks.
 *
 * Computing is spread over the iterations as `work` says, communication evenly; where an engine does not tell
 * them apart, all of the time follows `work`.
 *
 * @param[in]  reference names the program; may be NULL
 * @param[out] malleable parcast_malleable_destroy
 * @return PARCAST_OK; PARCAST_INVALID (options that fit no program); PARCAST_MEMORY; what the predictor
 * returns
 *
 * Cost: one forecast point for each node count (about 0.1 ms) and O(blocks x sizes).
 */
PARCAST_API parcast_status parcast_malleable_create(const parcast_predictor *predictor,
                                                    const parcast_platform *platform,
                                                    const parcast_run *reference,
                                                    const parcast_malleable_options *options,
                                                    parcast_malleable **malleable, parcast_error *error);

/**
 * The same without a forecast. Time falls as the capacity grows, with 5 % that does not; sd_ln is wide. Where
 * earlier runs measured iterations (options->measured) times go through them, and sd_ln is narrow there.
 *
 * @param[in] serial_s of the whole run, a guess that measured iterations correct; 0: nobody knows (or
 *            options->measured says), then level_sd_ln is so wide that a decision begins by measuring
 */
PARCAST_API parcast_status parcast_malleable_unknown(const parcast_platform *platform, double serial_s,
                                                     const parcast_malleable_options *options,
                                                     parcast_malleable **malleable, parcast_error *error);
PARCAST_API void parcast_malleable_destroy(parcast_malleable **malleable);

/** Iterations of all blocks. */
PARCAST_API int64_t parcast_malleable_iterations(const parcast_malleable *malleable);
/** Index of the size with so many nodes, or the largest below; -1 if all are larger. */
PARCAST_API int parcast_malleable_size(const parcast_malleable *malleable, int nodes);

/**
 * What a move costs where nothing has been measured: 0.05 s to stop, 0.1 s and 0.02 s a rank to launch beside
 * the running program, no bytes, 2 GB/s to save, the bandwidth of the slowest link of the platform to move.
 */
PARCAST_API void parcast_move_model_default(const parcast_platform *platform, parcast_move_model *move);

/**
 * Time of a move between two sizes; from NULL: the first launch.
 *
 *     stop_s   = stop + bytes / (p save)                    p, q: nodes before and after
 *     move_s   = bytes / (min(p, q) link)                   the node that sends or receives most; 0 if p = q
 *     launch_s = launch + ranks launch_per_rank + q launch_per_node + begin
 *
 * Where moves overlap with the run that launch is beside_s, and launch_s is resume.
 */
PARCAST_API parcast_move_time parcast_move_predict(const parcast_move_model *move, const parcast_size *from,
                                                   const parcast_size *to);

/** What a study tells about the course of a run, beyond its total time. */
typedef struct parcast_course {
    int64_t n_iterations; /**< of the latest elastic run; 0: unknown */
    double *work;         /**< [n_work] relative computing of equal parts of the run; NULL: unknown */
    size_t n_work;
    parcast_move_model move; /**< of the latest elastic run, else parcast_move_model_default */
    bool move_measured;      /**< some of `move` was measured */
    bool bytes_measured;     /**< move.bytes was; otherwise it is the memory of all ranks, an upper bound */
    parcast_measured_size *measured; /**< [n_measured] node counts that the elastic run had, ascending */
    size_t n_measured;
} parcast_course;

/**
 * Read the course of a problem's runs: relative work from the windows between global synchronisations (of the
 * run with the most ranks that has eight of them), iterations and the parts of moves from the latest result
 * parcast.run/1.
 *
 * @param[in]  runs     [n_runs] of one problem with profiles
 * @param[in]  run_json result of kind parcast.run/1; NULL: none
 * @param[out] course   parcast_course_clear
 * @return PARCAST_OK; PARCAST_FORMAT (run_json is not what it should be)
 */
PARCAST_API parcast_status parcast_course_read(const parcast_run *runs, size_t n_runs, const char *run_json,
                                               const parcast_platform *platform, parcast_course *course,
                                               parcast_error *error);
PARCAST_API void parcast_course_clear(parcast_course *course);

/** What is asked of a plan. Without deadline and budget: the least time. */
typedef struct parcast_plan_goal {
    double deadline_s; /**< from the start of the run, nodes' start-up included; NAN: none */
    double budget;     /**< in the platform's currency; NAN: none */
} parcast_plan_goal;

/** A stretch of iterations on one size. */
typedef struct parcast_stretch {
    int64_t from_iteration; /**< from 0 */
    int64_t n_iterations;
    int nodes, processes;
    double start_s;          /**< when its first iteration begins */
    double time_s;           /**< of its iterations */
    double move_s;           /**< standing still before it: the move, or the first launch */
    double startup_s;        /**< its new nodes are asked for so long before the move */
    double cost;             /**< linear in time, move and start-up included; NAN without prices */
    double efficiency_ratio; /**< dynamic efficiency: serial time / (capacity x time) of its iterations */
} parcast_stretch;

/** A schedule with what it takes. */
typedef struct parcast_plan {
    bool elastic;                  /**< the node count may vary */
    bool deadline_met, budget_met; /**< true where none was given */
    parcast_plan_goal goal;
    double time_s;              /**< from the request for the first nodes to the last iteration */
    double low_s, high_s;       /**< 95 % interval */
    double cost;                /**< what will be charged, billing units rounded up; NAN without prices */
    double cost_low, cost_high; /**< 95 % interval: iterations as long as low_s and high_s take them */
    double efficiency_ratio;    /**< serial time / sum of capacity x time held, moves included */
    double node_s;              /**< nodes x time held, start-up and moves included */
    double bound; /**< no schedule of the same kind that meets the goal costs (with a budget only:
                       takes) less; NAN if not known */
    parcast_stretch *stretches; /**< [n_stretches] at least one */
    size_t n_stretches;
    char reason[256]; /**< in words: why this one, or what cannot be met and how near it comes */
} parcast_plan;

/**
 * The best schedule. With a deadline: the least cost that meets it (without prices: the least node-seconds);
 * with a budget: the least time within it; with both: the least cost that meets both; with neither: the
 * least time. When the goal cannot be met: the nearest, which is the least time for a deadline and the least
 * cost for a budget; with both the least time within the budget.
 *
 * @param[in]  elastic false: one size throughout
 * @return PARCAST_OK also when the goal cannot be met; PARCAST_INVALID (a goal that is none, a budget without
 *         prices)
 *
 * A varying schedule is found by dynamic programming over blocks and sizes for a weight on time, the weight
 * by Lagrange's method, and the rest of the gap by crossing the two schedules on either side; it is never
 * worse than the best fixed one. Cost: O(blocks x sizes) to O(blocks x sizes^2) for each weight, about ten
 * weights; 10,000 blocks x 100 sizes in below a second. Source: docs/models/plan.md.
 */
PARCAST_API parcast_status parcast_plan_create(const parcast_malleable *malleable,
                                               const parcast_plan_goal *goal, bool elastic,
                                               parcast_plan **plan, parcast_error *error);

/** The plan of a schedule that was given: from_iteration and nodes of the stretches are looked at. */
PARCAST_API parcast_status parcast_plan_evaluate(const parcast_malleable *malleable,
                                                 const parcast_plan_goal *goal,
                                                 const parcast_stretch *stretches, size_t n_stretches,
                                                 parcast_plan **plan, parcast_error *error);
PARCAST_API void parcast_plan_destroy(parcast_plan **plan);

/** The plan as JSON text, schema parcast.plan/1; free() it. NULL when out of memory. */
PARCAST_API char *parcast_plan_json(const parcast_malleable *malleable, const parcast_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
