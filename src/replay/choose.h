/** Which algorithm a collective takes in a replay. */
#ifndef PARCAST_REPLAY_CHOOSE_H
#define PARCAST_REPLAY_CHOOSE_H

#include "parcast/replay.h"
#include "replay/rules.h"
#include "replay/schedules.h"

enum choose_table { CHOOSE_NAIVE, CHOOSE_MPICH, CHOOSE_OPENMPI };

struct choice {
    enum choose_table table;
    parcast_collectives_from from;                         /**< who has said so */
    const char *file;                                      /**< of the rules, NULL: none. Lent */
    enum collective_algorithm forced[PARCAST_COLLECTIVES]; /**< COLLECTIVE_ALGORITHMS: by the rules */
    struct rules rules; /**< of a file; what none of them fits: by the table */
};

/**
 * By the options, else by the platform's key, else as the library of the recording, else as MPICH.
 *
 * @param[in] mpi  library that the trace was recorded with; NULL: not known
 * @return PARCAST_INVALID: no such table, file or algorithm (the hint lists those that there are); what
 * reading the file returns
 */
parcast_status choose_create(struct choice *choice, const parcast_replay_options *options,
                             const parcast_platform *platform, const char *mpi, parcast_error *error);
/** What a result says of it: its texts are copied. False: memory is short. */
bool choose_tell(const struct choice *choice, const char *mpi, parcast_replay_collectives *told);
void choose_destroy(struct choice *choice);

/** How an operation on n ranks is done. nodes: NULL: every rank is on a node of its own. */
struct schedule_plan choose_plan(const struct choice *choice, const parcast_operation *operation,
                                 uint32_t n_ranks, const struct schedule_nodes *nodes);

/** Are all algorithms of the plan there, for so many ranks? *missing: one that is not. */
bool choose_fits(const struct schedule_plan *plan, parcast_collective collective, uint32_t n_ranks,
                 const struct schedule_nodes *nodes, enum collective_algorithm *missing);

#endif
