/**
 * Do the ranks of a communicator call the same collectives in the same order? The first rank that comes to a
 * place in that order says what is called there; the others are held against it. A place is forgotten when
 * all have passed it.
 */
#ifndef PARCAST_REPLAY_AGREE_H
#define PARCAST_REPLAY_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/operation.h"

/** A call of a collective, as far as all ranks must agree on it. */
struct agree_call {
    parcast_collective collective;
    bool blocks;
    uint32_t rank; /**< of the whole program */
    int32_t root;  /**< 0 where there is none */
    int64_t bytes; /**< -1 where ranks may differ */
    int line;      /**< of the operation */
};

struct agree_communicator;

struct agreement {
    struct agree_communicator **table; /**< [room] by number, first member and size; a power of two */
    uint32_t room, n;
};

/** The rank's operation as a call. */
struct agree_call agree_call_of(const parcast_operation *operation, uint32_t rank);

/**
 * A rank comes to its next collective of a communicator, of n_members, which is one of. The operation's list
 * of members outlives the agreement.
 *
 * @param[out] other  the call at this place that came first; its own if it is the first
 * @return false: memory is short
 *
 * Cost: O(1). Memory: 4 bytes per member, 32 per place that not all have passed.
 */
bool agree_enter(struct agreement *agreement, const parcast_operation *operation, uint32_t rank,
                 uint32_t n_members, struct agree_call *other);

/** Why they cannot be one collective, "its root is 2, ..."; false: they can. `who` names the other. */
bool agree_differs(const struct agree_call *call, const struct agree_call *other, const char *who, char *text,
                   size_t size);

/** A call that a member has never come to. */
struct agree_missing {
    struct agree_call call;
    uint32_t communicator;
    uint32_t rank;           /**< that has not come */
    uint64_t n_came, n_made; /**< collectives of the communicator: of those who came, of that rank */
};
/** One of them, where `ended` says of a rank that it makes no more calls; false: there is none. */
bool agree_find_missing(const struct agreement *agreement, bool (*ended)(const void *state, uint32_t rank),
                        const void *state, struct agree_missing *missing);

void agree_destroy(struct agreement *agreement);

#endif
