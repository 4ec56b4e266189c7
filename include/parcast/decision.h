/**
 * The decision layer of an elastic run: on how many nodes to go on.
 *
 *     parcast_decision_create       a malleable program, a goal, a policy
 *     parcast_decision_measured     after every safe point: iterations that were done and what they took
 *     parcast_decision_moved        after every move: what it took
 *     parcast_decision_take         at a safe point: stay or move, where to, why, and how the run will end
 *
 * Policy `forecast`: the forecast gives the time of an iteration on every size; measured iterations of this
 * run correct it, at the sizes that ran and, less surely, at their neighbours. Sizes are chosen with what the
 * run will know soon and can still correct. A move is made when it pays back its cost and the uncertainty, or
 * when staying misses the goal and moving does not. Policy `reactive`
 * is the rule of Raveendran, Bicer and Agrawal 2011: it looks at the mean iteration time alone.
 *
 * With an allocator (allocator.h): hold answer.request_nodes; when so many are ready ask again, and if the
 * answer is still the same, move; release what is not needed once no rank is on it. A node that was lost goes
 * into nodes_available, and nodes is 0 until the program runs again.
 *
 * Nothing here starts a program or a node, looks at a clock or draws a random number: the same calls give the
 * same decisions. A handle must not be used by two threads at once. Equations: docs/models/plan.md.
 */
#ifndef PARCAST_DECISION_H
#define PARCAST_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum parcast_policy { PARCAST_POLICY_FORECAST, PARCAST_POLICY_REACTIVE } parcast_policy;

/** "forecast" or "reactive". */
PARCAST_API const char *parcast_policy_name(parcast_policy policy);
/** Policy of a name; PARCAST_INVALID lists the names. */
PARCAST_API parcast_status parcast_policy_parse(const char *name, parcast_policy *policy,
                                                parcast_error *error);

/** What a decision may do. Zero for a field means its default. */
typedef struct parcast_decision_options {
    parcast_policy policy;
    double payback_ratio; /**< a move must bring so many times what it costs; 1.5 */
    double z;             /**< and this many standard deviations of its gain; 1.3. The same margin is kept to
                               the deadline */
    double stay_ratio;    /**< highest rate of moves: after one, so many times its own time passes before the
                               next; 10 */
    double range_s;       /**< reactive: band around the required iteration time [s]; 10 % of it */
    int64_t interval;     /**< reactive: iterations between two looks; 50 */
    double required_s;    /**< reactive: iteration time that is required; deadline / iterations */
} parcast_decision_options;

typedef struct parcast_decision parcast_decision;

/**
 * @param[in]  malleable lent, must live as long as the decision
 * @param[out] decision  parcast_decision_destroy
 * @return PARCAST_OK; PARCAST_INVALID (options out of range; a budget without prices; reactive without
 *         deadline and required_s), PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_decision_create(const parcast_malleable *malleable,
                                                   const parcast_plan_goal *goal,
                                                   const parcast_decision_options *options,
                                                   parcast_decision **decision, parcast_error *error);
PARCAST_API void parcast_decision_destroy(parcast_decision **decision);

/**
 * Iterations [first, first + n) ran on so many nodes in so long, standing still for moves not included.
 * Iterations that were lost and ran again are given again.
 *
 * @return PARCAST_OK; PARCAST_INVALID (no iterations, time not above 0, a node count that is no size)
 */
PARCAST_API parcast_status parcast_decision_measured(parcast_decision *decision, int nodes,
                                                     int64_t first_iteration, int64_t n_iterations,
                                                     double time_s, parcast_error *error);

/** What a move took, to predict the next one better; the first launch has from_nodes 0. */
typedef struct parcast_move_measured {
    int from_nodes, to_nodes;
    double stop_s, move_s, launch_s; /**< standing still */
    double startup_s; /**< from the request for nodes until they were ready; NAN if none were asked for */
    double bytes;     /**< state that was saved; NAN if not known */
    double beside_s;  /**< launching beside the running program; 0: it stood still for the launch */
} parcast_move_measured;

