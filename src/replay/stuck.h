/** What is said when a replay ends with ranks that wait. */
#ifndef PARCAST_REPLAY_STUCK_H
#define PARCAST_REPLAY_STUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

/** A replay that has come to its end, as seen rank by rank. */
struct stuck {
    const void *state;
    uint32_t n_ranks;
    bool (*is_done)(const void *state, uint32_t rank);
    /** The rank that a rank waits for; -1 when that is any, several, or none. */
    int64_t (*waits_for)(const void *state, uint32_t rank);
    /** "rank 3 waits in recv (line 88) for a message from rank 1" */
    void (*describe)(const void *state, uint32_t rank, char *text, size_t size);
    const char *cure; /**< the hint when the ranks do not wait in a cycle */
};

/** PARCAST_OK when every rank is done; otherwise PARCAST_DATA, and who waits for whom. Cost: O(ranks). */
parcast_status stuck_check(const struct stuck *stuck, const char *source, parcast_error *error);

#endif
