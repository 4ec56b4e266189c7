/**
 * Durations in 16 bits, as the preload library and the trace keep them: below 256 units exact, above with 8
 * bits behind the leading one: the error of rounding is at most 1/512 of the value. The code is monotonic in
 * the value, and a step of the code is nearly the same ratio everywhere, so differences of codes are small
 * where durations vary by little.
 *
 *     code < 256        the value itself
 *     otherwise         (256 + code mod 256) x 2^(code / 256 - 1)
 *
 * Nothing is included but stdint.h: the preload library uses it.
 */
#ifndef PARCAST_TRACE_DURATION_H
#define PARCAST_TRACE_DURATION_H

#include <stdint.h>

enum { DURATION_CODE_END = 57 * 256 }; /* codes of 64-bit values lie below */

static inline uint64_t duration_decode(uint16_t code)
{
    unsigned exponent = code >> 8;
    if (exponent == 0) return code;
    return (uint64_t)(256 | (code & 255)) << (exponent - 1);
}

/* Rounded to nearest; at 2^64 and above it cannot arrive, at 2^63 it is cut off. */
static inline uint16_t duration_encode(uint64_t value)
{
    if (value < 256) return (uint16_t)value;
    if (value >> 63) value = UINT64_MAX >> 1;
    unsigned shift = 55 - (unsigned)__builtin_clzll(value); /* of the leading one to bit 8 */
    value += shift ? (uint64_t)1 << shift >> 1 : 0;
    shift = 55 - (unsigned)__builtin_clzll(value);
    return (uint16_t)((shift + 1) << 8 | ((value >> shift) & 255));
}

/**
 * The same, with what rounding took from the values before given to this one, up to half a step: the sum of
 * many durations stays true, and a long one does not spill its error over short ones behind it.
 */
static inline uint16_t duration_encode_carried(uint64_t value, int64_t *carry)
{
    if (value < 256) return (uint16_t)value;
    if (value >> 62) return duration_encode(value);
    int64_t half = (int64_t)(value >> 9), give = *carry > half ? half : *carry < -half ? -half : *carry;
    uint16_t code = duration_encode((uint64_t)((int64_t)value + give));
    *carry += (int64_t)value - (int64_t)duration_decode(code);
    return code;
}

#endif
