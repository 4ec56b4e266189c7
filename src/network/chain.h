/**
 * What the time up to a date consists of, along operations that each had to wait for the one before: the
 * critical path to that date, without the path. A chain is an array of picoseconds, one per part; the parts
 * of time add up to the date exactly, so a chain is extended by adding to it and two that end at the same
 * date are equally right. Whoever waits for a message takes over the chain of the message.
 */
#ifndef PARCAST_NETWORK_CHAIN_H
#define PARCAST_NETWORK_CHAIN_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum chain_part {
    CHAIN_DATE,     /**< the sum of all times */
    CHAIN_MESSAGES, /**< a count */
    CHAIN_OVERHEAD, /**< CPU time of messages */
    CHAIN_GAP,      /**< until an interface is ready for the next message */
    CHAIN_LATENCY,
    CHAIN_TRANSFER, /**< bytes, as if alone */
    CHAIN_SHARING,  /**< what others on the links add to that */
    CHAIN_SLEEP,
    CHAIN_CORES,   /**< what others on the cores add to computing */
    CHAIN_COMPUTE, /**< the first of the groups of computing ranks */
};

/**
 * Which computing is told apart, and whose messages. What the parts from `operations` on have is in the parts
 * of time too: point to point; collectives, whose contexts are odd and whose tags say which; other ones.
 */
struct chain_layout {
    uint32_t n_parts;
    const uint32_t *group; /**< [ranks] a rank's computing is part CHAIN_COMPUTE + its group */
    uint32_t operations;   /**< the first of n_collectives + 2 parts, the last of all */
    uint32_t n_collectives;
};

/** The part that has the time of a message, beside those of what it is spent on. */
static inline uint32_t chain_operation(const struct chain_layout *layout, uint32_t context, int32_t tag)
{
    if (context % 2 == 0) return layout->operations;
    uint32_t collective = (uint32_t)tag < layout->n_collectives ? (uint32_t)tag : layout->n_collectives;
    return layout->operations + 1 + collective;
}

static inline void chain_copy(int64_t *chain, const int64_t *from, uint32_t n_parts)
{
    memcpy(chain, from, n_parts * sizeof *chain);
}

static inline void chain_add(int64_t *chain, uint32_t part, int64_t ps)
{
    assert(ps >= 0);
    chain[part] += ps;
    chain[CHAIN_DATE] += ps;
}

#endif
