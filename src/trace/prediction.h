/**
 * What a duration is expected to be: a running mean of the codes (duration.h) of the same definition, with
 * weight 1/4 for the newest. Writer and reader keep it alike, in integers of 1/16 code.
 */
#ifndef PARCAST_TRACE_PREDICTION_H
#define PARCAST_TRACE_PREDICTION_H

#include <stdint.h>

enum { PREDICTION_ONE = 16 };

/* Halves towards minus infinity, the same on every machine. */
static inline int32_t prediction_quarter(int32_t value)
{
    return value >= 0 ? value / 4 : -((3 - value) / 4);
}

static inline void prediction_learn(int32_t *expected, uint16_t code)
{
    int32_t value = code * PREDICTION_ONE;
    *expected += *expected ? prediction_quarter(value - *expected) : value;
}

static inline uint16_t prediction_code(int32_t expected)
{
    return (uint16_t)(expected / PREDICTION_ONE);
}

/** Small differences of either sign become small numbers. */
static inline uint16_t prediction_difference(int32_t *expected, uint16_t code)
{
    uint16_t difference = (uint16_t)(code - prediction_code(*expected));
    prediction_learn(expected, code);
    return (uint16_t)(difference << 1 ^ (difference >> 15 ? 0xffff : 0));
}

static inline uint16_t prediction_undo(int32_t *expected, uint16_t folded)
{
    uint16_t difference = (uint16_t)(folded >> 1 ^ (folded & 1 ? 0xffff : 0));
    uint16_t code = (uint16_t)(difference + prediction_code(*expected));
    prediction_learn(expected, code);
    return code;
}

#endif
