/**
 * Non-negative numbers with a double's precision and an exponent that does not run out: mantissa *
 * 2^exponent, mantissa in [1, 2) or 0. About ten times slower than double; for networks whose distribution
 * has far modes.
 */
#ifndef PARCAST_QUEUEING_WIDE_H
#define PARCAST_QUEUEING_WIDE_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct wide {
    double mantissa;
    int64_t exponent;
};

/** What is below the normal doubles counts as 0. */
static inline struct wide wide_normalize(double value, int64_t exponent)
{
    uint64_t bits;
    if (!(value >= DBL_MIN)) return (struct wide){0, 0};
    memcpy(&bits, &value, sizeof bits);
    exponent += (int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffU) | (uint64_t)1023 << 52;
    memcpy(&value, &bits, sizeof value);
    return (struct wide){value, exponent};
}

static inline struct wide wide_add(struct wide a, struct wide b)
{
    if (a.mantissa == 0) return b;
    if (b.mantissa == 0) return a;
    if (a.exponent < b.exponent) {
        struct wide c = a;
        a = b;
        b = c;
    }
    int64_t gap = a.exponent - b.exponent;
    if (gap > 64) return a;
    return wide_normalize(a.mantissa + ldexp(b.mantissa, (int)-gap), a.exponent);
}

/** factor must be 0 or positive, finite and normal. */
static inline struct wide wide_scale(struct wide a, double factor)
{
    return wide_normalize(a.mantissa * factor, a.exponent);
}

static inline struct wide wide_product(struct wide a, struct wide b)
{
    return wide_normalize(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/** a / b as a double; 0 or infinity where it leaves the range. */
static inline double wide_ratio(struct wide a, struct wide b)
{
    int64_t exponent = a.exponent - b.exponent;
    if (a.mantissa == 0) return 0;
    if (exponent > 2000) return INFINITY;
    return exponent < -2000 ? 0 : ldexp(a.mantissa / b.mantissa, (int)exponent);
}

static inline int wide_less(struct wide a, struct wide b)
{
    if (a.mantissa == 0 || b.mantissa == 0) return a.mantissa < b.mantissa;
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
}

#endif
