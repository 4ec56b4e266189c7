/** Numbers of the coded stream: base-128 varints, the lowest seven bits first; signed ones zigzag. */
#ifndef PARCAST_TRACE_GOAL_CODE_H
#define PARCAST_TRACE_GOAL_CODE_H

#include <stdint.h>

/** Flags beside the kind in an operation's first byte, and the most bytes an operation has without
 * dependents. */
enum { GOAL_KIND = 3, GOAL_TAGGED = 4, GOAL_PLACED = 8, GOAL_MOST_NUMBER = 10, GOAL_MOST_CODE = 64 };

static inline unsigned char *goal_put(unsigned char *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}

static inline unsigned char *goal_put_signed(unsigned char *at, int64_t value)
{
    return goal_put(at, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static inline uint64_t goal_get(const unsigned char **at)
{
    uint64_t value = *(*at)++;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        uint64_t byte = *(*at)++;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

static inline int64_t goal_get_signed(const unsigned char **at)
{
    uint64_t value = goal_get(at);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

#endif
