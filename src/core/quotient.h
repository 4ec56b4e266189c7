/*
 * Division by a number that stays the same while many are divided: the upper half of a product with its
 * reciprocal, which is exact for numbers of 32 bits (Lemire, Kaser and Kurz, Faster remainder by direct
 * computation, Software: Practice and Experience 49, 2019).
 */
#ifndef PARCAST_CORE_QUOTIENT_H
#define PARCAST_CORE_QUOTIENT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 quotient_product;

struct quotient {
    uint64_t by, reciprocal; /* reciprocal, of 2^64: 0 where numbers are divided as they are */
};

/** For dividing numbers of at most `most` by `by`, not 0. */
static inline struct quotient quotient_by(uint64_t by, uint64_t most)
{
    bool is_short = by > 1 && by <= UINT32_MAX && most <= UINT32_MAX;
    return (struct quotient){by, is_short ? UINT64_MAX / by + 1 : 0};
}

static inline uint64_t quotient_of(struct quotient q, uint64_t n)
{
    return q.reciprocal ? (uint64_t)((quotient_product)q.reciprocal * n >> 64) : n / q.by;
}

static inline uint64_t quotient_rest(struct quotient q, uint64_t n)
{
    return n - quotient_of(q, n) * q.by;
}

#endif
