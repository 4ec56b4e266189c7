/**
 * GOAL programs: for every rank a graph of sends, receives and computations, with dependences between them.
 * Read from the text format of LogGOPSim (docs/formats/goal.md) or built by calls; replayed by
 * parcast_replay_goal (replay.h).
 *
 * A program is kept as a coded stream, in memory while it is small and in a temporary file without a name
 * beyond; a replay reads each rank through a small window.
 */
#ifndef PARCAST_GOAL_H
#define PARCAST_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_goal parcast_goal;

typedef enum parcast_goal_kind {
    PARCAST_GOAL_SEND,
    PARCAST_GOAL_RECEIVE,
    PARCAST_GOAL_COMPUTE
} parcast_goal_kind;

enum {
    PARCAST_GOAL_ANY = -1,              /**< source or tag of a receive: any */
    PARCAST_GOAL_MOST_RANKS = 16777216, /**< of a program */
    PARCAST_GOAL_MOST_CPUS = 256,       /**< cpu and nic are below */
    PARCAST_GOAL_MOST_OPEN = 1048576    /**< a dependence reaches back over at most so many operations */
};

typedef struct parcast_goal_operation {
    parcast_goal_kind kind;
    int64_t amount; /**< bytes, or nanoseconds of a computation; not negative */
    int32_t peer;   /**< destination or source rank; not of a computation */
    int32_t tag;    /**< from 0; not of a computation */
    int cpu, nic;   /**< of the rank's host, from 0 */
    int line;       /**< where it stands in the text, for messages; 0 if nowhere */
} parcast_goal_operation;

/**
 * Read a program from a file ("-" is standard input).
 *
 * @return PARCAST_OK, PARCAST_IO, PARCAST_FORMAT and PARCAST_DATA (with file and line), PARCAST_LIMIT,
 * PARCAST_MEMORY
 *
 * Cost: O(length of the text) time. Memory: 64 bytes per operation that may still get a dependence, at most
 * PARCAST_GOAL_MOST_OPEN of them, plus the labels of one rank that do not count up.
 */
PARCAST_API parcast_status parcast_goal_load(const char *path, parcast_goal **goal, parcast_error *error);

/** The same from memory; `source` names it in messages. */
PARCAST_API parcast_status parcast_goal_parse(const char *text, size_t length, const char *source,
                                              parcast_goal **goal, parcast_error *error);

/** An empty program, to be filled rank by rank: begin, add and require in any order, next begin ..., finish.
 */
PARCAST_API parcast_status parcast_goal_create(int n_ranks, parcast_goal **goal, parcast_error *error);

/** Begin a rank, which ends the one before. Each rank at most once, in any order; one left out is empty. */
PARCAST_API parcast_status parcast_goal_begin(parcast_goal *goal, int rank, parcast_error *error);

/**
 * Add an operation to the rank.
 *
 * @param[out] number  of the operation in its rank, from 0; may be NULL
 * @return PARCAST_OK, PARCAST_DATA (no such peer, negative amount, ...), PARCAST_MEMORY, PARCAST_IO
 */
PARCAST_API parcast_status parcast_goal_add(parcast_goal *goal, const parcast_goal_operation *operation,
                                            uint64_t *number, parcast_error *error);

/**
 * Operation `later` of the rank begins only when `earlier` is done, or, with `started`, has started.
 *
 * @return PARCAST_OK, PARCAST_DATA (no such operation, or the same twice), PARCAST_LIMIT
 * (PARCAST_GOAL_MOST_OPEN), PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_goal_require(parcast_goal *goal, uint64_t later, uint64_t earlier,
                                                bool started, parcast_error *error);

/** End the last rank: the program can be replayed, and not be added to. */
PARCAST_API parcast_status parcast_goal_finish(parcast_goal *goal, parcast_error *error);

PARCAST_API int parcast_goal_ranks(const parcast_goal *goal);
/** Operations of all ranks. */
PARCAST_API uint64_t parcast_goal_operations(const parcast_goal *goal);

/** Release a program and null the pointer. NULL is fine. */
PARCAST_API void parcast_goal_destroy(parcast_goal **goal);

#ifdef __cplusplus
}
#endif
#endif
