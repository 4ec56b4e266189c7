/**
 * Times per phase: of the levels and regions that a program marks, and of its iterations, marked or found.
 * Each rank goes through phases of its own; a phase's figures are summed over ranks.
 */
#ifndef PARCAST_REPLAY_PHASES_H
#define PARCAST_REPLAY_PHASES_H

#include "parcast/replay.h"

/** What a rank has done up to now. */
struct rank_figures {
    int64_t now_ps, compute_ps, waiting_ps;
};

struct phase_row;
struct phase_rank;

/** The phases of one kind. */
struct phase_list {
    struct phase_row *rows; /**< in the order in which they were entered first; iterations: by number */
    uint32_t n_rows, room;
    struct phase_rank *ranks; /**< [n_ranks]; NULL until the first mark */
};

struct phases {
    uint32_t n_ranks;
    struct phase_list marked, iterations;
    int64_t first_iteration; /**< the first one's own number; all others are counted from it */
    int64_t last_iteration;
    int64_t stride; /**< iterations in a row */
    const parcast_replay_loop *loops;
    uint64_t *n_calls; /**< [n_ranks] so far, with loops */
};

/** loops: NULL or [n_ranks], must outlive it. False when memory is short. */
bool phases_create(struct phases *phases, uint32_t n_ranks, const parcast_replay_loop *loops);
void phases_destroy(struct phases *phases);

/** False when memory is short, here and below. */
bool phases_mark(struct phases *phases, uint32_t rank, const parcast_operation *operation,
                 const struct rank_figures *figures);
/** A rank begins an operation. */
bool phases_operation(struct phases *phases, uint32_t rank, const parcast_operation *operation,
                      const struct rank_figures *figures);
void phases_end(struct phases *phases, uint32_t rank, const struct rank_figures *figures);

/** All rows that took time, in result->phases. */
bool phases_take(const struct phases *phases, parcast_replay_result *result);

/** Is it one of the operations that loops are counted in? Computing and polling are not. */
bool phases_is_call(const parcast_operation *operation);

#endif