PARCAST_API parcast_status parcast_decision_moved(parcast_decision *decision,
                                                  const parcast_move_measured *move, parcast_error *error);

/** Where a run is at a safe point. */
typedef struct parcast_run_state {
    double elapsed_s;  /**< since the request for the first nodes; the deadline counts from there */
    double cost;       /**< charged so far (parcast_allocator_cost); NAN: taken as price x nodes x time */
    int64_t iteration; /**< the next one, from 0; all before it are done and saved or in memory */
    int64_t iterations_left; /**< as the program knows it; -1: those of the malleable program */
    int nodes;               /**< held and in use; 0: nothing runs, at the start or after nodes were lost */
    int nodes_held;          /**< asked for and being charged, ready or not; 0: as `nodes` */
    int nodes_available;     /**< most that the allocator can have now, those in use included */
    double state_bytes;      /**< that a move has to carry, as the program says; 0: it has not said */
} parcast_run_state;

/** Why a decision is as it is. */
#define PARCAST_MOTIVE_LIST(X)                                                                               \
    X(stay, STAY, "no move pays back")                                                                       \
    X(start, START, "the first nodes")                                                                       \
    X(faster, FASTER, "pays back in time")                                                                   \
    X(cheaper, CHEAPER, "pays back in money")                                                                \
    X(deadline, DEADLINE, "staying would miss the deadline")                                                 \
    X(budget, BUDGET, "staying would exceed the budget")                                                     \
    X(lost, LOST, "nodes are gone")                                                                          \
    X(waiting, WAITING, "a move would pay back, but the last one was too short ago")                         \
    X(reactive, REACTIVE, "the mean iteration time left its band")

typedef enum parcast_motive {
#define PARCAST_MOTIVE_ENUM(name, constant, about) PARCAST_MOTIVE_##constant,
    PARCAST_MOTIVE_LIST(PARCAST_MOTIVE_ENUM)
#undef PARCAST_MOTIVE_ENUM
} parcast_motive;

/** "stay", "deadline", ... */
PARCAST_API const char *parcast_motive_name(parcast_motive motive);

/** The answer. */
typedef struct parcast_answer {
    int nodes;         /**< to go on with; the present number: stay */
    int request_nodes; /**< to hold from now on: more than `nodes` when a growth lies no further ahead than
                          the new nodes' start-up */
    int processes;
    parcast_motive motive;
    char reason[256];              /**< in words and numbers, for the user and the journal */
    parcast_move_time move;        /**< predicted; zero when it stays */
    double end_s;                  /**< when the run will end, counted as elapsed_s; NAN: nobody knows yet */
    double end_low_s, end_high_s;  /**< 95 % interval */
    double cost;                   /**< in the end; NAN without prices, or if nobody knows yet */
    double cost_low, cost_high;    /**< 95 % interval */
    bool deadline_met, budget_met; /**< expected; true where none was given */
    double deadline_probability;   /**< NAN without a deadline */
    int64_t break_even_iterations; /**< after so many the move has paid back; 0 when it stays, -1 if never */
    int64_t
        review_iteration; /**< the plan changes the size again here, or -1: worth a look at that safe point */
} parcast_answer;

/**
 * Decide. To be called at any safe point, before the first launch with nodes = 0. When the answer asks for
 * more nodes the program goes on as it is until they are ready; then ask again.
 *
 * @return PARCAST_OK; PARCAST_INVALID (a state that cannot be); PARCAST_DATA (no size fits the nodes that
 *         can be had)
 *
 * Cost: 0.2 ms at 8 sizes, 4 ms at 64, 40 ms at 256; it may be called at every safe point.
 */
PARCAST_API parcast_status parcast_decision_take(parcast_decision *decision, const parcast_run_state *state,
                                                 parcast_answer *answer, parcast_error *error);

/** Time of one iteration on a size as it is believed now, with its standard deviation. NAN for no such size.
 */
PARCAST_API double parcast_decision_iteration_s(const parcast_decision *decision, int nodes,
                                                int64_t iteration, double *sd_s);

#ifdef __cplusplus
}
#endif
#endif
